"""Silero VAD: when somebody speaks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.sounds import Samples, read_sound
from dragoman.backends.box.spans import Rules, as_segments, spans
from dragoman.backends.box.spectra import frames
from dragoman.backends.box.texts import data_output
from dragoman.models.card import ModelCard
from dragoman.values import Arg

RATE_HZ = 16_000
STEP = 512  # samples of one chance: 32 ms
CONTEXT = 64  # samples before it that the net sees too
STATE = (1, 1, 128)
BATCH = 4_000  # steps of one call of the net, about two minutes


class SpeechDetector:
    """The net itself: a chance of speech for every 32 ms."""

    step_s = STEP / RATE_HZ

    def __init__(self, path: Path) -> None:
        self._net = open_model(path, threads=1, has_arena=False)

    def chances(self, samples: Samples, *, tell: Tell | None = None) -> list[float]:
        """The chance of speech, 0..1, of every `step_s` of `samples` (mono at 16 kHz)."""
        padded = np.pad(samples, (CONTEXT, -len(samples) % STEP)).astype(np.float32)
        steps = frames(padded, size=CONTEXT + STEP, hop=STEP)
        state = [np.zeros(STATE, np.float32), np.zeros(STATE, np.float32)]
        found: list[float] = []
        for at in range(0, len(steps), BATCH):
            given = {"input": np.ascontiguousarray(steps[at : at + BATCH]), "h": state[0], "c": state[1]}
            chances, *state = self._net.run(self._net.outputs, given)
            found += [float(chance) for chance in np.ravel(chances)]
            if tell:
                tell(len(found) / len(steps), "listening for speech")
        return found


class SileroVad:
    """When somebody speaks: `segments` with start and end in seconds."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, threads  # the net is too small to be worth a second thread
        self._detector = SpeechDetector(files["silero_vad.onnx"])

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`segments`: [{start_s, end_s}], empty where nobody speaks."""
        del task
        samples = read_sound(args, rate_hz=RATE_HZ)
        chances = self._detector.chances(samples, tell=tell)
        found = spans(chances, step_s=STEP / RATE_HZ, duration_s=len(samples) / RATE_HZ, rules=Rules())
        return [data_output(as_segments(found), name="segments")]
