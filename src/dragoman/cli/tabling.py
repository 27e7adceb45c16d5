"""Listings in columns."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from dragoman.cli.terminal import Terminal, clean

__all__ = ["show_rows"]

_GAP = "  "


def show_rows(rows: Sequence[Sequence[str]], *, heads: Sequence[str], terminal: Terminal) -> None:
    """Print the rows in aligned columns under their heads; on a terminal each is cut to one line."""
    lines = [tuple(clean(cell).replace("\n", " ") for cell in row) for row in (heads, *rows)]
    widths = [max(_cells(line[column]) for line in lines) for column in range(len(heads))]
    room = shutil.get_terminal_size().columns if terminal.has_styled_output else 0
    terminal.show("\n".join(_line(line, widths, room=room) for line in lines))


def _line(cells: Sequence[str], widths: Sequence[int], *, room: int) -> str:
    padded = [cell + " " * (width - _cells(cell)) for cell, width in zip(cells, widths, strict=True)]
    whole = _GAP.join(padded).rstrip()
    if not room or _cells(whole) <= room:
        return whole
    while _cells(whole) >= room:
        whole = whole[:-1]
    return whole.rstrip() + "…"


def _cells(text: str) -> int:
    """How many cells of a terminal the text takes: wide letters take two, marks that join none."""
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)
