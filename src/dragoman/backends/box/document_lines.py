"""The pages of a scan or a PDF as rows of text with their places: read where they are pictures, taken where text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pypdfium2

from dragoman.backends.base import Item, Tell
from dragoman.backends.box.ocr import TextReader
from dragoman.backends.box.text_layout import Line, rows_in_order
from dragoman.media import document_pages, document_text, read_image

Rows = list[list[Line]]

DPI = 150  # places are pixels of the page at this resolution, as `document_pages` renders it
MOST_SCANNED_PAGES = 40  # a second each; pages that hold text cost nothing
LEAST_CHARS = 15  # fewer on a page are a stamp on a scan


def pages_of(item: Item, reader: TextReader, *, tell: Tell) -> Iterator[tuple[int | None, Rows]]:
    """(page from 1, or None for a picture; its rows). Of a PDF the text itself, where it has any."""
    if item.resource.kind != "document":
        tell(0.0, "reading")
        yield None, reader.rows(read_image(item.path))
        return
    document_text(item.path)  # raises for what is broken, locked or too long
    held = _held_rows(item.path)
    pictures = document_pages(item.path, dpi=DPI) if any(rows is None for rows in held) else iter(())
    scanned = 0
    for number, rows in enumerate(held, start=1):
        tell((number - 1) / len(held), f"reading page {number}")
        pixels = next(pictures, None)
        if rows is not None:
            yield number, rows
        elif pixels is not None and scanned < MOST_SCANNED_PAGES:
            scanned += 1
            yield number, reader.rows(pixels)


def _held_rows(path: Path) -> list[Rows | None]:
    """Of each page its rows of text, None for a scan."""
    document = pypdfium2.PdfDocument(path)
    try:
        return [_page_rows(document, number) for number in range(len(document))]
    finally:
        document.close()


def _page_rows(document: pypdfium2.PdfDocument, number: int) -> Rows | None:
    page = document[number]
    words = page.get_textpage()
    try:
        if page.get_rotation() or words.count_chars() < LEAST_CHARS:
            return None
        height, scale = page.get_height(), DPI / 72
        lines: list[Line] = []
        for at in range(words.count_rects()):
            left, bottom, right, top = words.get_rect(at)
            text = words.get_text_bounded(left, bottom, right, top).strip()
            box = (left * scale, (height - top) * scale, right * scale, (height - bottom) * scale)
            lines += [Line(text=text, score=1.0, box=box)] if text else []
        return rows_in_order(_glued(lines))
    finally:
        words.close()
        page.close()


def _glued(lines: list[Line]) -> list[Line]:
    """Pieces that stand close side by side as one: PDF files change fonts within a line."""
    found: list[Line] = []
    for line in lines:
        last = found[-1] if found else None
        if (
            last
            and abs(line.box[3] - last.box[3]) < 0.4 * line.height
            and -1 < line.box[0] - last.box[2] < 0.6 * line.height
        ):
            box = (last.box[0], min(last.box[1], line.box[1]), line.box[2], max(last.box[3], line.box[3]))
            gap = " " if line.box[0] - last.box[2] > 0.15 * line.height else ""
            found[-1] = Line(text=f"{last.text}{gap}{line.text}", score=1.0, box=box)
        else:
            found.append(line)
    return found
