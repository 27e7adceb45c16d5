"""The answer to a query over a table: a sentence that says how it was understood, and the cells under it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean, median

from dragoman.backends.box.cells import is_nothing
from dragoman.backends.box.columns import Column, Rows
from dragoman.backends.box.table_queries import Query
from dragoman.backends.box.table_words import unit_of
from dragoman.values import Json

MOST_SHOWN = 20
MOST_CELLS = 200
Place = tuple[int, Column]  # a row, from 0, and a column


def answer_of(query: Query, rows: Rows) -> tuple[str, list[Json]]:
    """The sentence, and `[{row, column, value}]`: rows count from 1 without the header, values as they stand."""
    kept = [at for at, row in enumerate(rows) if all(condition.holds(row) for condition in query.conditions)]
    answers = {
        "count": _count, "distinct": _distinct, "sum": _aggregate, "mean": _aggregate, "median": _aggregate,
        "extreme": _extreme, "which": _which, "commonest": _commonest, "whether": _whether,
        "look": _look, "list": _list,
    }  # fmt: skip
    if not kept and query.act not in ("count", "whether"):
        return f"There is no row{_where(query)}.", []
    says, places = answers[query.act](query, rows, kept)
    cells: list[Json] = [
        {"row": at + 1, "column": column.name, "value": rows[at][column.place]} for at, column in places[:MOST_CELLS]
    ]
    return says, cells


Told = tuple[str, list[Place]]


def _count(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    if query.group:
        groups = _groups(rows, kept, query.group)
        listed = [f"{name}: {len(members)}" for name, members in groups.items()]
        return f"Rows per {query.group.name}{_where(query)}: {_shown(listed)}.", [(at, query.group) for at in kept]
    what = "1 row" if len(kept) == 1 else f"{len(kept):,} rows"
    shown = (
        f": {_shown([_label(query, rows, at) for at in kept])}"
        if query.conditions and 0 < len(kept) <= MOST_SHOWN
        else ""
    )
    return f"{what}{_where(query)}{shown}.", [(at, query.label) for at in kept]


def _distinct(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    (column,) = query.columns
    first: dict[str, int] = {}
    for at in kept:
        cell = rows[at][column.place].strip()
        if not is_nothing(cell):
            first.setdefault(cell, at)
    what = f"{len(first):,} different {'value' if len(first) == 1 else 'values'} in `{column.name}`"
    return f"{what}{_where(query)}: {_shown(list(first))}.", [(at, column) for at in first.values()]


def _aggregate(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    (column,) = query.columns
    names = {"sum": "sum", "mean": "average", "median": "median"}
    name = names[query.act]
    if query.group:
        groups = _groups(rows, kept, query.group)
        figures = [(each, _figure(query.act, column, rows, members)) for each, members in groups.items()]
        listed = [f"{each}: {_number(figure, column)}" for each, figure in figures if figure is not None]
        return f"The {name} of `{column.name}` per {query.group.name}{_where(query)}: {_shown(listed)}.", _places(
            column, rows, kept
        )
    figure = _figure(query.act, column, rows, kept)
    if figure is None:
        return f"`{column.name}` holds no number{_where(query)}.", []
    places = _places(column, rows, kept)
    count = "1 row" if len(places) == 1 else f"{len(places):,} rows"
    return f"The {name} of `{column.name}` over {count}{_where(query)} is {_number(figure, column)}.", places


def _extreme(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    (column,) = query.columns
    ranked = _ranked(query, column, rows, kept)
    if not ranked:
        return f"`{column.name}` holds no number{_where(query)}.", []
    best = ranked[: query.top]
    end = _end(query, column)
    if query.top > 1:
        listed = [f"{_cell(rows, at, column)} ({_label(query, rows, at)})" for at in best]
        return f"The {query.top} {end} in `{column.name}`{_where(query)}: {_shown(listed)}.", [
            (at, column) for at in best
        ]
    same = _same(column, rows, ranked)
    names = _shown([_label(query, rows, at) for at in same])
    return f"The {end} `{column.name}`{_where(query)} is {_cell(rows, best[0], column)} ({names}).", [
        (at, column) for at in same
    ]


def _which(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    (column,) = query.columns
    if query.group:
        return _which_group(query, column, rows, kept)
    ranked = _ranked(query, column, rows, kept)
    if not ranked:
        return f"`{column.name}` holds no number{_where(query)}.", []
    best = ranked[: query.top] if query.top > 1 else _same(column, rows, ranked)
    listed = [f"{_label(query, rows, at)} ({column.name}: {_cell(rows, at, column)})" for at in best]
    places = [place for at in best for place in ((at, query.label), (at, column))]
    return f"{_shown(listed)}: the {_end(query, column)} `{column.name}`{_where(query)}.", places


def _which_group(query: Query, column: Column, rows: Rows, kept: Sequence[int]) -> Told:
    assert query.group
    groups = _groups(rows, kept, query.group)
    figures = {name: _figure(query.of_group, column, rows, members) for name, members in groups.items()}
    known = sorted(
        ((figure, name) for name, figure in figures.items() if figure is not None),
        key=lambda each: -query.direction * each[0],
    )
    how = "average" if query.of_group == "mean" else "total"
    listed = [f"{name} ({how} {column.name}: {_number(figure, column)})" for figure, name in known[: query.top]]
    members = [at for _, name in known[: query.top] for at in groups[name]]
    return f"{_shown(listed)}: the {_end(query, column)} {how} `{column.name}`{_where(query)}.", _places(
        column, rows, members
    )


def _commonest(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    groups = _groups(rows, kept, query.label)
    ranked = sorted(groups, key=lambda name: -query.direction * len(groups[name]))
    if query.top == 1:
        ranked = [name for name in ranked if len(groups[name]) == len(groups[ranked[0]])]
    best = ranked[: query.top] if query.top > 1 else ranked
    listed = [f"{name} ({len(groups[name]):,} {'row' if len(groups[name]) == 1 else 'rows'})" for name in best]
    end = "most" if query.direction > 0 else "least"
    return f"{_shown(listed)}: the {end} frequent `{query.label.name}`{_where(query)}.", [
        (groups[name][0], query.label) for name in best
    ]


def _whether(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    if not kept:
        return f"No: there is no row{_where(query)}.", []
    what = "1 row" if len(kept) == 1 else f"{len(kept):,} rows"
    listed = _shown([_label(query, rows, at) for at in kept])
    return f"Yes: {what} {_where(query).strip()} ({listed}).", [(at, query.label) for at in kept]


def _look(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    places = [(at, column) for at in kept for column in query.columns]
    if len(kept) == len(query.columns) == 1:
        (column,) = query.columns
        says = f"{_cell(rows, kept[0], column)} (`{column.name}` of {_label(query, rows, kept[0])})."
        return says, places
    named = len(query.columns) > 1
    listed = [
        f"{_label(query, rows, at)}: "
        + ", ".join(
            f"{column.name} {_cell(rows, at, column)}" if named else _cell(rows, at, column) for column in query.columns
        )
        for at in kept
    ]
    return _shown(listed, separator="; ") + ".", places


def _list(query: Query, rows: Rows, kept: Sequence[int]) -> Told:
    names = list(dict.fromkeys(_label(query, rows, at) for at in kept))
    where = _where(query)
    lead = f"{len(names):,}{where}: " if where else ""
    return f"{lead}{_shown(names)}.", [(at, query.label) for at in kept]


def _figure(act: str, column: Column, rows: Rows, members: Sequence[int]) -> float | None:
    numbers = [number for at in members if not math.isnan(number := column.value(rows[at][column.place]))]
    if not numbers:
        return None
    return {"sum": math.fsum, "mean": fmean, "median": median}[act](numbers)


def _ranked(query: Query, column: Column, rows: Rows, kept: Sequence[int]) -> list[int]:
    """The rows that hold a number there, the wanted end first; equal ones in their order."""
    values = {at: column.value(rows[at][column.place]) for at in kept}
    return sorted((at for at in kept if not math.isnan(values[at])), key=lambda at: -query.direction * values[at])


def _same(column: Column, rows: Rows, ranked: Sequence[int]) -> list[int]:
    """The first of the ranked rows, and those that are level with it."""
    best = column.value(rows[ranked[0]][column.place])
    return [at for at in ranked if column.value(rows[at][column.place]) == best]


def _groups(rows: Rows, kept: Sequence[int], by: Column) -> dict[str, list[int]]:
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for at in kept:
        groups[rows[at][by.place].strip() or "(empty)"].append(at)
    return groups


def _places(column: Column, rows: Rows, kept: Sequence[int]) -> list[Place]:
    return [(at, column) for at in kept if not math.isnan(column.value(rows[at][column.place]))]


def _label(query: Query, rows: Rows, at: int) -> str:
    return rows[at][query.label.place].strip() or f"row {at + 1}"


def _cell(rows: Rows, at: int, column: Column) -> str:
    """The cell as it stands, with the unit that the column's name gives it."""
    cell, unit = rows[at][column.place].strip(), unit_of(column.name)
    return f"{cell or 'empty'} {unit}".strip() if cell and unit else cell or "empty"


def _number(figure: float, column: Column) -> str:
    """A figure as the column writes its numbers."""
    text = (
        f"{figure:.10g}"
        if figure % 1 == 0 and abs(figure) < 10**10
        else f"{figure:.6g}"
        if abs(figure) < 10**6
        else f"{figure:.2f}"
    )
    before, after = column.affix
    return f"{before}{text.replace('.', column.mark)} {after or unit_of(column.name)}".strip()


def _where(query: Query) -> str:
    return f" where {_conditions(query)}" if query.conditions else ""


def _conditions(query: Query) -> str:
    return " and ".join(f"`{condition.column.name}` {condition.says}" for condition in query.conditions)


def _end(query: Query, column: Column) -> str:
    if column.dates:
        return "latest" if query.direction > 0 else "earliest"
    return "highest" if query.direction > 0 else "lowest"


def _shown(names: Sequence[str], *, separator: str = ", ") -> str:
    more = len(names) - MOST_SHOWN
    return separator.join(names[:MOST_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
