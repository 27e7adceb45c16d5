"""Documents give their text and their pages; locked, broken and giant ones are told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import MediaError
from dragoman.media import document_pages, document_text, facts, sniff


def pdf(path: Path, *pages: str, size_pt: tuple[int, int] = (300, 200), extra: str = "") -> Path:
    """A document with a line of text on each page; `extra` goes into the trailer."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, words in enumerate(pages):
        drawn = f"BT /F1 24 Tf 20 100 Td ({words}) Tj ET" if words else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size_pt[0]} {size_pt[1]}] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    body, places = "%PDF-1.4\n", []
    for number, thing in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{thing}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    body += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    start = body.index("xref\n")
    body += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {extra} >>\nstartxref\n{start}\n%%EOF\n"
    path.write_bytes(body.encode("latin-1"))
    return path


def test_the_text_of_all_pages_is_read(tmp_path):
    """Two pages, an empty line between them."""
    path = pdf(tmp_path / "a.pdf", "Hello there", "and good bye")

    assert sniff(path, name="a.txt") == ("document", "application/pdf")
    assert document_text(path) == "Hello there\n\nand good bye"
    assert facts(path, kind="document", media_type="application/pdf")["pages"] == 2


def test_pages_come_as_pictures(tmp_path):
    """300 × 200 points at 144 dpi are 600 × 400 pixels, black on white."""
    pages = list(document_pages(pdf(tmp_path / "a.pdf", "Hello", ""), dpi=144))

    assert [page.shape for page in pages] == [(400, 600, 3)] * 2
    assert pages[0].min() < 60
    assert pages[1].min() == 255


def test_a_giant_page_is_rendered_coarser(tmp_path):
    """14,000 points a side would be 850 megapixels."""
    (page,) = document_pages(pdf(tmp_path / "a.pdf", "x", size_pt=(14000, 14000)), dpi=150)

    assert page.shape[0] * page.shape[1] <= 30_100_000


def test_pages_and_text_may_be_read_at_once(tmp_path):
    """A reader that stands between two pages keeps nobody else out."""
    path = pdf(tmp_path / "a.pdf", "one", "two")
    pages = document_pages(path)
    next(pages)

    assert document_text(path) == "one\n\ntwo"
    assert len(list(pages)) == 1


def test_a_locked_document_says_that_it_is_locked(tmp_path):
    """Encrypted with a password that nobody gave."""
    lock = "/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O (" + "o" * 32 + ") /U (" + "u" * 32 + ") >>"
    path = pdf(tmp_path / "a.pdf", "secret", extra=f"{lock} /ID [(aaaaaaaaaaaaaaaa)(aaaaaaaaaaaaaaaa)]")

    with pytest.raises(MediaError, match=r"`a.pdf` is locked with a password"):
        document_text(path)


def test_a_broken_document_is_named(tmp_path):
    """A head and nothing behind it."""
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nnothing of the kind")

    for read in (document_text, lambda path: list(document_pages(path))):
        with pytest.raises(MediaError, match=r"The document `a.pdf` can't be read"):
            read(tmp_path / "a.pdf")
