"""Words and files apart, however they are typed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from dragoman.cli.dragged import dragged
from dragoman.cli.terminal import Terminal
from dragoman.cli.words import Asked, asked
from dragoman.errors import UsageError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a few files."""
    monkeypatch.chdir(tmp_path)
    for name in ("cat.png", "dog.png", "my photo.png"):
        (tmp_path / name).touch()
    return tmp_path


def read(*typed: str, stdin: str = "") -> Asked:
    return asked(typed, command="ask", terminal=Terminal(stdin=io.StringIO(stdin)))


@pytest.mark.parametrize(
    ("typed", "words", "files"),
    [
        (("What is it?", "cat.png"), "What is it?", ["cat.png"]),
        (("cat.png", "dog.png", "What is it?"), "What is it?", ["cat.png", "dog.png"]),
        (("dog.png", "Which is bigger?", "cat.png"), "Which is bigger?", ["dog.png", "cat.png"]),
        (("What is it?", "my photo.png"), "What is it?", ["my photo.png"]),
        (("What is it?", "gone.jpg"), "What is it?", ["gone.jpg"]),
        (("What is it?", "./gone"), "What is it?", ["./gone"]),
        (("What is it?", "https://host.example/a.png"), "What is it?", ["https://host.example/a.png"]),
        (("what", "is", "in", "cat.png"), "what is in cat.png", ["cat.png"]),
        (("read", "cat.png", "aloud"), "read cat.png aloud", ["cat.png"]),
        (("describe", "cat.png"), "describe", ["cat.png"]),
        (("what", "is", "e.g.", "this"), "what is e.g. this", []),
        (("Hello",), "Hello", []),
        (("What is in cat.png?",), "What is in cat.png?", []),
    ],
)
def test_words_and_files_are_told_apart(typed: tuple[str, ...], words: str, files: list[str]):
    """What exists is a file; beside quoted words, so is what looks like one."""
    assert read(*typed) == Asked(words=words, files=files)


def test_standard_input_joins_the_words():
    """`-` anywhere."""
    assert read("-", "cat.png", stdin=" What is it? \n") == Asked(words="What is it?", files=["cat.png"])
    assert read("Shorten:", "-", stdin="A tale.") == Asked(words="Shorten:\n\nA tale.", files=[])
    with pytest.raises(UsageError, match="got no words"):
        read("-", stdin="  \n")


def test_bytes_on_standard_input_are_refused():
    """A picture piped in where words are wanted."""
    stdin = io.TextIOWrapper(io.BytesIO(b"\x89PNG\xff"), encoding="utf-8")

    with pytest.raises(UsageError, match="no UTF-8 text"):
        asked(["-"], command="ask", terminal=Terminal(stdin=stdin))


def test_dragged_files_are_found_in_a_line(folder: Path):
    """Quoted, escaped, as a URI; what is not there stays as it was typed."""
    photo = f"{folder}/my photo.png"
    escaped, uri = photo.replace(" ", "\\ "), "file://" + photo.replace(" ", "%20")

    assert dragged(f"what is in '{photo}' ?") == ("what is in my photo.png ?", [photo])
    assert dragged(f"{escaped} {folder}/cat.png") == ("", [photo, f"{folder}/cat.png"])
    assert dragged(f"compare {uri} with {folder}/cat.png") == (
        "compare my photo.png with cat.png",
        [photo, f"{folder}/cat.png"],
    )
    assert dragged("is 3/4 more than /no/such/file.png") == ("is 3/4 more than /no/such/file.png", [])
