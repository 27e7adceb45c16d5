"""What stands beside the options of `ask` and `plan`: the request in words, and the files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.cli.terminal import Terminal
from dragoman.errors import UsageError

__all__ = ["Asked", "asked", "checked"]

MOST_CHARS = 50_000
_URL = re.compile(r"(https?|file)://\S+|data:[\w.+-]+/[\w.+-]+[;,]\S*", re.IGNORECASE)
_FILE_LIKE = re.compile(r"(~|\.{1,2})?/\S+|\S+\.[A-Za-z][A-Za-z0-9]{1,4}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A request as it was typed."""

    words: str
    files: list[str]


def asked(typed: Sequence[str], *, command: str, terminal: Terminal) -> Asked:
    """The words and the files among what was typed, wherever each stands; `-` is standard input.

    A URL and what exists on disk are files. Where the words came in quotes, so is what only looks like a file, which
    will then be missed by name. Words without quotes are joined, and the files among them stay named in them.
    Raises `UsageError` if there are no words, or too many.
    """
    has_quoted = any(" " in word.strip() for word in typed)
    files = [word for word in typed if word != "-" and _is_file(word, has_quoted=has_quoted)]
    others = [word for word in typed if word not in files and word != "-"]
    is_loose = len(others) > 1
    parts = [word for word in typed if word != "-" and (is_loose or word not in files)]
    text = _readable(" ".join(parts)) if others else ""
    if "-" in typed:
        text = "\n\n".join(part for part in (text, _read_all(terminal)) if part)
    return Asked(words=checked(text.strip(), command=command, files=files), files=files)


def _readable(text: str) -> str:
    """Bytes of the command line that the locale could not read, read as UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_file(word: str, *, has_quoted: bool) -> bool:
    if not word.strip():
        return False
    if _URL.fullmatch(word):
        return True
    try:
        if Path(word).expanduser().exists():
            return True
    except (OSError, ValueError, RuntimeError):
        return False
    return has_quoted and _FILE_LIKE.fullmatch(word) is not None


def _read_all(terminal: Terminal) -> str:
    try:
        return terminal.stdin.read(MOST_CHARS * 2).strip()
    except UnicodeDecodeError as error:
        raise UsageError(
            "wanted words on standard input; what came is no UTF-8 text.", helps="name the file on the command line"
        ) from error


def checked(words: str, *, command: str, files: Sequence[str]) -> str:
    """`words`, if there are some and not too many. Raises `UsageError`."""
    if not words:
        example = files[0] if files else "photo.jpg"
        says = f"`{command}` got files and no words" if files else f"`{command}` got no words"
        raise UsageError(f"{says}.", helps=f'say what is to be done: dragoman {command} "What is in it?" {example}')
    if len(words) > MOST_CHARS:
        raise UsageError(
            f"the request has {len(words):,} characters; up to {MOST_CHARS:,} are read.",
            helps="put the long text into a file and hand that over: "
            f'dragoman {command} "Summarize it in three sentences" article.txt',
        )
    return words
