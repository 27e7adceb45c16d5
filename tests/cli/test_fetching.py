"""`dragoman models fetch` and `dragoman sample`."""

from __future__ import annotations

from typing import Any

import pytest

from dragoman.errors import FetchError
from dragoman.models.samples import sample, samples
from dragoman.testing import FakeBackend, words


def large(needs_bytes: int = 900_000_000) -> FakeBackend:
    return FakeBackend({"summarization": lambda call: words("x")}, needs_bytes=needs_bytes)


def test_an_expert_that_is_named_is_fetched(cli: Any):
    """However large: naming it is leave enough. Standard output stays empty."""
    cli.backend = large()
    ran = cli("models", "fetch", "fake-summarization")

    assert ran.code == 0
    assert cli.backend.fetched == ["fake-summarization"]
    assert "900 MB, licence Apache-2.0" in ran.err
    assert ran.out == ""


def test_all_of_much_needs_leave(cli: Any):
    """Nobody can be asked: exit 1 and the option; with it they come."""
    cli.backend = large()
    denied = cli("models", "fetch", "--all")

    assert denied.code == 1
    assert "--yes" in denied.err
    assert cli.backend.fetched == []
    assert cli("models", "fetch", "--all", "--yes").code == 0
    assert cli.backend.fetched == ["fake-summarization"]


@pytest.mark.parametrize(
    ("typed", "says"),
    [((), "wants ids, or --all"), (("fake", "--all"), "wants ids, or --all"), (("fake-sumarization",), "nearest:")],
)
def test_wrong_names_are_wrong_usage(cli: Any, typed: tuple[str, ...], says: str):
    """Nothing, both, a misspelt one."""
    ran = cli("models", "fetch", *typed)

    assert ran.code == 2
    assert says in ran.err


def test_what_can_not_be_had_is_told_and_the_rest_fetched(cli: Any):
    """Two experts, of which the first's package is gone."""

    class Half(FakeBackend):
        async def prepare(self, card: Any, *, tell: Any) -> int:
            if card.id == "fake-summarization":
                raise FetchError("its package is gone")
            return await super().prepare(card, tell=tell)

    cli.backend = Half(
        {"summarization": lambda call: words("x"), "translation": lambda call: words("x")}, needs_bytes=9
    )
    ran = cli("models", "fetch", "--all")

    assert ran.code == 1
    assert "its package is gone" in ran.err
    assert cli.backend.fetched == ["fake-translation"]


def test_samples_are_listed_with_their_licences(cli: Any, is_golden: Any):
    """Every row is a file that a hash names."""
    rows = cli("sample", "--list", "--json").json

    is_golden("sample", rows[:1])
    assert {row["kind"] for row in rows} == {"image", "audio", "video"}
    assert all(len(one.file.sha256) == 64 and one.file.bytes and one.file.license for one in samples())
    assert len({one.name for one in samples()}) == len(rows)
    assert "tabby cat" in cli("sample", "--list").out


def test_a_sample_is_asked_for_by_name(cli: Any):
    """None, a wrong one, one that is not here while downloads are off."""
    assert "wants a name" in cli("sample").err
    assert "nearest: `coffee`" in cli("sample", "cofee").err
    ran = cli("sample", "cat", "--offline")

    assert ran.code == 1
    assert ran.out == ""
    assert "sample-cat" in ran.err


@pytest.mark.box
def test_a_fetched_sample_is_a_path(cli: Any, box_home: Any, monkeypatch: Any):
    """And nothing else is printed, so that `$(dragoman sample cat)` works."""
    monkeypatch.setenv("DRAGOMAN_HOME", str(box_home))
    ran = cli("sample", "cat", "--offline")

    assert ran.code == 0
    assert ran.out == f"{box_home / 'models' / 'sample-cat' / 'cat.png'}\n"
    assert sample("cat").file.bytes == (box_home / "models" / "sample-cat" / "cat.png").stat().st_size
