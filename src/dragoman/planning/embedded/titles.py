"""The tasks' own names and aliases in running words: `speech recognition`, `OCR`, `canny-text-to-image`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from dragoman.planning.embedded.lexicon import lexicon
from dragoman.tasks import ALIASES, SPECS

_STRONG, _SHORT, _COMMON = 2.0, 1.6, 0.7


@cache
def _titles() -> Mapping[str, list[tuple[list[str], str]]]:
    """By first word: (the words of the name, the task)."""
    table: dict[str, list[tuple[list[str], str]]] = {}
    for task in SPECS:
        for name in (task, *ALIASES.get(task, ())):
            parts = name.split("-")
            if len(parts) > 1 or not lexicon("en").symbols(name):
                table.setdefault(parts[0], []).append((parts, task))
    return table


def names_at(lows: Sequence[str], at: int) -> list[tuple[int, str]]:
    """The longest task names that begin at position `at`, as (how many words, task)."""
    rows = [(len(p), task) for p, task in _titles().get(lows[at], ()) if list(lows[at : at + len(p)]) == p]
    longest = max((length for length, _ in rows), default=0)
    return [(length, task) for length, task in rows if length == longest]


def weight(length: int, word: str) -> float:
    """How sure a name of so many words is: `ocr` and `text classification` are, `detection` hardly."""
    if length > 1:
        return _STRONG
    return _SHORT if len(word) <= 5 or any(letter.isdigit() for letter in word) else _COMMON
