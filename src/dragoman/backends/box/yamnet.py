"""YAMNet: which of AudioSet's 521 sounds are in a recording."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.sounds import Samples, read_sound
from dragoman.backends.box.spectra import frames, hann, lasting, mel_bands
from dragoman.backends.box.texts import labels_output
from dragoman.models.card import ModelCard
from dragoman.values import Arg

Array = np.ndarray[Any, Any]

# What the net was trained on: github.com/tensorflow/models, research/audioset/yamnet, params.py.
RATE_HZ = 16_000
FRAME, HOP, FFT = 400, 160, 512
BANDS, LOW_HZ, HIGH_HZ = 64, 125.0, 7500.0
FLOOR = 0.001
PATCH, PATCH_HOP = 96, 48  # frames: 0.96 s, one each 0.48 s
LEAST = FRAME + (PATCH - 1) * HOP  # samples of one patch
BLOCK = 6_000  # frames that are transformed at once, a minute
# How this file of the net writes numbers as bytes: scale and zero of its input and its output.
IN_SCALE, IN_ZERO = 0.047937885, 144
OUT_SCALE, OUT_ZERO = 0.75654173, 190
LASTING = 3  # patches, about two seconds: a class counts by the stretch where it is heard best


class Yamnet:
    """YAMNet with 8 bit weights and activations, so its scores are coarse."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._top = int(card.options.get("top", 10))
        with files["yamnet_class_map.csv"].open(encoding="utf-8", newline="") as file:
            self._labels = [row["display_name"] for row in csv.DictReader(file)]
        self._net = open_model(files["model.onnx"], threads=threads)
        self._bands = mel_bands(bands=BANDS, fft=FFT, rate_hz=RATE_HZ, low_hz=LOW_HZ, high_hz=HIGH_HZ)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`labels`: the sounds that are heard best, ten of them."""
        del task
        scores = lasting(self._scores(read_sound(args, rate_hz=RATE_HZ), tell=tell), steps=LASTING)
        top = np.argsort(scores)[::-1][: self._top]
        return [labels_output({self._labels[at]: float(scores[at]) for at in top})]

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
    cut, window = frames(samples, size=FRAME, hop=HOP), hann(FRAME)
    blocks = (cut[start : start + BLOCK] for start in range(0, len(cut), BLOCK))
    return np.concatenate([np.log(np.abs(np.fft.rfft(block * window, FFT)) @ bands + FLOOR) for block in blocks])


def centred(samples: Samples, *, least: int) -> Samples:
    """`samples` with silence around them if there are fewer than `least`."""
    missing = max(0, least - len(samples))
    return np.pad(samples, (missing // 2, missing - missing // 2))


def unpack(files: dict[str, Path], out: Path) -> None:
    """The two files of the net out of the archive that carries them."""
    with zipfile.ZipFile(files["yamnet.zip"]) as archive:
        for member in archive.infolist():
            name = Path(member.filename).name
            if name in {"model.onnx", "model.data"}:
                (out / name).write_bytes(archive.read(member))
