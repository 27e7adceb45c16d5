"""Text in the encodings that files come in."""

from __future__ import annotations

import codecs
from pathlib import Path

from dragoman.media.bounds import MAX_TEXT_BYTES, check_bytes

__all__ = ["decoded", "looks_like_text", "read_text"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = frozenset(range(32)) - set(b"\t\n\r\f\x1b\b\x1a\x0b")


def read_text(path: Path) -> str:
    """The text of a file: by its byte order mark, as UTF-8, as UTF-16, or as Windows-1252. Line ends become newlines.

    Raises `MediaError` beyond `MAX_TEXT_BYTES`.
    """
    check_bytes(path, limit=MAX_TEXT_BYTES, what="text")
    return decoded(path.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")


def decoded(payload: bytes) -> str:
    """The text that `payload` encodes; bytes that mean nothing become U+FFFD."""
    return payload.decode(encoding_of(payload), errors="replace")


def encoding_of(payload: bytes) -> str:
    """The codec that reads `payload`."""
    for mark, codec in _MARKS:
        if payload.startswith(mark):
            return codec
    if (half := _utf16_half(payload)) is not None:
        return half
    try:
        payload.decode("utf-8")
    except UnicodeDecodeError as error:
        # A file that is cut inside its last character is still UTF-8.
        is_cut = error.reason == "unexpected end of data" and error.start >= len(payload) - 3 and error.start > 0
        return "utf-8" if is_cut else "cp1252"
    return "utf-8"


def looks_like_text(head: bytes) -> bool:
    """Whether the first bytes of a file are text in one of the encodings that `read_text` knows."""
    if any(head.startswith(mark) for mark, _ in _MARKS) or _utf16_half(head) is not None:
        return "\x00" not in decoded(head)
    return not any(byte in _CONTROLS for byte in head)


def _utf16_half(payload: bytes) -> str | None:
    """UTF-16 without a mark: one half of the byte pairs is mostly zero, as for Latin letters, the other never."""
    head = payload[:4096]
    pairs = len(head) // 2
    if pairs < 2:
        return None
    low, high = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if low == 0 and high > pairs * 0.6:
        return "utf-16-le"
    if high == 0 and low > pairs * 0.6:
        return "utf-16-be"
    return None
