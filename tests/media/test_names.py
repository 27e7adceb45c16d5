"""Names are safe to show and to write, and never clash."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.media import clean_name, free_name, safe_stem


@given(st.text())
def test_any_name_can_be_shown_and_written(name):
    """One line, JSON, bounded, and the same when cleaned again."""
    shown = clean_name(name)

    assert shown
    assert len(shown) <= 160
    assert shown.isprintable() or not any(ord(c) < 32 for c in shown)
    assert json.loads(json.dumps(shown).encode()) == shown
    assert shown.encode()
    assert clean_name(shown) == shown


@pytest.mark.parametrize("name", ["a b.jpg", 'it\'s "quoted".png', "👩‍👧 photo.jpg", "שלום.txt", "é.md", "日本.wav"])
def test_good_names_stay(name):
    """Spaces, quotes, emoji, right-to-left letters."""
    assert clean_name(name) == name


def test_tricks_are_taken_out():
    """A terminal's escape, a turned reading direction, bytes that are no UTF-8, split letters, an endless name."""
    assert clean_name("\x1b[31mred") == "_[31mred"
    assert clean_name("exe\u202egpj.jpg") == "exe_gpj.jpg"
    assert clean_name(b"caf\xe9.txt".decode("utf-8", "surrogateescape")) == "caf\ufffd.txt"
    assert clean_name("cafe\u0301.txt") == "café.txt"
    assert clean_name("x" * 900 + ".jpeg").endswith("….jpeg")


@given(st.lists(st.sampled_from(["a.jpg", "b.jpg", "a"]), max_size=12), st.sampled_from(["", "b", "c"]))
def test_names_never_clash(names, folder):
    """Each new one is free, and keeps its extension."""
    taken: list[str] = []
    for name in names:
        free = free_name(name, folder=folder, taken=taken)
        assert free not in taken
        assert free.endswith(name[1:])
        taken.append(free)


def test_a_clash_is_solved_by_the_folder_then_by_a_number():
    """As the contract says."""
    assert free_name("a.jpg", folder="b", taken=[]) == "a.jpg"
    assert free_name("a.jpg", folder="b", taken=["a.jpg"]) == "b/a.jpg"
    assert free_name("a.jpg", folder="b", taken=["a.jpg", "b/a.jpg"]) == "b/a-2.jpg"
    assert free_name("a", folder="", taken=["a", "a-2"]) == "a-3"


@given(st.text())
def test_any_stem_is_a_plain_file_name(stem):
    """No separator, no leading dot, short enough with an extension behind it."""
    safe = safe_stem(stem)

    assert safe
    assert "/" not in safe
    assert "\0" not in safe
    assert not safe.startswith(".")
    assert len(safe.encode()) <= 120


def test_stems_stay_readable():
    """Letters of any script."""
    assert safe_stem("2-text-to-speech") == "2-text-to-speech"
    assert safe_stem("../../etc/passwd") == "etc-passwd"
    assert safe_stem("Größe 日本 हिन्दी") == "Größe-日本-हिन्दी"
    assert safe_stem("///") == "result"
