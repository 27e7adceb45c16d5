"""The column to predict: whether it suits the task, and what it says in each row. Pure Python."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dragoman.backends.box.cells import is_nothing
from dragoman.backends.box.columns import LEAST_REPEATS, MOST_CLASSES, Column, Rows
from dragoman.errors import ExpertError

LEAST_ROWS = 5  # with a value: fewer show nothing that could be checked
MOST_NUMBER_CLASSES = 20  # different numbers that can still be meant as classes: grades, stars, counts of cylinders


def class_cells(column: Column, rows: Rows) -> list[str]:
    """The class of each row, "" where there is none. Raises `ExpertError` for a column that holds no classes."""
    if (column.is_amount or column.dates) and column.role != "constant" and not _repeats(column, rows):
        kind = "dates" if column.dates else "numbers"
        raise ExpertError(
            f"`{column.name}` holds {kind} with {column.distinct:,} different values, not classes.",
            helps=_instead(column, "tabular-regression") if kind == "numbers" else "Name a column of classes.",
        )
    if column.role in ("text", "id"):
        raise ExpertError(
            f"`{column.name}` says something else in nearly every row, so that there are no classes to learn.",
            helps="Name a column whose words come again.",
        )
    cells = [row[column.place].strip() for row in rows]
    cells = ["" if is_nothing(cell) else cell for cell in cells]
    classes = sorted(set(cells) - {""})
    _refuse_few(column, sum(cell != "" for cell in cells))
    if len(classes) < 2:
        raise ExpertError(
            f"`{column.name}` says `{classes[0]}` in every row; learning to tell classes apart takes at least two."
        )
    if len(classes) > MOST_CLASSES:
        raise ExpertError(f"`{column.name}` has {len(classes):,} classes; at most {MOST_CLASSES} are learnt.")
    return cells


def number_cells_of(column: Column, rows: Rows) -> list[float]:
    """The number of each row, NaN where there is none. Raises `ExpertError` for a column that holds no numbers."""
    if column.role in ("class", "text", "date") or (
        column.role == "constant" and math.isnan(column.values(rows[:1])[0])
    ):
        example = next((cell for row in rows if not is_nothing(cell := row[column.place].strip())), "")[:40]
        kind = "dates" if column.dates else "words"
        raise ExpertError(
            f"`{column.name}` holds {kind} such as `{example}`, not numbers.",
            helps=_instead(column, "tabular-classification") if column.role == "class" else "Name a column of numbers.",
        )
    numbers = column.values(rows)
    _refuse_few(column, sum(not math.isnan(number) for number in numbers))
    if len({number for number in numbers if not math.isnan(number)}) < 2:
        raise ExpertError(f"`{column.name}` holds the same number in every row; there is nothing to learn.")
    return numbers


def _repeats(column: Column, rows: Rows) -> bool:
    return column.distinct <= MOST_NUMBER_CLASSES and column.distinct * LEAST_REPEATS <= len(rows)


def _refuse_few(column: Column, known: int) -> None:
    if known < LEAST_ROWS:
        count = {0: "no row", 1: "one row"}.get(known, f"{known} rows")
        raise ExpertError(
            f"`{column.name}` has a value in {count}; learning to predict it takes at least {LEAST_ROWS}."
        )


def _instead(column: Column, task: str) -> str:
    kind = "number" if task == "tabular-regression" else "class"
    return f"Ask for `{column.name}` as a {kind}: that is {task}."


def inputs_of(columns: Sequence[Column], target: Column) -> tuple[list[Column], list[dict[str, str]]]:
    """The columns to learn from, and those left out with the reason. Raises `ExpertError` if none is left."""
    reasons = {
        "id": "another value in every row: it names the row",
        "text": "words that hardly come again",
        "constant": "the same value in every row",
        "empty": "no values",
    }
    others = [column for column in columns if column.place != target.place]
    dropped = [{"column": each.name, "why": reasons[each.role]} for each in others if each.role in reasons]
    used = [each for each in others if each.role not in reasons]
    if not used:
        says = "; ".join(f"`{each['column']}` has {each['why']}" for each in dropped) or "the table has no other column"
        raise ExpertError(f"there is nothing to predict `{target.name}` from: {says}.")
    return used, dropped
