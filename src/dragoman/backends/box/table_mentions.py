"""What of a table the words of a question name: columns by their names, rows by what their cells say. Pure Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.backends.box.columns import Column, Rows
from dragoman.backends.box.table_words import CUES, SMALL, Word, name_stems, words_of

LONGEST_VALUE = 8  # words
MOST_PART_CELLS = 50  # that a single word may stand in and still name them
SHORTEST_PART, SHORTEST_STEM = 3, 4  # letters
Cells = dict[tuple[str, ...], list[tuple[Column, str]]]  # by the words of a cell


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """Words `start` to `end` of the question name a column, or where `cells` are given these cells of it."""

    column: Column
    start: int
    end: int
    cells: frozenset[str] = frozenset()


def named_values(words: Sequence[Word], columns: Sequence[Column], rows: Rows) -> list[Mention]:
    """The cells that the question names, the longest first, in order of the question. Numbers are not looked for."""
    wanted = [column for column in columns if column.role not in ("number", "date", "empty")]
    known: Cells = defaultdict(list)
    parts: defaultdict[str, list[tuple[Column, str]]] = defaultdict(list)
    asked = {word.stem for word in words}
    peoples = {word.low[:SHORTEST_STEM]: word.stem for word in words[1:] if word.text[:1].isupper()}
    for column in wanted:
        for cell in {row[column.place] for row in rows}:
            stems = tuple(word.stem for word in words_of(cell))
            people = len(stems) == 1 and peoples.get(stems[0][:SHORTEST_STEM])
            if people and _is_people(people, stems[0]):
                known[people,].append((column, cell))
            if stems and asked.intersection(stems):
                known[stems].append((column, cell))
                for each in set(stems):
                    parts[each].append((column, cell))
    columns_say = frozenset().union(*(name_stems(column.name) for column in columns))
    whole = _whole(words, known, columns_say)
    return whole or _partial(words, parts, columns_say)


def _is_people(word: str, place: str) -> bool:
    """Whether a word such as `african` or `italian` is made of the name of a place."""
    shared = next(
        (at for at, (a, b) in enumerate(zip(word, place, strict=False)) if a != b), min(len(word), len(place))
    )
    is_made = word.endswith(("an", "ese", "ish")) and word != place
    return is_made and shared >= SHORTEST_STEM and shared >= 0.5 * len(word) and len(place) - shared <= 2


def _whole(words: Sequence[Word], known: Cells, columns_say: frozenset[str]) -> list[Mention]:
    found: list[Mention] = []
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + LONGEST_VALUE), at, -1):
            held = known.get(tuple(word.stem for word in words[at:end]))
            if held and _is_meant(words[at:end], [cell for _, cell in held], columns_say):
                column = held[0][0]
                cells = frozenset(cell for each, cell in held if each.place == column.place)
                found.append(Mention(column=column, start=at, end=end, cells=cells))
                at = end - 1
                break
        at += 1
    return found


def _is_meant(words: Sequence[Word], cells: Sequence[str], columns_say: frozenset[str]) -> bool:
    """Whether these words stand for a cell: small words and names of columns only if written just like it."""
    is_plain = all(word.low in SMALL | CUES or word.stem in columns_say for word in words)
    return not is_plain or (" ".join(word.text for word in words) in cells and words[0].text != words[0].low)


def _partial(
    words: Sequence[Word], parts: dict[str, list[tuple[Column, str]]], columns_say: frozenset[str]
) -> list[Mention]:
    """Single words that stand inside a few cells: `Anna` for `Anna Berg`."""
    found: list[Mention] = []
    for at, word in enumerate(words):
        held = parts.get(word.stem, [])
        is_small = word.low in SMALL | CUES or word.stem in columns_say or len(word.low) < SHORTEST_PART
        if held and not is_small and len(held) <= MOST_PART_CELLS:
            column = held[0][0]
            cells = frozenset(cell for each, cell in held if each.place == column.place)
            found.append(Mention(column=column, start=at, end=at + 1, cells=cells))
    return found


def named_columns(words: Sequence[Word], columns: Sequence[Column], taken: set[int]) -> list[Mention]:
    """The columns that the question names, in its order. taken: places of words that name something else."""
    found: list[Mention] = []
    free = {at for at in range(len(words)) if at not in taken}
    for column in sorted(columns, key=lambda each: -len(name_stems(each.name))):
        stems = name_stems(column.name)
        places = [at for at in sorted(free) if words[at].stem in stems]
        if stems <= {words[at].stem for at in places}:
            places = places[: len(stems)]
            found.append(Mention(column=column, start=places[0], end=places[-1] + 1))
            free -= set(places)
    found += _by_part(words, columns, found, free)
    return sorted(found, key=lambda mention: mention.start)


def _by_part(
    words: Sequence[Word], columns: Sequence[Column], found: Sequence[Mention], free: set[int]
) -> list[Mention]:
    """Columns of which one telling word is named, if it tells them from all others: `sales` for `sales 2020`."""
    named = {mention.column.place for mention in found}
    left = [column for column in columns if column.place not in named and column.role != "id"]
    more: list[Mention] = []
    for at in sorted(free):
        holders = [column for column in left if words[at].stem in name_stems(column.name)]
        if len(holders) == 1 and words[at].low not in SMALL | CUES and holders[0] not in [m.column for m in more]:
            more.append(Mention(column=holders[0], start=at, end=at + 1))
    return more
