"""CenterNet on MobileNetV3: everyday objects in a picture, found as the middles of boxes.

Source: "Objects as Points", X. Zhou and others, 2019; the weights are a TensorFlow.js graph with distances to the four
edges in place of widths and heights.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from dragoman.backends.box import tfjs
from dragoman.backends.box.boxes import Found
from dragoman.backends.box.onnx_session import open_model

Array = npt.NDArray[Any]

SIDE_PX = 512
CELL_PX = 4
_MIDDLES, _EDGES, _INPUT = "tower_0/keypoints", "tower_0/wh", "tower_0/images"


class CenterNet:
    """A loaded net that names things by `labels`."""

    def __init__(self, net: Path, *, labels: Sequence[str], threads: int) -> None:
        self._model = open_model(net, threads=threads)
        self._labels = labels

    def find(self, pixels: Array, *, floor: float) -> list[Found]:
        """Everything with a score above `floor`, repeats included."""
        view, scale = fitted(pixels, SIDE_PX)
        middles, edges = self._model.run([_MIDDLES, _EDGES], {_INPUT: view[None].astype(np.float32)})
        return [
            Found(label=self._labels[label], score=score, box=box)
            for label, score, box in peaks(middles[0], edges[0], floor=floor, scale=scale)
        ]


def fitted(pixels: Array, side_px: int) -> tuple[Array, float]:
    """The picture scaled into a corner of a black square, (side, side, 3) uint8, and by how much it was scaled."""
    image = Image.fromarray(pixels)
    scale = side_px / max(image.size)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    square = Image.new("RGB", (side_px, side_px))
    square.paste(image.resize(size, Image.Resampling.BILINEAR))
    return np.asarray(square), scale


def peaks(
    middles: Array, edges: Array, *, floor: float, scale: float
) -> list[tuple[int, float, tuple[float, float, float, float]]]:
    """(label, score, box) of each cell that beats its neighbours and `floor`.

    middles: (h, w, labels) scores. edges: (h, w, 4) distances to left, top, right, bottom in pixels of the view.
    """
    padded = np.pad(middles, ((1, 1), (1, 1), (0, 0)))
    height, width, _ = middles.shape
    around = np.max([padded[y : y + height, x : x + width] for y in range(3) for x in range(3)], axis=0)
    found: list[tuple[int, float, tuple[float, float, float, float]]] = []
    for y, x, label in np.argwhere((middles > floor) & (middles == around)).tolist():
        left, top, right, bottom = edges[y, x].tolist()
        cx, cy = x * CELL_PX, y * CELL_PX
        box = ((cx - left) / scale, (cy - top) / scale, (cx + right) / scale, (cy + bottom) / scale)
        found.append((label, float(middles[y, x, label]), box))
    return found


def to_onnx(files: dict[str, Path], out: Path) -> None:
    """Write `centernet.onnx` for `centernet.json` and `centernet.bin`."""
    import onnx

    model = tfjs.to_onnx(files["centernet.json"], files["centernet.bin"], outputs=[_MIDDLES, _EDGES])
    onnx.save(model, out / "centernet.onnx")
