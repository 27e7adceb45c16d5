"""NSNet2: takes noise away from speech, band by band."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.sounds import Samples, sound_of, sound_output
from dragoman.backends.box.spectra import frames, hann, overlap_add
from dragoman.media import read_audio
from dragoman.models.card import ModelCard
from dragoman.values import Arg

# What the net was trained on: github.com/microsoft/DNS-Challenge, NSNet2-baseline, at 48 kHz.
RATE_HZ = 48_000
FRAME, HOP, FFT = 960, 480, 1024
LEAST_POWER = 1e-12
CHUNK, LEAD = 1_500, 200  # frames of one call (15 s), and of the sound before it that the net hears again to settle


class NsNet2:
    """Microsoft's baseline of the deep noise suppression challenge, at 48 kHz."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card
        self._net = open_model(files["nsnet2.onnx"], threads=threads, has_arena=False)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`audio`: the recording with less noise, as long as it was, mono at 48 kHz."""
        del task
        samples = read_audio(sound_of(args), rate_hz=RATE_HZ)
        return [sound_output(self._cleaned(samples, tell=tell), rate_hz=RATE_HZ, name="audio")]

    def _cleaned(self, samples: Samples, *, tell: Tell) -> Samples:
        window = np.sqrt(hann(FRAME))
        padded = np.pad(samples, (HOP, FRAME + HOP - len(samples) % HOP))
        cut = frames(padded, size=FRAME, hop=HOP)
        pieces: list[Samples] = []
        for start in range(0, len(cut), CHUNK):
            lead = min(start, LEAD)
            spectrum = np.fft.rfft(cut[start - lead : start + CHUNK] * window, FFT)
            level = np.log10(np.maximum(np.abs(spectrum) ** 2, LEAST_POWER)).astype(np.float32)
            gain = self._net.run(self._net.outputs, {self._net.inputs[0]: level[None]})[0][0]
            pieces.append(np.fft.irfft(spectrum * gain, FFT)[lead:, :FRAME])
            tell(min(1.0, (start + CHUNK) / len(cut)), "taking noise away")
        cleaned = overlap_add(np.concatenate(pieces), hop=HOP, window=window)
        return cleaned[HOP : HOP + len(samples)].astype(np.float32)
