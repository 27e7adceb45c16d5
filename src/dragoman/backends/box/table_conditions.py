"""Which rows a question is about: comparisons with an amount or a date, cells that say something. Pure Python."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.backends.box.cells import DATE_SHAPES, day_of, number_of
from dragoman.backends.box.columns import Column
from dragoman.backends.box.table_units import factor
from dragoman.backends.box.table_words import measure_of, unit_of

_SCALES = {"hundred": 100, "k": 1e3, "thousand": 1e3, "million": 1e6, "bn": 1e9, "billion": 1e9}
_DATE = r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2} [a-z]{3,9} \d{4}|[a-z]{3,9} \d{1,2},? \d{4}"
_NUMBERS: dict[str, float] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_SCALE = "|".join(_SCALES)
_DIGITS = r"[-+]?[$€£¥]?\d(?:[\d.,]*\d)?"
_WORDS = "|".join(_NUMBERS)
_AMOUNT = rf"(?:(?:{_DATE}|{_DIGITS}|\b(?:{_WORDS})\b)(?:\s?(?:{_SCALE})\b)?|\ba (?:{_SCALE})\b)"
_FORMS: tuple[tuple[str, str], ...] = (
    ("between", rf"\b(?:between|from)\s+(?P<a>{_AMOUNT})\s+(?:and|to)\s+(?P<b>{_AMOUNT})"),
    (
        ">=",
        rf"\b(?:at least|no less than|not less than|minimum of|since|from)\s+(?P<a>{_AMOUNT})|>=\s*(?P<a2>{_AMOUNT})",
    ),
    (
        "<=",
        rf"\b(?:at most|no more than|not more than|up to|until|maximum of)\s+(?P<a>{_AMOUNT})|<=\s*(?P<a2>{_AMOUNT})",
    ),
    (">=", rf"\b(?P<a>{_AMOUNT})\s+(?:[a-z]+\s+)?(?:or|and)\s+(?P<word>more|over|above|older|higher|longer|later)\b"),
    (
        "<=",
        rf"\b(?P<a>{_AMOUNT})\s+(?:[a-z]+\s+)?(?:or|and)\s+(?P<word>less|fewer|under|below|younger|lower|shorter|earlier)\b",
    ),
    ("er", rf"\b(?:(?P<degree>more|less)\s+)?(?P<word>[a-z]+)\s+than\s+(?P<a>{_AMOUNT})"),
    (">", rf"\b(?:over|above|exceed(?:s|ing)?|beyond|after)\s+(?P<a>{_AMOUNT})|>\s*(?P<a2>{_AMOUNT})"),
    ("<", rf"\b(?:under|below|before)\s+(?P<a>{_AMOUNT})|<\s*(?P<a2>{_AMOUNT})"),
    ("=", rf"\b(?:exactly|equal to|equals)\s+(?P<a>{_AMOUNT})|=\s*(?P<a2>{_AMOUNT})"),
)
_MORE = {"more": 1, "greater": 1, "less": -1, "fewer": -1, "higher": 1, "lower": -1}


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """What the cells of a column must be: one of `cells`, or an amount within bounds. says: in words, `is over 10`."""

    column: Column
    says: str
    cells: frozenset[str] = frozenset()
    low: float = -math.inf
    high: float = math.inf
    is_open: bool = False
    is_not: bool = False

    def holds(self, row: Sequence[str]) -> bool:
        """Whether a row meets it."""
        cell = row[self.column.place]
        if self.cells:
            return (cell in self.cells) is not self.is_not
        value = self.column.value(cell)
        return self.low < value < self.high if self.is_open else self.low <= value <= self.high


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """A comparison before its column is known. sign: `>`, `>=`, `<`, `<=`, `=`, `between`; start, end: in the question;
    word: the adjective (`older`) or ""; unit: the word behind the amount.
    """

    sign: str
    amounts: tuple[str, ...]
    start: int
    end: int
    word: str = ""
    unit: str = ""

    def on(self, column: Column, *, is_turned: bool = False) -> Condition | None:
        """As a condition on `column`; None where the amounts don't read as its kind. is_turned: older is earlier."""
        scale = factor(self.unit, column.affix[1] or unit_of(column.name))
        if scale is None:
            return None
        bounds = [_bounds(amount, column, scale=scale) for amount in self.amounts]
        if any(math.isnan(low) for low, _ in bounds):
            return None
        (low, high), sign = (bounds[0][0], bounds[-1][1]), self.sign
        if is_turned:
            sign = sign.translate(str.maketrans("<>", "><"))
        words = {">": "is over", ">=": "is at least", "<": "is under", "<=": "is at most", "=": "is"}
        unit = f" {self.unit}" if scale != 1 else ""
        says = " and ".join(self.amounts) + unit
        if sign in ("between", "="):
            return Condition(column=column, low=low, high=high, says=f"{words.get(sign, 'is between')} {says}")
        is_open = sign in (">", "<")
        edge = {">": high, ">=": low, "<": low, "<=": high}[sign]
        low, high = (edge, math.inf) if sign[0] == ">" else (-math.inf, edge)
        return Condition(column=column, low=low, high=high, is_open=is_open, says=f"{words[sign]} {says}")


def comparisons(question: str) -> list[Comparison]:
    """The comparisons that a question makes, in its order."""
    found: list[Comparison] = []
    left = question.lower()
    for sign, form in _FORMS:
        for match in list(re.finditer(form, left)):
            given = match.groupdict()
            own = _sign(sign, given)
            amounts = tuple(given[key] for key in ("a", "a2", "b") if given.get(key))
            if not own or (sign != "between" and len(amounts) != 1):
                continue
            unit = re.match(r"\s*([a-z%°/]+\d?)", left[match.end() :])
            found.append(
                Comparison(
                    sign=own,
                    amounts=amounts,
                    start=match.start(),
                    end=match.end(),
                    word=given.get("word") or "",
                    unit=unit[1] if unit else "",
                )
            )
            left = left[: match.start()] + " " * (match.end() - match.start()) + left[match.end() :]
    return sorted(found, key=lambda each: each.start)


def _sign(sign: str, given: dict[str, str | None]) -> str:
    if sign != "er":
        return sign
    word = given["word"] or ""
    if given["degree"]:
        return ">" if given["degree"] == "more" else "<"
    direction = _MORE.get(word) or (measure_of(word) or ("", 0))[1]
    return {1: ">", -1: "<", 0: ""}[direction]


def amount_of(text: str, column: Column) -> float:
    """The amount in words such as `2.5 million`, read as the numbers of the column are; NaN for none."""
    match = re.fullmatch(rf"(?:a |(.*?)\s?)({_SCALE})?", text.strip())
    assert match is not None
    if match[1] is None:
        return _SCALES.get(match[2] or "", math.nan)
    number = _NUMBERS.get(match[1], math.nan)
    for mark in (column.mark, "."):
        number = number_of(match[1], mark) if math.isnan(number) else number
    return number * _SCALES.get(match[2] or "", 1.0)


def _bounds(text: str, column: Column, *, scale: float) -> tuple[float, float]:
    """The least and the most that an amount may stand for: a year among dates is all its days."""
    if column.dates is None:
        amount = amount_of(text, column) * scale
        return amount, amount
    if re.fullmatch(r"\d{4}", text):
        first, last = (day_of(f"{text}-{day}", DATE_SHAPES[0]) for day in ("01-01", "12-31"))
        return first, last + 0.99999
    day = next((day for shape in (column.dates, *DATE_SHAPES) if not math.isnan(day := day_of(text, shape))), math.nan)
    return day, math.floor(day) + 0.99999 if not math.isnan(day) else day
