"""What a page says as facts: keys with their values, cells of tables by row and column, titles apart. Pure Python."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from dragoman.backends.box.boxes import Box
from dragoman.backends.box.text_layout import Line

Kind = Literal["pair", "cell", "text", "title"]
Row = Sequence[Line]

TITLE_HEIGHT = 1.4  # of the middle height of lines
COLUMNS = 3  # of a table; two columns are keys and values
BLOCK_LINES = 5  # of a value below its key, such as an address
SAME_STEP = 1.4  # from line to line: more than that parts blocks
NEAR_BELOW = 1.6  # heights of a line: farther down is another block
_KEY_WORDS = 6
_INLINE = re.compile(r"\s*(?P<key>[^:]{1,39}[^:\d\s])\s?[:：]\s*(?P<value>\S.*)")
_LABELLED = re.compile(
    r"\s*(?P<key>(?:[A-Za-z]+ ){0,3}(?:no|nr|number|date|id|ref|tel|phone|fax)\b\.?|(?:[A-Za-z]+ ){1,3}#)"
    r"\s*(?P<value>(?=\S*\d)\S.*)",
    re.IGNORECASE,
)
_AMOUNT = r"(?:[A-Z]{3}|[$€£])?\s?-?\d[\d.,' ]*(?:\s?(?:[A-Z]{3}|[$€£%]))?"
_ENDS_IN_AMOUNT = re.compile(rf"\s*(?P<key>[A-Za-z][A-Za-z ().%/-]{{2,38}}?)\s+(?P<value>{_AMOUNT})\s*")
_DEAR = re.compile(r"\s*(?P<key>Dear) (?P<value>[^,:]+?)[,:]?\s*")
_FORMS = (_INLINE, _LABELLED, _ENDS_IN_AMOUNT, _DEAR)
_NUMBERED = re.compile(r"\d")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One thing that a page says.

    key: what it is about; for a cell the head of its column, `row` being the first cell of its row. value: what it
    says, lines one under another. line: the whole line it stands in. box: of the value. read: how surely it was read.
    """

    kind: Kind
    value: tuple[str, ...]
    line: str
    box: Box
    key: str = ""
    row: str = ""
    read: float = 1.0


def facts_of(rows: Sequence[Row]) -> list[Fact]:
    """The facts of one page: pairs and cells from top to bottom, then its lines in reading order.

    rows: pieces of text side by side, in reading order. Where a page has columns, keys may stand in one and their
    values in the other, so that pairs are looked for in whole rows.
    """
    lines = [line for row in rows for line in row]
    if not lines:
        return []
    height = median(line.height for line in lines)
    grid = whole_rows(lines)
    found: list[Fact] = []
    in_tables: set[Line] = set()
    at = 0
    while at < len(grid):
        end = _table_end(grid, at, height)
        if end > at:
            found += _cells(grid[at], grid[at + 1 : end])
            in_tables.update(line for row in grid[at:end] for line in row)
        else:
            found += _pairs(grid, at, height)
        at = max(end, at + 1)
    written = [row for row in rows if not in_tables.issuperset(row) and not all(map(_ends_in_colon, row))]
    return found + [_text(row, height) for row in written]


def whole_rows(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines grouped by height, each row from left to right across the whole page."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda each: (each.box[1] + each.box[3]) / 2):
        middle = (line.box[1] + line.box[3]) / 2
        last = rows[-1][-1] if rows else None
        if last and last.box[1] + last.height * 0.25 < middle < last.box[3] - last.height * 0.25:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda each: each.box[0]) for row in rows]


def _table_end(rows: Sequence[Row], at: int, height: float) -> int:
    """Where the table ends whose head is row `at`; `at` if that is no head of a table."""
    head = rows[at]
    if len(head) < COLUMNS or not all(_is_label(line.text) for line in head):
        return at
    end = at + 1
    while end < len(rows) and _is_part(rows[end], head, height, is_first=end == at + 1):
        steps = [_step(rows[place - 1], rows[place]) for place in (at + 1, end)]
        if steps[1] > max(SAME_STEP * steps[0], steps[0] + height):
            break
        end += 1
    return end if end > at + 1 else at


def _is_part(row: Row, head: Row, height: float, *, is_first: bool) -> bool:
    """Whether a row can belong under a head: enough pieces, the first of them under the head's first."""
    least = COLUMNS if is_first else COLUMNS - (len(head) == COLUMNS)
    is_tall = any(line.height > TITLE_HEIGHT * height for line in row)
    return len(row) >= least and row[0].box[0] < head[1].box[0] and not is_tall and not any(map(_ends_in_colon, row))


def _step(row: Row, following: Row) -> float:
    """Pixels from one row to the next."""
    return min(line.box[3] for line in following) - min(line.box[3] for line in row)


def _cells(head: Row, body: Sequence[Row]) -> list[Fact]:
    """The cells of a table; a head over a single row is a form whose labels stand over their values."""
    found: list[Fact] = []
    kind: Kind = "cell" if len(body) > 1 else "pair"
    for row in body:
        line = _joined(row)
        for piece in row:
            column = min(head, key=lambda each: _distance(each.box, piece.box))
            found.append(
                Fact(
                    kind=kind, key=column.text.strip(), row=row[0].text.strip(), value=(piece.text.strip(),),
                    line=line, box=piece.box, read=piece.score,
                )
            )  # fmt: skip
    return found


def _distance(one: Box, other: Box) -> float:
    """From the edges that are nearest: columns of numbers stand flush right, of words flush left."""
    middle = abs((one[0] + one[2]) - (other[0] + other[2])) / 2
    return min(abs(one[0] - other[0]), abs(one[2] - other[2]), middle)


def _pairs(rows: Sequence[Row], at: int, height: float) -> list[Fact]:
    row, line = rows[at], _joined(rows[at])
    found: list[Fact] = []
    is_pair = len(row) == 2 and _is_short(row[0].text) and not any(map(_is_key, row))
    if is_pair and not _stands_over(rows, at, height):
        return [_pair(row[0].text, [row[1]], line)]
    for place, piece in enumerate(row):
        text = piece.text.strip()
        following = row[place + 1] if place + 1 < len(row) else None
        match = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
        if match and _is_short(match["key"]):
            box = _right_part(piece, match.start("value"), text)
            found.append(_pair(match["key"], [piece], line, box=box, value=match["value"]))
        elif _ends_in_colon(piece) and _is_short(text):
            value = [following] if following and not _is_key(following) else _below(rows, at, piece, height)
            found += [_pair(text, value, line)] if value else []
        elif _stands_over(rows, at, height):
            found.append(_pair(text, [rows[at + 1][place]], line))
    return found


def _stands_over(rows: Sequence[Row], at: int, height: float) -> bool:
    """Whether a row of two labels stands over their values: a wider gap follows, unlike in a list of keys."""
    if at + 1 == len(rows) or len(rows[at]) != 2 or len(rows[at + 1]) != 2:
        return False
    row, below = rows[at], rows[at + 1]
    step = _step(row, below)
    is_apart = (at + 2 == len(rows) or _step(below, rows[at + 2]) > SAME_STEP * step) and (
        at == 0 or len(rows[at - 1]) != 2 or _step(rows[at - 1], row) > SAME_STEP * step
    )
    is_level = all(_is_under(*each, height) for each in zip(below, row, strict=True))
    return is_level and is_apart and all(_is_label(line.text) for line in row) and step < 2.5 * height


def _pair(key: str, lines: Sequence[Line], line: str, *, box: Box | None = None, value: str = "") -> Fact:
    return Fact(
        kind="pair",
        key=key.strip(" .:：#"),
        value=(value,) if value else tuple(each.text.strip() for each in lines),
        line=line if value or len(lines) == 1 else " ".join([line, *(each.text.strip() for each in lines)]),
        box=box or around([each.box for each in lines]),
        read=min(each.score for each in lines),
    )


def _below(rows: Sequence[Row], at: int, piece: Line, height: float) -> list[Line]:
    """The lines under a key that ends in a colon, as far as they stand close under one another."""
    found: list[Line] = []
    last = piece
    for row in rows[at + 1 :]:
        under = [each for each in row if _is_under(each, piece, height) and _is_close(each, last, height)]
        if under and not _is_key(under[0]) and len(found) < BLOCK_LINES:
            last = under[0]
            found.append(last)
        elif under or not any(_is_close(each, last, height) for each in row):
            break
    return found


def _is_under(line: Line, key: Line, height: float) -> bool:
    return abs(line.box[0] - key.box[0]) < 2.5 * height or _shares_width(line, key)


def _is_close(line: Line, last: Line, height: float) -> bool:
    return -0.5 * height < line.box[1] - last.box[3] < NEAR_BELOW * height


def _shares_width(one: Line, other: Line) -> bool:
    shared = min(one.box[2], other.box[2]) - max(one.box[0], other.box[0])
    return shared > 0.5 * min(one.box[2] - one.box[0], other.box[2] - other.box[0])


def _text(row: Row, height: float) -> Fact:
    line = _joined(row)
    is_title = len(row) == 1 and _is_title(row[0], height)
    score = min(each.score for each in row)
    box = around([each.box for each in row])
    return Fact(kind="title" if is_title else "text", value=(line,), line=line, box=box, read=score)


def _is_title(line: Line, height: float) -> bool:
    """Whether a line heads what follows: tall letters, or a few words in capitals."""
    text = line.text.strip()
    is_shout = text.isupper() and len(text.split()) <= 4 and not _NUMBERED.search(text) and ":" not in text
    return line.height >= TITLE_HEIGHT * height or is_shout


def _is_short(text: str) -> bool:
    return 0 < len(text.split()) <= _KEY_WORDS and any(char.isalpha() for char in text)


def _is_label(text: str) -> bool:
    return _is_short(text) and not _NUMBERED.search(text) and not text.strip().endswith((".", ","))


def _is_key(line: Line) -> bool:
    return _INLINE.fullmatch(line.text) is not None or _ends_in_colon(line)


def _ends_in_colon(line: Line) -> bool:
    return line.text.strip().endswith((":", "："))


def _joined(row: Row) -> str:
    return " ".join(line.text.strip() for line in row)


def around(boxes: Sequence[Box]) -> Box:
    """The box around several."""
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def _right_part(line: Line, start: int, text: str) -> Box:
    """About where the text from character `start` on stands."""
    x0, y0, x1, y1 = line.box
    return (x0 + (x1 - x0) * start / max(1, len(text)), y0, x1, y1)
