"""Tables (CSV and its kin): whatever the separator and the encoding, cells kept as they stand."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from dragoman.errors import MediaError
from dragoman.media.bounds import MAX_CELLS, MAX_TABLE_BYTES, check_bytes, check_limit
from dragoman.media.texts import encoding_of_file
from dragoman.values import Json

__all__ = ["read_table", "table_facts"]

_SEPARATORS = ",;\t|"
_SAMPLE_CHARS = 1 << 16
_SAMPLE_ROWS = 100
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,' ]*|[.,]\d+)(?:[eE][+-]?\d+)?\s?%?")
_STATED = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)


def read_table(path: Path) -> tuple[tuple[str, ...], list[list[str]]]:
    """(header, rows): every cell a string as it stands in the file, every row as long as the header.

    Where the first row is no header, the columns are called `column 1`, `column 2`, … Empty rows are left out.
    Raises `MediaError` for an empty table and beyond `MAX_TABLE_BYTES` or `MAX_CELLS`.
    """
    check_bytes(path, limit=MAX_TABLE_BYTES, what="table")
    rows: list[list[str]] = []
    cells = 0
    for row in _rows(path):
        cells += len(row)
        check_limit(cells, limit=MAX_CELLS, what="cells", name=path.name)
        rows.append(row)
    return _headed(rows, name=path.name)


def table_facts(path: Path) -> dict[str, Json]:
    """`rows` (without the header) and `columns`; reads row by row."""
    check_bytes(path, limit=MAX_TABLE_BYTES, what="table")
    head: list[list[str]] = []
    count, columns = 0, 0
    for row in _rows(path):
        if count < _SAMPLE_ROWS:
            head.append(row)
        count, columns = count + 1, max(columns, len(row))
    _headed(list(head), name=path.name)
    return {"rows": count - (1 if _has_header(head) else 0), "columns": columns}


def separator_of(sample: str) -> str:
    """The separator that cuts most rows of `sample` into equally many cells with no other separator left inside."""

    def agreement(separator: str) -> tuple[float, int]:
        rows = list(islice(_parsed(io.StringIO(sample), separator=separator), _SAMPLE_ROWS))
        width, times = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if width < 2:
            return (0.0, 0)
        cells = [cell for row in rows for cell in row]
        whole = sum(_is_number(cell) or not any(other in cell for other in _SEPARATORS) for cell in cells)
        return (times / len(rows) * whole / len(cells), width)

    return max(_SEPARATORS, key=agreement)


def _rows(path: Path) -> Iterator[list[str]]:
    """The rows of the file that hold anything."""
    with path.open(encoding=encoding_of_file(path), errors="replace", newline="") as file:
        try:
            sample = file.read(_SAMPLE_CHARS)
            stated = _STATED.match(sample)  # Excel's own line, which is no row
            file.seek(0)
            if stated:
                file.readline()
            yield from _parsed(file, separator=stated[1] if stated else separator_of(sample))
        except csv.Error as error:
            raise MediaError(
                f"The table `{path.name}` can't be read: {error}.", helps="Save it again as CSV with quoted cells."
            ) from error


def _parsed(lines: Iterator[str] | io.StringIO, *, separator: str) -> Iterator[list[str]]:
    for row in csv.reader((line.replace("\0", "") for line in lines), delimiter=separator):
        if any(cell.strip() for cell in row):
            yield row


def _headed(rows: list[list[str]], *, name: str) -> tuple[tuple[str, ...], list[list[str]]]:
    """The rows in equal length, with the header apart."""
    if not rows:
        raise MediaError(f"The table `{name}` has no rows.", helps="Hand over a table with a header and rows.")
    columns = max(map(len, rows))
    given = [cell.strip() for cell in rows.pop(0)] if _has_header(rows) else []
    header = tuple(given[i] if i < len(given) and given[i] else f"column {i + 1}" for i in range(columns))
    for row in rows:
        row.extend([""] * (columns - len(row)))
    return header, rows


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: words stand over a column of numbers, or no number stands in it."""
    first, rest = rows[0], rows[1:_SAMPLE_ROWS]
    numbers = [place for place, cell in enumerate(first) if _is_number(cell)]
    return not numbers or any(
        first[place].strip() and rest and _is_numeric(rest, place) for place in set(range(len(first))) - set(numbers)
    )


def _is_numeric(rows: Sequence[Sequence[str]], place: int) -> bool:
    """Whether most cells of a column that hold anything are numbers."""
    cells = [row[place] for row in rows if place < len(row) and row[place].strip()]
    return bool(cells) and sum(map(_is_number, cells)) > 0.5 * len(cells)


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell.strip()) is not None
