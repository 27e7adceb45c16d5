"""What the columns of a table hold: numbers, dates, classes, ids or running text, by their cells. Pure Python."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import Literal

from dragoman.backends.box.cells import (
    Mark,
    affixes_of,
    date_shape,
    day_of,
    decimal_votes,
    is_code,
    is_nothing,
    number_of,
)
from dragoman.errors import ExpertError

Role = Literal["number", "date", "class", "id", "text", "constant", "empty"]
Rows = Sequence[Sequence[str]]

LOOKED_AT = 20_000  # rows, spread over the table, that tell what a column holds
MOST_STRANGE = 0.05  # of the cells of a column of numbers or dates that are something else
MOST_CLASSES = 100
LEAST_REPEATS = 2.0  # how often a class stands there on average: fewer make it a text
FEW_ROWS = 20  # where no count of repeats says anything
_ID_NAME = re.compile(
    r"(?i:(^|[\W_])(id|uuid|guid|key|nr|no|number|index|serial|code|row)[\W_]*$)|[a-z]ID$|^(?i:id)[\W_]"
)
_NO_NAME = re.compile(r"(?i:column \d+|unnamed.*|line|seq|counter|#)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One column, `place` from 0.

    mark: its decimal mark. dates: how its dates are written. is_amount: whether it holds numbers. affix: what stands
    before and behind them. distinct: how many different values were seen. strange: a cell not of its kind, or "".
    """

    name: str
    place: int
    role: Role
    mark: Mark = "."
    dates: re.Pattern[str] | None = None
    is_amount: bool = False
    affix: tuple[str, str] = ("", "")
    distinct: int = 0
    strange: str = ""

    def value(self, cell: str) -> float:
        """The cell as a number: an amount, or days since the year 1; NaN where it says nothing."""
        return day_of(cell, self.dates) if self.dates else number_of(cell, self.mark)

    def values(self, rows: Rows) -> list[float]:
        """All its cells as numbers."""
        return [self.value(row[self.place]) for row in rows]


def read_columns(header: Sequence[str], rows: Rows) -> tuple[Column, ...]:
    """What each column holds. Where one can be read with either decimal mark, the others decide."""
    sample = _spread(rows)
    cells = [[row[place].strip() for row in sample] for place in range(len(header))]
    held = [[cell for cell in column if not is_nothing(cell)] for column in cells]
    votes = [decimal_votes(column) for column in held]
    common = _majority(sum(votes, Counter()), otherwise=".")
    return tuple(
        _column(name, place, held[place], mark=_majority(votes[place], otherwise=common), count=len(sample))
        for place, name in enumerate(header)
    )


def find_column(columns: Sequence[Column], name: str) -> Column:
    """The column of this name, in any case; the last for "". Raises `ExpertError` that names the nearest."""
    wanted = name.strip().strip("`'\"“”")
    if not wanted:
        return columns[-1]
    for key in (str.strip, _plain):
        found = [column for column in columns if key(column.name) == key(wanted)]
        if found:
            return found[0]
    names = {_plain(column.name): column.name for column in columns}
    near = get_close_matches(_plain(wanted), names, n=1, cutoff=0.0)
    listed = ", ".join(f"`{column.name}`" for column in columns[:20]) + (", …" if len(columns) > 20 else "")
    raise ExpertError(
        f"the table has no column `{wanted}`" + (f"; the nearest is `{names[near[0]]}`." if near else "."),
        helps=f"Its columns are {listed}.",
    )


def _plain(name: str) -> str:
    """A name without case, spaces and signs: `Unit price` is `unit_price`."""
    return re.sub(r"[\W_]+", "", name).casefold()


def _spread(rows: Rows) -> Rows:
    if len(rows) <= LOOKED_AT:
        return rows
    return [rows[at * len(rows) // LOOKED_AT] for at in range(LOOKED_AT)]


def _majority(votes: Counter[Mark], *, otherwise: Mark) -> Mark:
    if votes["."] == votes[","]:
        return otherwise
    return "." if votes["."] > votes[","] else ","


def _column(name: str, place: int, held: Sequence[str], *, mark: Mark, count: int) -> Column:
    """held: its cells that say something, of the `count` rows looked at."""
    distinct = len(set(held))
    if not held:
        return Column(name=name, place=place, role="empty")
    is_constant = distinct == 1 and len(held) == count > 1
    if shape := date_shape(held, share=1 - MOST_STRANGE):
        strange = next((cell for cell in held if math.isnan(day_of(cell, shape))), "")
        role: Role = "constant" if is_constant else "date"
        return Column(name=name, place=place, role=role, dates=shape, distinct=distinct, strange=strange)
    amounts = _amounts(held, mark)
    if amounts is None:
        role = "constant" if is_constant else _word_role(name, held, distinct)
        return Column(name=name, place=place, role=role, mark=mark, distinct=distinct)
    role = "id" if len(held) == count and _counts_up(amounts, name) else "number"
    return Column(
        name=name,
        place=place,
        role="constant" if is_constant else role,
        mark=mark,
        is_amount=True,
        affix=next((affix for cell in held if (affix := affixes_of(cell)) and any(affix)), ("", "")),
        distinct=len(set(amounts)),
        strange=next((cell for cell in held if math.isnan(number_of(cell, mark))), ""),
    )


def _amounts(held: Sequence[str], mark: Mark) -> list[float] | None:
    """The numbers in the cells, or None where too many hold something else: words, codes, several units."""
    amounts = [number for cell in held if not math.isnan(number := number_of(cell, mark))]
    affixes = {affix for cell in held if (affix := affixes_of(cell)) and any(affix)}
    misses = len(held) - len(amounts)
    is_number = misses <= MOST_STRANGE * len(held) and len(affixes) <= 1 and not any(map(is_code, held))
    return amounts if is_number else None


def _counts_up(numbers: Sequence[float], name: str) -> bool:
    """Whether a number only names its row: all different, and called an id, or without a name and counting up."""
    if len(numbers) < 3 or len(set(numbers)) < len(numbers) or any(number % 1 for number in numbers):
        return False
    steps = {round(after - before) for before, after in pairwise(numbers)}
    is_even = min(steps) > 0 and max(steps) - min(steps) <= 1 and (max(steps) == 1 or len(numbers) == LOOKED_AT)
    return _ID_NAME.search(name) is not None or (is_even and _NO_NAME.fullmatch(name) is not None)


def _word_role(name: str, held: Sequence[str], distinct: int) -> Role:
    is_one_each = distinct == len(held) and len(held) > 2
    if is_one_each and (_ID_NAME.search(name) or all(map(is_code, held))):
        return "id"
    if len(held) <= FEW_ROWS:
        return "text" if is_one_each and len(held) > 5 else "class"
    return "class" if distinct <= MOST_CLASSES and distinct * LEAST_REPEATS <= len(held) else "text"
