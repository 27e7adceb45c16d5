"""Whether a model sees: told by showing it a picture, never by its name; remembered per endpoint and model."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from pathlib import Path

from dragoman.backends.sendable import as_base64

__all__ = ["ASKED", "Sight", "has_seen", "trial_picture"]

ASKED = "The picture has two halves. Reply with two words: the colour of the left half, then that of the right half."
_LEFT, _RIGHT = ("blue", (0, 0, 255)), ("yellow", (255, 255, 0))
_SIDE_PX = 64


def trial_picture() -> str:
    """A small PNG as a data URL: the left half blue, the right half yellow."""
    half = _SIDE_PX // 2
    row = b"\0" + bytes(_LEFT[1]) * half + bytes(_RIGHT[1]) * half
    header = struct.pack(">IIBBBBB", _SIDE_PX, _SIDE_PX, 8, 2, 0, 0, 0)
    parts = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(row * _SIDE_PX)), _chunk(b"IEND", b""))
    return f"data:image/png;base64,{as_base64(b''.join((bytes.fromhex('89504e470d0a1a0a'), *parts)))}"


def _chunk(kind: bytes, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))


def has_seen(reply: str) -> bool:
    """Whether the reply names the colours in their order and no others."""
    words = reply.casefold()
    left, right = words.find(_LEFT[0]), words.find(_RIGHT[0])
    return 0 <= left < right and not any(other in words for other in ("red", "green", "black", "white", "purple"))


class Sight:
    """What is known of who sees, in a small file. Where it can't be read or written, the model is asked anew."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def known(self, endpoint: str, model: str) -> bool | None:
        """Whether the model sees, or None where it was never tried."""
        found = self._all().get(_key(endpoint, model))
        return found if isinstance(found, bool) else None

    def keep(self, endpoint: str, model: str, *, sees: bool) -> None:
        """Remember it."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps({**self._all(), _key(endpoint, model): sees}), encoding="utf-8")
        except OSError:
            return

    def _all(self) -> dict[str, object]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _key(endpoint: str, model: str) -> str:
    return hashlib.sha256(f"{endpoint}\n{model}".encode()).hexdigest()[:16]
