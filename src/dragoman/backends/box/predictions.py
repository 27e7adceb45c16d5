"""The table of predictions: the person's own table, cell for cell, with what was predicted beside it. Pure Python."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from dragoman.backends.base import Produced
from dragoman.backends.box.cells import Mark
from dragoman.backends.box.columns import Rows

DIGITS = 6  # that a predicted number shows, at least those before the decimal mark


def predictions_output(header: Sequence[str], rows: Rows, added: dict[str, Sequence[str]]) -> Produced:
    """The output `predictions`. added: columns by name, a cell for every row; a name that is taken gets a number."""
    names = list(header)
    for name in added:
        names.append(_free(name, names))
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([*row, *cells] for row, *cells in zip(rows, *added.values(), strict=True))
    facts = {"rows": len(rows), "columns": len(names)}
    payload = sink.getvalue().encode()
    return Produced(name="predictions", kind="table", media_type="text/csv", payload=payload, facts=facts)


def number_cells(numbers: Iterable[float], mark: Mark) -> list[str]:
    """Numbers as the table writes them, with its decimal mark."""
    return [
        (f"{number:.{DIGITS}g}" if abs(number) < 10**DIGITS else f"{number:.0f}").replace(".", mark)
        for number in numbers
    ]


def _free(name: str, taken: Sequence[str]) -> str:
    known = {each.casefold() for each in taken}
    tries = (name if number == 1 else f"{name} {number}" for number in range(1, len(taken) + 2))
    return next(each for each in tries if each.casefold() not in known)
