"""What cells of a table say: numbers as people write them, dates, and nothing. Pure Python; cells are never changed."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import Literal

from dragoman.backends.box.texts import word_set

Mark = Literal[".", ","]

NOTHING = frozenset({"", "-", "--", "–", "—", "?", ".", "#n/a", "n.a.", *word_set("na n/a nan null #null! #value!")})
_CURRENCY = r"[A-Z]{0,3}[$€£¥₹]|EUR|USD|GBP|CHF|JPY|BRL"
_NUMBER = re.compile(
    rf"""(?P<before>[-+−]?\s?(?:{_CURRENCY})?\s?)(?P<digits>[-+−]?(?:\d[\d.,'’\s]*|[.,]\d+)(?:[eE][-+]?\d+)?)"""
    r"""(?P<after>\s?[^\d.,;:]{0,12})"""
)
_GROUPS = {mark: re.compile(rf"[-+]?\d{{1,3}}(?:\{mark}\d{{2,3}})*\{mark}\d{{3}}") for mark in ".,"}
_SIGNS = str.maketrans({"−": "-", "'": None, "’": None, " ": None, "\u00a0": None, "\u202f": None, "\u2009": None})
_SHORT_DIGITS = 3  # of a group of thousands
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(?P<word>[A-Za-z]{3,9})\.?"
_TIME = r"(?:[T ](?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?)?"
DATE_SHAPES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(shape + _TIME)
    for shape in (
        r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4}|\d\d)",
        r"(?P<month>\d{1,2})[-/](?P<day>\d{1,2})[-/](?P<year>\d{4}|\d\d)",
        r"(?P<day>\d{1,2})[-/](?P<month>\d{1,2})[-/](?P<year>\d{4}|\d\d)",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[ -]{_MONTH}[ -](?P<year>\d{{4}}|\d\d)",
        rf"{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})",
        rf"{_MONTH}[ -](?P<year>\d{{4}})",
        r"(?P<year>(?:1[5-9]|20)\d\d)-(?P<month>0[1-9]|1[0-2])",
    )
)
_NEXT_CENTURY = 69  # two digits: 69 is 1969, 68 is 2068, as POSIX reads them
_DAY_S = 86_400


def is_nothing(cell: str) -> bool:
    """Whether a cell is empty or says that nothing is known (`NA`, `n/a`, `?`)."""
    return cell.strip().lower() in NOTHING


def number_of(cell: str, mark: Mark = ".") -> float:
    """The number in a cell, signs of currency, units and thousands left out; NaN where it holds none.

    mark: which of `.` and `,` parts whole from fraction. `12 %` is 12.
    """
    if cell.isdigit() or (mark == "." and cell[-1:].isdigit() and cell.isascii()):  # ten times quicker, for most cells
        with suppress(ValueError):
            return _finite(float(cell))
    match = _NUMBER.fullmatch(cell.strip())
    if match is None:
        return math.nan
    whole, decimal, fraction = match["digits"].translate(_SIGNS).partition(mark)
    thousands = "," if mark == "." else "."
    if thousands in whole and not _GROUPS[thousands].fullmatch(whole):
        return math.nan
    try:
        number = float(whole.replace(thousands, "") + (decimal and "." + fraction))
    except ValueError:
        return math.nan
    is_negative = match["before"].lstrip()[:1] in ("-", "−")
    return _finite(-number if is_negative else number)


def _finite(number: float) -> float:
    return number if math.isfinite(number) else math.nan


def affixes_of(cell: str) -> tuple[str, str] | None:
    """What stands before and behind the number in a cell (`$`, `km`); None where it holds no number."""
    match = _NUMBER.fullmatch(cell.strip())
    return match and (match["before"].strip(" +-−"), match["after"].strip())


def decimal_votes(cells: Iterable[str]) -> Counter[Mark]:
    """How many cells can only be read with a decimal point, and how many only with a decimal comma."""
    votes: Counter[Mark] = Counter()
    for cell in cells:
        match = _NUMBER.fullmatch(cell.strip())
        if match and (mark := _mark_of(match["digits"].translate(_SIGNS))):
            votes[mark] += 1
    return votes


def _mark_of(digits: str) -> Mark | None:
    """The decimal mark that one number shows, or None where it may be read either way (`1,234`, `12`)."""
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        return "." if digits.rfind(".") > digits.rfind(",") else ","
    if not points and not commas:
        return None
    own: Mark = "." if points else ","
    other: Mark = "," if points else "."
    if points + commas > 1:
        return other if _GROUPS[own].fullmatch(digits) else None
    whole, _, fraction = digits.lstrip("+-").partition(own)
    may_be_thousands = len(fraction) == _SHORT_DIGITS and 0 < len(whole) <= _SHORT_DIGITS and whole[0] != "0"
    return None if may_be_thousands else own


def is_code(cell: str) -> bool:
    """Whether a cell of digits is a name rather than an amount: leading zeros, or more digits than a float keeps."""
    digits = cell.strip()
    return digits.isdigit() and ((len(digits) > 1 and digits[0] == "0") or len(digits) > 15)


def date_shape(cells: Sequence[str], *, share: float) -> re.Pattern[str] | None:
    """The way of writing dates that at least `share` of the cells keep to, or None."""
    return next((shape for shape in DATE_SHAPES if cells and _are_dates(cells, shape, share=share)), None)


def _are_dates(cells: Sequence[str], shape: re.Pattern[str], *, share: float) -> bool:
    may_miss = (1 - share) * len(cells)
    misses = (1 for cell in cells if math.isnan(day_of(cell, shape)))
    return sum(islice(misses, int(may_miss) + 1)) <= may_miss  # most columns are no dates: known after a few cells


@lru_cache(maxsize=50_000)
def day_of(cell: str, shape: re.Pattern[str]) -> float:
    """Days since the year 1, the time of day as a fraction; NaN where the cell holds no date of that shape."""
    match = shape.fullmatch(cell.strip())
    if match is None:
        return math.nan
    parts = match.groupdict()
    month = _month(parts)
    year = int(parts["year"])
    if len(parts["year"]) <= 2:
        year += 2000 if year < _NEXT_CENTURY else 1900
    try:
        day = date(year, month, int(parts.get("day") or 1)).toordinal()
    except ValueError:
        return math.nan
    seconds = sum(int(parts[name] or 0) * unit for name, unit in (("hour", 3600), ("minute", 60), ("second", 1)))
    return day + seconds / _DAY_S


def _month(parts: dict[str, str | None]) -> int:
    """1 to 12; 0 for a word that names no month."""
    if word := parts.get("word"):
        short = word[:3].lower()
        return _MONTHS.index(short) + 1 if short in _MONTHS else 0
    return int(parts.get("month") or 1)
