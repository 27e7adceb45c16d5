"""NSNet2: takes noise away from speech, band by band."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.sounds import MOST_S, Samples, read_sound, sound_output
from dragoman.backends.box.spectra import frames, hann, overlap_add
from dragoman.models.card import ModelCard
from dragoman.values import Arg

# What the net was trained on: github.com/microsoft/DNS-Challenge, NSNet2-baseline, at 48 kHz.
RATE_HZ = 48_000
FRAME, HOP, FFT = 960, 480, 1024
LEAST_POWER = 1e-12
SECTION, LEAD = 15 * RATE_HZ, 2 * RATE_HZ  # samples of one call, and of the sound before it that the net hears again


class NsNet2:
    """Microsoft's baseline of the deep noise suppression challenge, at 48 kHz."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card
        self._net = open_model(files["nsnet2.onnx"], threads=threads, has_arena=False)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`audio`: the recording with less noise, as long as it was, mono at 48 kHz."""
        del task
        samples = read_sound(args, rate_hz=RATE_HZ, most_s=MOST_S)
        return [sound_output(self._cleaned(samples, tell=tell), rate_hz=RATE_HZ, name="audio")]

    def _cleaned(self, samples: Samples, *, tell: Tell) -> Samples:
        # One frame of silence on either side, so that every sample lies under two windows.
        padded = np.pad(samples, (FRAME, FRAME + -len(samples) % HOP)).astype(np.float32)
        cleaned = np.zeros_like(padded)
        for start in range(0, len(padded), SECTION):
            first, last = max(0, start - LEAD), min(len(padded), start + SECTION + FRAME)
            piece = self._section(padded[first:last])
            end = min(start + SECTION, first + len(piece))
            cleaned[start:end] = piece[start - first : end - first]
            tell(min(1.0, (start + SECTION) / len(padded)), "taking noise away")
        return cleaned[FRAME : FRAME + len(samples)]

    def _section(self, samples: Samples) -> Samples:
        if len(samples) < FRAME:
            return samples
        window = np.sqrt(hann(FRAME))
        spectrum = np.fft.rfft(frames(samples, size=FRAME, hop=HOP) * window, FFT)
        level = np.log10(np.maximum(np.abs(spectrum) ** 2, LEAST_POWER)).astype(np.float32)
        gain = self._net.run(self._net.outputs, {self._net.inputs[0]: level[None]})[0][0]
        return overlap_add(np.fft.irfft(spectrum * gain, FFT)[:, :FRAME], hop=HOP, window=window)
