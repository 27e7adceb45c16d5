"""Text is read in the encodings that files come in, and known from what is no text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import MediaError
from dragoman.media import read_text
from dragoman.media.texts import decoded, encoding_of, encoding_of_file, looks_like_text

words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1)


@given(words)
def test_any_text_in_utf8_is_read_back(text):
    """With and without a byte order mark, and as UTF-16 and UTF-32 with one."""
    for codec in ("utf-8-sig", "utf-16", "utf-32"):
        assert decoded(text.encode(codec)) == text.removeprefix("\ufeff") or text.startswith("\ufeff")
        assert looks_like_text(text.encode(codec))
    assert looks_like_text(text.encode())


@given(st.text("abcdefgh ijklm,.äöüßéè", min_size=4))
def test_western_text_without_a_mark_is_read_back(text):
    """UTF-16 in both orders; Windows-1252 wherever it isn't UTF-8 by chance."""
    for codec in ("utf-16-le", "utf-16-be"):
        assert decoded(text.encode(codec)) == text
    payload = text.encode("cp1252")
    if encoding_of(payload) == "cp1252":
        assert decoded(payload) == text


@given(st.binary())
def test_any_bytes_decode_to_something(payload):
    """Nothing raises."""
    assert isinstance(decoded(payload), str)


def test_a_last_letter_of_windows_1252_is_kept(tmp_path):
    """`café` ends in what could begin a character of UTF-8."""
    (tmp_path / "a.txt").write_bytes("café".encode("cp1252"))

    assert read_text(tmp_path / "a.txt") == "café"
    assert encoding_of_file(tmp_path / "a.txt") == "cp1252"


def test_line_ends_become_newlines(tmp_path):
    """Of Windows and of old Macs."""
    (tmp_path / "a.txt").write_bytes(b"one\r\ntwo\rthree\n")

    assert read_text(tmp_path / "a.txt") == "one\ntwo\nthree\n"


def test_a_letter_that_is_cut_in_two_by_a_piece_is_whole(tmp_path):
    """A file is looked through in pieces of a megabyte."""
    (tmp_path / "a.txt").write_bytes(b"a" + "é".encode() * (1 << 19) + b"!")

    assert encoding_of_file(tmp_path / "a.txt") == "utf-8"


def test_pictures_and_noise_are_no_text():
    """Control characters give them away; colours of a terminal don't."""
    assert not looks_like_text(b"\x89PNG\r\n\x1a\n\0\0")
    assert not looks_like_text(bytes(range(1, 30)))
    assert looks_like_text(b"\x1b[31mred\x1b[0m")


def test_a_text_beyond_the_bound_names_the_rule(tmp_path):
    """Six million bytes where five are taken."""
    (tmp_path / "a.txt").write_bytes(b"x" * 6_000_000)

    with pytest.raises(MediaError, match=r"`a.txt` has 6,000,000 bytes of text; at most 5,000,000 are taken"):
        read_text(tmp_path / "a.txt")
