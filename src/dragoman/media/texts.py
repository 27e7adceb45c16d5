"""Text in the encodings that files come in."""

from __future__ import annotations

import codecs
from pathlib import Path

from dragoman.media.bounds import MAX_TEXT_BYTES, check_bytes

__all__ = ["decoded", "encoding_of", "encoding_of_file", "looks_like_text", "read_text"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PIECE_BYTES = 1 << 20
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
    """The codec that reads `payload`, the whole of a text."""
    if (codec := _wide(payload)) is not None:
        return codec
    try:
        payload.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def encoding_of_file(path: Path) -> str:
    """The codec that reads the file, which is looked through piece by piece."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        piece = file.read(_PIECE_BYTES)
        if (codec := _wide(piece)) is not None:
            return codec
        try:
            while piece:
                decoder.decode(piece)
                piece = file.read(_PIECE_BYTES)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8"


def looks_like_text(head: bytes) -> bool:
    """Whether the first bytes of a file are text in one of the encodings that `read_text` knows."""
    if _wide(head) is not None:
        return "\x00" not in decoded(head)
    return not any(byte in _CONTROLS for byte in head)


def _wide(payload: bytes) -> str | None:
    """The codec of text that begins with a byte order mark, or is UTF-16 without one.

    Such a text has zeros in one half of most byte pairs, as Latin letters have, and never in the other.
    """
    for mark, codec in _MARKS:
        if payload.startswith(mark):
            return codec
    head = payload[:4096]
    pairs = len(head) // 2
    low, high = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if pairs >= 2 and low == 0 and high > pairs * 0.6:
        return "utf-16-le"
    if pairs >= 2 and high == 0 and low > pairs * 0.6:
        return "utf-16-be"
    return None
