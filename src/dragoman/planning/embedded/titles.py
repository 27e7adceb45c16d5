"""The tasks' own names and aliases in running words: `speech recognition`, `OCR`, `canny-text-to-image`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from dragoman.planning.embedded.lexicon import lexicon
from dragoman.tasks import ALIASES, SPECS

_STRONG, _SHORT, _COMMON = 2.0, 1.6, 0.7


@lru_cache(maxsize=1)
def _titles() -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """By first word: (the words of the name, the task)."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for task in SPECS:
        for name in (task, *ALIASES.get(task, ())):
            parts = tuple(name.split("-"))
            if len(parts) > 1 or not lexicon("en").symbols(name):
                table.setdefault(parts[0], []).append((parts, task))
    return {first: tuple(rows) for first, rows in table.items()}


def names_at(lows: Sequence[str], at: int) -> Iterator[tuple[int, str]]:
    """The longest task name that begins at position `at`, as (how many words, task)."""
    rows = [
        (len(parts), task) for parts, task in _titles().get(lows[at], ()) if tuple(lows[at : at + len(parts)]) == parts
    ]
    if rows:
        longest = max(length for length, _ in rows)
        yield from ((length, task) for length, task in rows if length == longest)


def weight(length: int, word: str) -> float:
    """How sure a name of so many words is: `ocr` and `text classification` are, `detection` hardly."""
    if length > 1:
        return _STRONG
    return _SHORT if len(word) <= 5 or any(letter.isdigit() for letter in word) else _COMMON
