"""YAMNet: which of AudioSet's 521 sounds are in a recording, and when somebody speaks."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.sounds import Samples, sound_of
from dragoman.backends.box.spans import Rules, as_segments, spans
from dragoman.backends.box.spectra import frames, hann, mel_bands
from dragoman.backends.box.texts import data_output, labels_output
from dragoman.errors import ExpertError
from dragoman.media import read_audio
from dragoman.models.card import ModelCard
from dragoman.values import Arg

Array = np.ndarray[Any, Any]

# What the net was trained on: github.com/tensorflow/models, research/audioset/yamnet, params.py.
RATE_HZ = 16_000
FRAME, HOP, FFT = 400, 160, 512
BANDS, LOW_HZ, HIGH_HZ = 64, 125.0, 7500.0
FLOOR = 0.001
PATCH, PATCH_HOP = 96, 48  # frames: 0.96 s, one each 0.48 s
STEP_S = PATCH_HOP * HOP / RATE_HZ
LEAST = FRAME + (PATCH - 1) * HOP  # samples of one patch
# How this file of the net writes numbers as bytes: scale and zero of its input and its output.
IN_SCALE, IN_ZERO = 0.047937885, 144
OUT_SCALE, OUT_ZERO = 0.75654173, 190
LASTING = 3  # patches, about two seconds: a class counts by the stretch where it is heard best
VOICES = (
    "Speech", "Child speech, kid speaking", "Conversation", "Narration, monologue", "Speech synthesizer", "Shout",
    "Whispering",
)  # fmt: skip


class Yamnet:
    """YAMNet with 8 bit weights and activations, so its scores are coarse."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._top = int(card.options.get("top", 10))
        with files["yamnet_class_map.csv"].open(encoding="utf-8", newline="") as file:
            self._labels = [row["display_name"] for row in csv.DictReader(file)]
        self._net = open_model(files["model.onnx"], threads=threads)
        self._bands = mel_bands(bands=BANDS, fft=FFT, rate_hz=RATE_HZ, low_hz=LOW_HZ, high_hz=HIGH_HZ)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`labels`, the best ten, or for `voice-activity-detection` `segments` of speech."""
        samples = read_audio(sound_of(args), rate_hz=RATE_HZ)
        scores = self._scores(samples, tell=tell)
        if task == "audio-classification":
            best = lasting(scores, patches=LASTING)
            top = np.argsort(best)[::-1][: self._top]
            return [labels_output({self._labels[at]: float(best[at]) for at in top})]
        if task == "voice-activity-detection":
            voices = scores[:, [self._labels.index(voice) for voice in VOICES]].max(axis=1)
            return [data_output(as_segments(_when(voices, duration_s=len(samples) / RATE_HZ)), name="segments")]
        raise ExpertError(f"YAMNet can't do `{task}`; it does audio-classification and voice-activity-detection.")

    def _scores(self, samples: Samples, *, tell: Tell) -> Array:
        """(patches, classes), 0..1."""
        levels = log_mel(centred(samples, least=LEAST), self._bands)
        starts = range(0, len(levels) - PATCH + 1, PATCH_HOP)
        rows: list[Array] = []
        for number, start in enumerate(starts):
            patch = np.rint(levels[start : start + PATCH] / IN_SCALE + IN_ZERO).clip(0, 255).astype(np.uint8)
            rows.append(self._net.run(self._net.outputs, {"audio": patch[None, None]})[0][0].astype(np.float64))
            tell((number + 1) / len(starts), "listening")
        return 1.0 / (1.0 + np.exp(-(np.stack(rows) - OUT_ZERO) * OUT_SCALE))


def log_mel(samples: Samples, bands: Array) -> Array:
    """(frames, bands): the logarithm of the magnitude in each mel band, one frame each 10 ms."""
    magnitude = np.abs(np.fft.rfft(frames(samples, size=FRAME, hop=HOP) * hann(FRAME), FFT))
    return np.log(magnitude @ bands + FLOOR)


def centred(samples: Samples, *, least: int) -> Samples:
    """`samples` with silence around them if there are fewer than `least`."""
    missing = max(0, least - len(samples))
    return np.pad(samples, (missing // 2, missing - missing // 2))


def lasting(scores: Array, *, patches: int) -> Array:
    """For every class, its mean over the `patches` patches in a row where that is highest."""
    if len(scores) <= patches:
        return scores.mean(axis=0)
    sums = np.cumsum(np.vstack([np.zeros(scores.shape[1]), scores]), axis=0)
    return (sums[patches:] - sums[:-patches]).max(axis=0) / patches


def unpack(files: dict[str, Path], out: Path) -> None:
    """The two files of the net out of the archive that carries them."""
    with zipfile.ZipFile(files["yamnet.zip"]) as archive:
        for member in archive.infolist():
            name = Path(member.filename).name
            if name in {"model.onnx", "model.data"}:
                (out / name).write_bytes(archive.read(member))


def _when(voices: Array, *, duration_s: float) -> list[tuple[float, float]]:
    rules = Rules(enter=0.5, leave=0.3, least_s=0.3, gap_s=0.3, pad_s=0.24)
    return spans([float(voice) for voice in voices], step_s=STEP_S, duration_s=duration_s, rules=rules)
