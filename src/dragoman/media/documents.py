"""Documents (PDF): their text, their pages as pictures, how many pages."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.errors import MediaError
from dragoman.media.arrays import Pixels
from dragoman.media.bounds import MAX_PAGE_PIXELS, MAX_PAGES, check_limit, needing
from dragoman.values import Json

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

__all__ = ["document_facts", "document_pages", "document_text"]

_pdfium = threading.Lock()  # PDFium keeps state of the process: one call at a time, whatever the document


def document_text(path: Path) -> str:
    """The text of all pages, an empty line between pages; empty for a scan.

    Raises `MediaError` where the document is broken, locked with a password or longer than `MAX_PAGES`.
    """
    with _pdfium, _opened(path) as document:
        texts = [_text(document[number]) for number in range(len(document))]
    return "\n\n".join(text for text in texts if text)


def document_pages(path: Path, *, dpi: int = 150) -> Iterator[Pixels]:
    """The pages as (H, W, 3) uint8 pictures, one at a time; a page beyond `MAX_PAGE_PIXELS` comes out coarser."""
    with _pdfium, _opened(path) as document:
        count = len(document)
    for number in range(count):
        with _pdfium, _opened(path) as document:
            pixels = _render(document[number], dpi=dpi)
        yield pixels


def document_facts(path: Path) -> dict[str, Json]:
    """`pages`, and `chars` of the text that is inside as text."""
    with _pdfium, _opened(path) as document:
        return {"pages": len(document), "chars": sum(_chars(document[number]) for number in range(len(document)))}


@contextmanager
def _opened(path: Path) -> Generator[PdfDocument]:
    with needing("pypdfium2", to="read PDF documents"):
        import pypdfium2
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise _unreadable(path, error) from error
    try:
        check_limit(len(document), limit=MAX_PAGES, what="pages", name=path.name)
        yield document
    except pypdfium2.PdfiumError as error:
        raise _unreadable(path, error) from error
    finally:
        document.close()


def _unreadable(path: Path, error: Exception) -> MediaError:
    if "password" in str(error).lower():
        return MediaError(f"`{path.name}` is locked with a password.", helps="Save a copy without the password.")
    return MediaError(f"The document `{path.name}` can't be read: {error}.", helps="Save or download it again.")


def _text(page: PdfPage) -> str:
    words = page.get_textpage()
    try:
        return words.get_text_bounded().replace("\r\n", "\n").strip()
    finally:
        words.close()
        page.close()


def _chars(page: PdfPage) -> int:
    words = page.get_textpage()
    try:
        return words.count_chars()
    finally:
        words.close()
        page.close()


def _render(page: PdfPage, *, dpi: int) -> Pixels:
    import numpy as np

    width_pt, height_pt = page.get_size()
    scale = dpi / 72
    area_px = width_pt * height_pt * scale * scale
    if area_px > MAX_PAGE_PIXELS:
        scale *= (MAX_PAGE_PIXELS / area_px) ** 0.5
    bitmap = page.render(scale=scale, rev_byteorder=True)  # pyright: ignore[reportArgumentType] (annotated as int)
    try:
        pixels = bitmap.to_numpy()
        return np.array(pixels[:, :, :3] if pixels.ndim == 3 else np.stack([pixels] * 3, axis=2), dtype=np.uint8)
    finally:
        bitmap.close()
        page.close()
