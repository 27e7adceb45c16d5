"""Lines of text in reading order: rows from top to bottom, columns of running text one after the other. Pure Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from dragoman.backends.box.boxes import Box

COLUMN_LINES = 4  # a column of running text has at least so many lines
COLUMN_FILL = 0.55  # and they fill this much of its width: table cells don't


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A piece of text that was read in one go."""

    text: str
    score: float
    box: Box

    @property
    def height(self) -> float:
        """Pixels from top to bottom."""
        return self.box[3] - self.box[1]


def rows_in_order(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines as a person would read them: rows of pieces side by side."""
    gutter = _gutter(lines)
    if gutter is None:
        return _rows(lines)
    ordered: list[list[Line]] = []
    for band in _bands(lines, gutter):
        left = [line for line in band if line.box[2] <= gutter]
        right = [line for line in band if line.box[0] >= gutter]
        across = [line for line in band if line.box[0] < gutter < line.box[2]]
        for part in (across, left, right):
            ordered += rows_in_order(part) if part != lines else _rows(part)
    return ordered


def plain_text(rows: Sequence[Sequence[Line]]) -> str:
    """The rows as text, a row a line; pieces side by side are kept apart by a space."""
    return "\n".join(" ".join(line.text.strip() for line in row) for row in rows)


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.box[1] + line.box[3]):
        if rows and _is_beside(line, rows[-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.box[0]) for row in rows]


def _is_beside(line: Line, row: Sequence[Line]) -> bool:
    """Whether the line's middle lies within the row, and beside its pieces rather than under one."""
    top, bottom = median(each.box[1] for each in row), median(each.box[3] for each in row)
    middle = (line.box[1] + line.box[3]) / 2
    is_level = top + 0.25 * (bottom - top) < middle < bottom - 0.25 * (bottom - top)
    return is_level and all(_shared_width(line, each) < 0.3 for each in row)


def _shared_width(one: Line, other: Line) -> float:
    shared = min(one.box[2], other.box[2]) - max(one.box[0], other.box[0])
    return max(0.0, shared) / max(1.0, min(one.box[2] - one.box[0], other.box[2] - other.box[0]))


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where the page falls into two columns of running text, or None."""
    best: tuple[int, float] | None = None
    for x in sorted({line.box[2] + 1 for line in lines}):
        left = [line for line in lines if line.box[2] <= x]
        right = [line for line in lines if line.box[0] >= x]
        crossing = len(lines) - len(left) - len(right)
        is_split = crossing <= min(len(left), len(right)) / 4
        if is_split and _is_running(left) and _is_running(right) and (best is None or crossing < best[0]):
            best = (crossing, x)
    return best[1] if best else None


def _is_running(lines: Sequence[Line]) -> bool:
    if len(lines) < COLUMN_LINES:
        return False
    width = max(line.box[2] for line in lines) - min(line.box[0] for line in lines)
    return median(line.box[2] - line.box[0] for line in lines) >= COLUMN_FILL * width


def _bands(lines: Sequence[Line], gutter: float) -> list[list[Line]]:
    """The page cut below each line that reaches over the gutter: a title, then its columns."""
    across = sorted((line for line in lines if line.box[0] < gutter < line.box[2]), key=lambda line: line.box[1])
    cuts = [line.box[1] for line in across]
    bands: list[list[Line]] = [[] for _ in range(len(cuts) + 1)]
    for line in lines:
        bands[sum(line.box[1] >= cut for cut in cuts)].append(line)
    return [band for band in bands if band]
