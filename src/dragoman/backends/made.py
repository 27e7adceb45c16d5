"""Outputs as the task specs name them, out of what a remote expert sent; files are opened before they are believed."""

from __future__ import annotations

import io
import math
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from dragoman.backends.base import Produced
from dragoman.backends.exchange import Received
from dragoman.errors import ExpertError, MediaError
from dragoman.values import Json

__all__ = [
    "data_output",
    "labels_output",
    "number",
    "picture_output",
    "rows_of",
    "shaped",
    "sound_output",
    "text_output",
    "unit_vectors",
]

_PICTURES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
_SOUNDS = {"WAV": "audio/wav", "FLAC": "audio/flac", "OGG": "audio/ogg", "MP3": "audio/mpeg"}


@contextmanager
def shaped(received: Received) -> Generator[None]:
    """Around reading a reply: whatever trips over its shape becomes an `ExpertError` that says what came."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise received.unlike("a result of the task") from error


def text_output(text: Json, *, received: Received, name: str = "text") -> Produced:
    """An output of words. Raises `ExpertError` where there are none."""
    if not isinstance(text, str) or not text.strip():
        raise received.unlike("words")
    return Produced(name=name, kind="text", media_type="text/plain", text=text.strip())


def data_output(name: str, value: Json) -> Produced:
    """An output of kind data."""
    return Produced(name=name, kind="data", media_type="application/json", data=value)


def labels_output(rows: Json, *, received: Received) -> Produced:
    """`[{label, score}]`, best first, out of rows that name more."""
    pairs = [
        (str(row["label"]), number(row.get("score"), received=received))
        for row in rows
        if isinstance(row, dict) and row.get("label") is not None
    ]
    if not pairs:
        raise received.unlike("labels with scores")
    pairs.sort(key=lambda pair: -pair[1])
    return data_output("labels", [{"label": label, "score": round(score, 4)} for label, score in pairs])


def number(value: Json, *, received: Received) -> float:
    """A finite number. Raises `ExpertError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise received.unlike("numbers")
    return float(value)


def unit_vectors(rows: Json, *, received: Received, count: int) -> list[list[float]]:
    """`count` vectors of unit length. Raises `ExpertError` where their number or shape is off."""
    if not isinstance(rows, list) or len(rows) != count:
        raise received.unlike(f"{count} vectors")
    return [_unit(row, received=received) for row in rows]


def _unit(row: Json, *, received: Received) -> list[float]:
    if not isinstance(row, list) or not row:
        raise received.unlike("vectors")
    values = [number(value, received=received) for value in row]
    length = math.sqrt(sum(value * value for value in values)) or 1.0
    return [round(value / length, 7) for value in values]


def picture_output(received: Received, *, name: str = "image") -> Produced:
    """The picture that was sent, as it was sent. Raises `ExpertError` where the bytes are no picture."""
    from dragoman.media.bounds import needing
    from dragoman.media.pictures import pixels_of, readable

    with needing("Pillow", to="read pictures"):
        from PIL import Image
    try:
        with readable("the reply"), Image.open(io.BytesIO(received.payload), formats=list(_PICTURES)) as image:
            media_type = _PICTURES[str(image.format)]
            height_px, width_px = pixels_of(image).shape[:2]
    except MediaError as error:
        raise received.unlike("a picture") from error
    facts: dict[str, Json] = {"width_px": int(width_px), "height_px": int(height_px), "frames": 1}
    return Produced(name=name, kind="image", media_type=media_type, payload=received.payload, facts=facts)


def sound_output(received: Received, *, name: str) -> Produced:
    """The sound that was sent, as it was sent. Raises `ExpertError` where the bytes are no sound."""
    from dragoman.media.bounds import needing

    with needing("soundfile", to="read sound"):
        import soundfile
    try:
        found = soundfile.info(io.BytesIO(received.payload))
    except (soundfile.SoundFileError, TypeError, ValueError) as error:
        raise received.unlike("a sound") from error
    if not found.frames or found.format not in _SOUNDS:
        raise received.unlike("a sound")
    facts: dict[str, Json] = {
        "duration_s": round(found.frames / found.samplerate, 3),
        "rate_hz": int(found.samplerate),
        "channels": int(found.channels),
    }
    return Produced(name=name, kind="audio", media_type=_SOUNDS[found.format], payload=received.payload, facts=facts)


def rows_of(value: Json, *, received: Received) -> Sequence[dict[str, Json]]:
    """A list of objects, out of a list, a list in a list (one per input), or a single object."""
    if isinstance(value, dict):
        if value.get("error"):
            raise ExpertError(f"{received.says} failed: {str(value['error'])[:200]}; take another expert.")
        value = [value]
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise received.unlike("a list of results")
    return value
