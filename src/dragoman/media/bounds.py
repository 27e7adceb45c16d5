"""How large a file may be, and the refusals that name the rule. Every number that turns content away stands here."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dragoman.errors import MediaError

__all__ = [
    "MAX_CELLS",
    "MAX_DATA_BYTES",
    "MAX_FILE_BYTES",
    "MAX_FRAMES",
    "MAX_FRAME_PIXELS",
    "MAX_PAGES",
    "MAX_PAGE_PIXELS",
    "MAX_PIXELS",
    "MAX_SOUND_S",
    "MAX_TABLE_BYTES",
    "MAX_TEXT_BYTES",
    "MAX_VIDEO_S",
    "LibraryMissing",
    "check_bytes",
    "check_limit",
    "needing",
]

MAX_FILE_BYTES = 8_000_000_000
MAX_PIXELS = 120_000_000  # 360 MB as RGB; the largest common phone camera takes 108 megapixels
MAX_FRAMES = 100_000  # of an animated picture
MAX_FRAME_PIXELS = 40_000_000  # of a video: 8K is 33 megapixels
MAX_SOUND_S = 6 * 3600.0  # 1.4 GB as 16 kHz float32
MAX_VIDEO_S = 12 * 3600.0
MAX_PAGES = 5_000
MAX_PAGE_PIXELS = 30_000_000  # a page that would come out larger is rendered coarser
MAX_TEXT_BYTES = 5_000_000  # travels inside the resource; about a million tokens
MAX_DATA_BYTES = 20_000_000
MAX_TABLE_BYTES = 500_000_000
MAX_CELLS = 50_000_000


def check_limit(amount: float, *, limit: float, what: str, name: str) -> None:
    """Refuse `amount` of `what` ("pixels") beyond `limit`. Raises `MediaError` that names the rule."""
    if amount > limit:
        raise MediaError(
            f"`{name}` has {amount:,.0f} {what}; at most {limit:,.0f} are taken.",
            helps="Hand over a smaller copy or a part of it.",
        )


def check_bytes(path: Path, *, limit: int, what: str) -> None:
    """Refuse a file of kind `what` that is larger than `limit` bytes. Raises `MediaError`."""
    check_limit(path.stat().st_size, limit=limit, what=f"bytes of {what}", name=path.name)


class LibraryMissing(MediaError):
    """What is needed to read a kind of file is not installed; the file may be in order."""


@contextmanager
def needing(library: str, *, to: str) -> Generator[None]:
    """Around an import of `library`: its absence becomes a `LibraryMissing` that says what to install `to` do what."""
    try:
        yield
    except ImportError as error:
        raise LibraryMissing(
            f"To {to}, Dragoman needs {library}, which is not installed.", helps="pip install 'dragoman[box]'"
        ) from error
