"""Object detection by an SSD on MobileNetV2, run by LiteRT.

Source: "SSD: Single Shot MultiBox Detector", W. Liu and others, 2016; anchors and box coding as in the TensorFlow
object detection models.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from dragoman.backends.box.boxes import Found
from dragoman.backends.box.objects import ObjectFinder, tidy
from dragoman.models.card import ModelCard

Array = npt.NDArray[Any]

SIDE_PX = 300
FLOOR = 0.4
_GRIDS = (19, 10, 5, 3, 2, 1)
_SCALES = (0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0)
_RATIOS = (1.0, 2.0, 0.5, 3.0, 1 / 3)
_CENTRE_SCALE, _SIZE_SCALE = 10.0, 5.0


def anchors() -> Array:
    """The (1917, 4) anchor boxes, as fractions of the picture: middle x, middle y, width, height."""
    rows: list[tuple[float, float, float, float]] = []
    for layer, (grid, (scale, next_scale)) in enumerate(zip(_GRIDS, pairwise(_SCALES), strict=True)):
        # The finest layer has three shapes only, the others also one between their scale and the next.
        shapes = [(0.1, 1.0), (scale, 2.0), (scale, 0.5)] if layer == 0 else [(scale, ratio) for ratio in _RATIOS]
        if layer:
            shapes.append((sqrt(scale * next_scale), 1.0))
        for y in range(grid):
            for x in range(grid):
                rows += [((x + 0.5) / grid, (y + 0.5) / grid, s * sqrt(r), s / sqrt(r)) for s, r in shapes]
    return np.array(rows)


def decoded(offsets: Array, at: Array) -> Array:
    """(n, 4) left, top, right, bottom as fractions, out of (n, 4) offsets (y, x, height, width) from anchors."""
    cy = offsets[:, 0] / _CENTRE_SCALE * at[:, 3] + at[:, 1]
    cx = offsets[:, 1] / _CENTRE_SCALE * at[:, 2] + at[:, 0]
    half_h = np.exp(offsets[:, 2] / _SIZE_SCALE) * at[:, 3] / 2
    half_w = np.exp(offsets[:, 3] / _SIZE_SCALE) * at[:, 2] / 2
    return np.stack([cx - half_w, cy - half_h, cx + half_w, cy + half_h], axis=1)


class SsdObjects(ObjectFinder):
    """Adapter for object-detection: 23 kinds of Open Images."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        from ai_edge_litert.interpreter import Interpreter

        del card
        self._net = Interpreter(str(files["ssd.tflite"]), num_threads=threads)
        self._net.allocate_tensors()
        self._labels = read_labels(files["labels.txt"])
        self._anchors = anchors()

    def find(self, pixels: Array) -> list[Found]:
        """The things in a picture, best first, each once."""
        view = Image.fromarray(pixels).resize((SIDE_PX, SIDE_PX), Image.Resampling.BILINEAR)
        self._net.set_tensor(self._net.get_input_details()[0]["index"], np.asarray(view, np.float32)[None] / 127.5 - 1)
        self._net.invoke()
        one, other = (self._net.get_tensor(output["index"]) for output in self._net.get_output_details())
        offsets, logits = (one, other) if one.shape[-1] == 4 else (other, one)
        height_px, width_px = pixels.shape[:2]
        boxes = decoded(offsets.reshape(-1, 4), self._anchors) * (width_px, height_px, width_px, height_px)
        scores = 1 / (1 + np.exp(-logits.reshape(-1, len(self._labels)).astype(np.float64)))
        return tidy(pixels, named(boxes, scores, self._labels))


def named(boxes: Array, scores: Array, labels: Sequence[str]) -> list[Found]:
    """What reaches `FLOOR`; column 0 of the scores is the background."""
    return [
        Found(label=labels[label], score=float(scores[row, label]), box=tuple(boxes[row].tolist()))
        for row, label in np.argwhere(scores > FLOOR).tolist()
        if label > 0
    ]


def read_labels(path: Path) -> list[str]:
    """The names of a label file, one a line, in small letters."""
    return path.read_text(encoding="utf-8").strip().lower().splitlines()
