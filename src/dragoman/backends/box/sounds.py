"""A recording into an adapter, sound out of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.base import Item, Produced
from dragoman.errors import ExpertError
from dragoman.media import read_audio, wav_bytes
from dragoman.values import Arg

Samples = np.ndarray[Any, Any]
MOST_S = 3_600.0  # of a recording that is changed at 48 kHz: about 2 GB of memory


def sound_of(args: dict[str, Arg]) -> Path:
    """The file in the slot `audio`. Raises `ExpertError` if there is none."""
    given = args.get("audio")
    if not isinstance(given, Item):
        raise ExpertError("`audio` must be a recording, or a video with sound; hand one over.")
    return given.path


def read_sound(args: dict[str, Arg], *, rate_hz: int, most_s: float | None = None) -> Samples:
    """The recording in the slot `audio`, (samples,) float32, mono. Raises `ExpertError` if it lasts over `most_s`."""
    samples = read_audio(sound_of(args), rate_hz=rate_hz, max_s=None if most_s is None else most_s + 1)
    if most_s is not None and len(samples) > most_s * rate_hz:
        raise ExpertError(
            f"The recording lasts over {most_s / 60:.0f} minutes, more than this expert takes at once.",
            helps="Cut it and hand over the parts.",
        )
    return samples


def sound_output(samples: Samples, *, rate_hz: int, name: str) -> Produced:
    """An output of sound: a WAV file with its facts."""
    facts = {"duration_s": round(len(samples) / rate_hz, 3), "rate_hz": rate_hz, "channels": 1}
    payload = wav_bytes(samples, rate_hz=rate_hz)
    return Produced(name=name, kind="audio", media_type="audio/wav", payload=payload, facts=facts)
