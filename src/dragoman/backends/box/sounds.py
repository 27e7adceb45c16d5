"""A recording into an adapter, sound out of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.base import Item, Produced
from dragoman.errors import ExpertError
from dragoman.media import wav_bytes
from dragoman.values import Arg

Samples = np.ndarray[Any, Any]


def sound_of(args: dict[str, Arg]) -> Path:
    """The file in the slot `audio`. Raises `ExpertError` if there is none."""
    given = args.get("audio")
    if not isinstance(given, Item):
        raise ExpertError("`audio` must be a recording, or a video with sound; hand one over.")
    return given.path


def sound_output(samples: Samples, *, rate_hz: int, name: str) -> Produced:
    """An output of sound: a WAV file with its facts."""
    facts = {"duration_s": round(len(samples) / rate_hz, 3), "rate_hz": rate_hz, "channels": 1}
    payload = wav_bytes(samples, rate_hz=rate_hz)
    return Produced(name=name, kind="audio", media_type="audio/wav", payload=payload, facts=facts)
