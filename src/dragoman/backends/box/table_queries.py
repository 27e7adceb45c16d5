"""A question to a table as a query: what to do, with which columns, for which rows. Pure Python, rules over words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from dragoman.backends.box.columns import Column, Rows
from dragoman.backends.box.table_conditions import Condition
from dragoman.backends.box.table_reading import Near, Reading, is_numeric
from dragoman.backends.box.table_words import (
    COMMON,
    DIFFERENT,
    LEAST,
    MEANS,
    MOST,
    SUMS,
    Word,
    degree_of,
    measure_of,
)
from dragoman.errors import ExpertError

Act = Literal["count", "distinct", "sum", "mean", "median", "extreme", "which", "commonest", "whether", "look", "list"]

CAN = (
    "It can count rows, add up or average a column, find the highest and the lowest, look up a cell by its row and "
    "column, list rows where a column is, exceeds or is under a value, and do so per group."
)
SURELY_NEAR = 0.6
REPEATS = 0.7  # of the rows have another label: fewer make labels groups
_BIRTH = re.compile(r"(?i)born|birth|built|found|establish|since|start|year|date")
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_NUMBER = rf"(\d{{1,3}}|{'|'.join(_NUMBERS)})"
_TOP = re.compile(rf"\b(?:{_NUMBER} (?:most|least|\w+est|best)|(?:top|first|best|\w+est) {_NUMBER})\b")
_PER = re.compile(r"\b(?:per|by|for each|in each|of each|for every|in every)\s+(?:the\s+)?(?=\w)")
_WHETHER = re.compile(r"^(is|are|was|were|does|do|did|has|have|can)\b")
_WHICH = re.compile(r"\b(which|who|whose|where|whom)\b|^(name|show|list|give)\b")
_ALL = re.compile(r"\b(all|list|every|values?)\b")
_WHAT = re.compile(r"\b(what|how|when|much)\b")
_MANY = re.compile(r"\bhow many\b|\bnumber of\b|\bcount(?: of)?\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """What a question asks.

    columns: whose cells matter; none where rows do. label: what names rows. group: one result for each of its values,
    made by `of_group`. direction: 1 for the highest, -1 for the lowest. top: how many.
    """

    act: Act
    label: Column
    columns: Sequence[Column] = ()
    conditions: Sequence[Condition] = field(default=())
    group: Column | None = None
    of_group: Literal["sum", "mean", "count"] = "sum"
    direction: int = 1
    top: int = 1


def query_of(question: str, columns: Sequence[Column], rows: Rows, *, near: Near) -> Query:
    """The query that a question comes to. Raises `ExpertError` where its words don't tell."""
    reading = Reading(question, columns, rows, near=near)
    for rule in (_extreme, _count, _aggregate, _whether, _look, _listing):
        query = rule(reading)
        if query is not None:
            return query
    names = ", ".join(f"`{column.name}`" for column in columns[:20])
    raise ExpertError(
        f"the words of “{question.strip()}” don't lead to rows or columns of this table, which has {names}.", helps=CAN
    )


def _extreme(reading: Reading) -> Query | None:
    """The highest, the lowest, and whose it is."""
    found = _superlative(reading)
    if found is None:
        return None
    word, measures, direction = found
    group = _group(reading)
    of_group = _of_group(reading)
    column = _measured(reading, word, measures)
    if column is None:
        is_counted = word.low in MOST | LEAST or bool(COMMON & {each.low for each in reading.words})
        by = group or next((each for each in reading.asked() if not is_numeric(each)), reading.label)
        if not is_counted or by.distinct >= len(reading.rows):
            raise _unclear("which column is the highest or lowest wanted of", reading)
        return Query(act="commonest", label=by, conditions=reading.conditions, direction=direction, top=_top(reading))
    if measures in ("age", "date") and _BIRTH.search(column.name) and "age" not in column.name.lower():
        direction = -direction if measures == "age" else direction
    asks_whose = _WHICH.search(reading.lower) or any(not is_numeric(each) for each in reading.asked())
    is_grouped = bool(asks_whose) and reading.label.distinct < REPEATS * len(reading.rows) and column.dates is None
    return Query(
        act="which" if asks_whose else "extreme",
        label=reading.label,
        columns=(column,),
        conditions=reading.conditions,
        group=group or (reading.label if is_grouped and of_group else None),
        of_group=of_group or "sum",
        direction=direction,
        top=_top(reading),
    )


def _superlative(reading: Reading) -> tuple[Word, str, int] | None:
    """The word that asks for an end of a scale, what it measures, and which end."""
    free = [word for word in reading.words if not any(c.start <= word.start < c.end for c in reading.compared)]
    for at, word in enumerate(free):
        following = free[at + 1] if at + 1 < len(free) else None
        if word.low in MOST | LEAST:
            direction = 1 if word.low in MOST else -1
            measures = (following and measure_of(following.low)) or ("", 1)
            return word, measures[0], direction * measures[1]
        if degree_of(word.low) == 2 and (measured := measure_of(word.low)):
            is_first_name = word.low in ("first", "last") and following and following.low in ("name", "names")
            if not is_first_name:
                return word, *measured
    return None


def _measured(reading: Reading, word: Word, measures: str) -> Column | None:
    """The column whose end is asked for: named, measured by the adjective, meant, or the only one."""
    named = [each for each in reading.named_numeric() if each.place != reading.label.place]
    if measures == "date":
        named = [each for each in named if each.dates] or named
    if named:
        return named[0]
    numeric = [column for column in reading.numeric() if column.role != "id"]
    dated = [column for column in numeric if column.dates or _BIRTH.search(column.name)]
    if measures in ("age", "date") and dated and not reading.meant(numeric, measures):
        return dated[0]
    by_measure = reading.meant(numeric, measures) if measures else None
    if by_measure or COMMON & {each.low for each in reading.words}:
        return by_measure
    noun = next((each for each in reading.words if each.start > word.start), None)
    if any(noun == reading.words[each.start] for each in reading.named):
        return None  # the most rivers: rows are counted
    return reading.meant(numeric, noun.low if noun else "") or (numeric[0] if len(numeric) == 1 else None)


def _count(reading: Reading) -> Query | None:
    """How many: rows, different values, or the amount that a cell holds."""
    match = _MANY.search(reading.lower)
    if match is None:
        return None
    make = partial(Query, label=reading.label, conditions=reading.conditions)
    group = _group(reading)
    words = {word.low for word in reading.words}
    asked = [column for column in reading.asked() if column != group]
    amounts = [column for column in asked if is_numeric(column) and column.role != "id"]
    if words & DIFFERENT:
        return make(act="distinct", columns=(asked or [reading.label])[:1])
    if amounts and not words & MEANS:
        is_row = reading.is_pinned and not group
        return make(act="look" if is_row else "sum", columns=amounts[:1], group=group)
    if words & MEANS:
        return None
    if reading.is_pinned and (meant := reading.meant([c for c in reading.numeric() if c.role != "id"])):
        return make(act="look", columns=(meant,))
    if reading.conditions and not group and (meant := reading.meant(reading.numeric(), least=SURELY_NEAR)):
        return make(act="sum", columns=(meant,))
    wordy = [column for column in asked if not is_numeric(column)]
    if wordy and wordy[0].distinct < len(reading.rows) and not group and not reading.conditions:
        return make(act="distinct", columns=wordy[:1])
    return make(act="count", group=group)


def _aggregate(reading: Reading) -> Query | None:
    """Sum, mean or median of a column."""
    words = {word.low for word in reading.words}
    act: Act | None = "median" if "median" in words else "mean" if words & MEANS else "sum" if words & SUMS else None
    if act is None:
        return None
    numeric = [column for column in reading.numeric() if column.dates is None and column.role != "id"]
    named = [column for column in reading.named_numeric() if column.dates is None]
    column = named[0] if named else reading.meant(numeric) or (numeric[0] if len(numeric) == 1 else None)
    if column is None:
        raise _unclear(f"the {act} of which column is wanted", reading)
    return Query(act=act, label=reading.label, columns=(column,), conditions=reading.conditions, group=_group(reading))


def _whether(reading: Reading) -> Query | None:
    """Yes or no: whether there are such rows."""
    if not _WHETHER.search(reading.lower) or not reading.conditions:
        return None
    return Query(act="whether", label=reading.label, conditions=reading.conditions)


def _look(reading: Reading) -> Query | None:
    """The cells of the rows that the question names."""
    if not reading.conditions:
        return None
    bound = {each.column.place for each in reading.conditions}
    named = [column for column in reading.asked() if column.place != reading.label.place]
    others = [column for column in reading.columns if column.place not in bound | {reading.label.place}]
    if reading.is_pinned:
        meant = None if named else reading.meant(others)
        columns = named or ([meant] if meant else others)
        return Query(act="look", label=reading.label, columns=columns, conditions=reading.conditions)
    asks_value = _WHAT.search(reading.lower) and not reading.asked() and not _WHICH.search(reading.lower)
    wanted = named or (_meant_one(reading, others) if asks_value else [])
    return Query(act="look" if wanted else "list", label=reading.label, columns=wanted, conditions=reading.conditions)


def _meant_one(reading: Reading, among: Sequence[Column]) -> list[Column]:
    meant = reading.meant(among)
    return [meant] if meant else []


def _listing(reading: Reading) -> Query | None:
    """Every value of a column."""
    asked = [column for column in reading.asked() if _ALL.search(reading.lower) or not is_numeric(column)]
    if not asked:
        return None
    return Query(act="list", label=asked[0], columns=asked[:1])


def _group(reading: Reading) -> Column | None:
    """The column behind `per` or `for each`."""
    word = reading.after(_PER.search(reading.lower))
    for mention in reading.named:
        if word and reading.words[mention.start].start == word.start and mention.column.distinct < len(reading.rows):
            return mention.column
    return None


def _of_group(reading: Reading) -> Literal["sum", "mean"] | None:
    words = {word.low for word in reading.words}
    if words & MEANS:
        return "mean"
    return "sum" if words & SUMS or reading.label.distinct < REPEATS * len(reading.rows) else None


def _top(reading: Reading) -> int:
    match = _TOP.search(reading.lower)
    if match is None:
        return 1
    number = match[1] or match[2]
    return max(1, _NUMBERS.get(number) or int(number))


def _unclear(what: str, reading: Reading) -> ExpertError:
    names = ", ".join(f"`{column.name}`" for column in reading.columns[:20])
    return ExpertError(f"it isn't clear {what}; the table has {names}.", helps=CAN)
