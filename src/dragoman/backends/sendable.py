"""What leaves the machine: the pixels of a picture and the samples of a sound, never where, when or with what they
were taken. Everything is decoded and written anew. Runs in a thread.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.backends.base import Item
from dragoman.errors import ExpertError
from dragoman.media.bounds import needing
from dragoman.values import Arg

__all__ = ["Picture", "Sound", "as_base64", "picture_of", "sounds_of", "words_of"]

MOST_PX = 2048
_PNG_BYTES = 1_500_000  # a photo is larger than that as PNG, and nothing is lost to see by sending it as JPEG
RATE_HZ = 16_000
PIECE_S = 600.0
_SEEK_S = 20.0
_HOP = 1600  # samples in which the quietest moment is sought: a tenth of a second


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """A picture as it is sent. width_px, height_px: of the upright original; scale: sent size over original."""

    payload: bytes
    media_type: str
    width_px: int
    height_px: int
    scale: float

    @property
    def url(self) -> str:
        """It as a data URL."""
        return f"data:{self.media_type};base64,{as_base64(self.payload)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sound:
    """A piece of a recording as it is sent: FLAC, mono, 16 kHz. start_s: where it begins; whole_s: of the recording."""

    payload: bytes
    start_s: float
    duration_s: float
    whole_s: float
    media_type: str = "audio/flac"

    @property
    def url(self) -> str:
        """It as a data URL."""
        return f"data:{self.media_type};base64,{as_base64(self.payload)}"


def as_base64(payload: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(payload).decode("ascii")


def words_of(args: dict[str, Arg], name: str = "text") -> str:
    """The words in the slot `name`. Raises `ExpertError` if there are none."""
    value = args.get(name)
    if isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str) or not value.strip():
        raise ExpertError(f"words are wanted as `{name}`; {'none' if not value else type(value).__name__} came.")
    return value


def picture_of(args: dict[str, Arg], *, name: str = "image", most_px: int = MOST_PX) -> Picture:
    """The picture in the slot `name`, upright, at most `most_px` a side; of a document its first page.

    Raises `ExpertError` if there is none, `MediaError` if it can't be read.
    """
    item = args.get(name)
    if isinstance(item, (list, tuple)) and item:
        item = item[0]
    if not isinstance(item, Item):
        raise ExpertError(f"a picture is wanted as `{name}`; {type(item).__name__} came.")
    pixels = _pixels(item)
    with needing("Pillow", to="send pictures"):
        from PIL import Image
    image = Image.fromarray(pixels)
    scale = min(1.0, most_px / max(image.size))
    if scale < 1.0:
        size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
        image = image.resize(size, Image.Resampling.LANCZOS)
    payload, media_type = _written(image)
    height_px, width_px = pixels.shape[:2]
    return Picture(payload=payload, media_type=media_type, width_px=width_px, height_px=height_px, scale=scale)


def _pixels(item: Item) -> Any:
    from dragoman import media

    if item.resource.kind == "document":
        return next(iter(media.document_pages(item.path)))
    return media.read_image(item.path)


def _written(image: Any) -> tuple[bytes, str]:
    sink = io.BytesIO()
    image.save(sink, "PNG")
    if sink.tell() <= _PNG_BYTES:
        return sink.getvalue(), "image/png"
    sink = io.BytesIO()
    image.save(sink, "JPEG", quality=93)
    return sink.getvalue(), "image/jpeg"


def sounds_of(args: dict[str, Arg], *, name: str = "audio", piece_s: float = PIECE_S) -> Sequence[Sound]:
    """The recording in the slot `name` in pieces of about `piece_s`, cut where it is quiet; of a video its sound."""
    item = args.get(name)
    if not isinstance(item, Item):
        raise ExpertError(f"a recording is wanted as `{name}`; {type(item).__name__} came.")
    from dragoman import media

    samples = media.read_audio(item.path, rate_hz=RATE_HZ)
    whole_s = len(samples) / RATE_HZ
    found: list[Sound] = []
    start = 0
    while start < len(samples):
        end = _cut(samples, start=start, length=round(piece_s * RATE_HZ))
        found.append(
            Sound(
                payload=_flac(samples[start:end]),
                start_s=start / RATE_HZ,
                duration_s=(end - start) / RATE_HZ,
                whole_s=whole_s,
            )
        )
        start = end
    return found


def _cut(samples: Any, *, start: int, length: int) -> int:
    """Where the piece from `start` ends: at the quietest tenth of a second near its full length."""
    if start + length >= len(samples):
        return len(samples)
    import numpy as np

    first = max(start + length // 2, start + length - round(_SEEK_S * RATE_HZ))
    hops = (start + length - first) // _HOP
    if hops < 1:
        return start + length
    loudness = np.square(samples[first : first + hops * _HOP]).reshape(hops, _HOP).sum(axis=1)
    return first + int(loudness.argmin()) * _HOP + _HOP // 2


def _flac(samples: Any) -> bytes:
    with needing("soundfile", to="send sound"):
        import soundfile
    sink = io.BytesIO()
    soundfile.write(sink, samples, RATE_HZ, format="FLAC", subtype="PCM_16")
    return sink.getvalue()
