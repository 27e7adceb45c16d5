"""Tables (CSV and its kin): whatever the separator and the encoding, cells kept as they stand."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from dragoman.errors import MediaError
from dragoman.media.bounds import MAX_CELLS, MAX_TABLE_BYTES, check_bytes, check_limit
from dragoman.media.texts import encoding_of
from dragoman.values import Json

__all__ = ["read_table", "table_facts"]

_SEPARATORS = ",;\t|"
_SAMPLE_CHARS = 1 << 16
_SAMPLE_ROWS = 100


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
    """The separator that cuts most rows of `sample` into the same number of cells, more cells preferred."""

    def agreement(separator: str) -> tuple[float, int]:
        widths = [len(row) for row in _parsed(io.StringIO(sample), separator=separator)][:_SAMPLE_ROWS]
        if not widths:
            return (0.0, 0)
        width, times = Counter(widths).most_common(1)[0]
        return (times / len(widths) if width > 1 else 0.0, width)

    return max(_SEPARATORS, key=agreement)


def _rows(path: Path) -> Iterator[list[str]]:
    """The rows of the file that hold anything."""
    with path.open("rb") as file:
        encoding = encoding_of(file.read(1 << 20))
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        separator = separator_of(file.read(_SAMPLE_CHARS))
        file.seek(0)
        try:
            yield from _parsed(file, separator=separator)
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
    """Whether the first row names the columns: no cell of it is a number, or it stands alone."""
    return len(rows) == 1 or not any(_is_number(cell) for cell in rows[0])


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().replace(",", ".", 1))
    except ValueError:
        return False
    return True
