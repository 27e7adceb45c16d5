"""The family of small detectors that MediaPipe ships: one net, anchors on square grids, boxes with key points.

Source: "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", V. Bazarevsky and others, 2019; "BlazePose:
On-device Real-time Body Pose Tracking", the same, 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from dragoman.backends.box.boxes import Box, overlap

Array = npt.NDArray[Any]


class LiteNet:
    """A net with one input, run by LiteRT."""

    def __init__(self, path: Path, *, threads: int) -> None:
        from ai_edge_litert.interpreter import Interpreter

        self._net = Interpreter(str(path), num_threads=threads)
        self._net.allocate_tensors()
        self._input = self._net.get_input_details()[0]["index"]
        self._outputs = [each["index"] for each in self._net.get_output_details()]

    def run(self, view: Array) -> list[Array]:
        """The outputs for one (side, side, 3) view, in the net's own order."""
        self._net.set_tensor(self._input, view.astype(np.float32)[None])
        self._net.invoke()
        return [self._net.get_tensor(index) for index in self._outputs]


@dataclass(frozen=True, kw_only=True, slots=True)
class Spotted:
    """One found face or body. box and points: pixels of the picture."""

    score: float
    box: Box
    points: tuple[tuple[float, float], ...]


class Spotter:
    """Finds faces, or bodies, in a picture. layers: (stride in pixels, anchors a cell) of its grids, finest first."""

    def __init__(self, path: Path, *, side_px: int, layers: Sequence[tuple[int, int]], threads: int) -> None:
        self._net = LiteNet(path, threads=threads)
        self._side_px = side_px
        self._anchors = anchors(side_px, layers)

    def find(self, pixels: Array, *, floor: float) -> list[Spotted]:
        """What reaches `floor`, best first, each once."""
        view, scale, corner = centred(pixels, self._side_px)
        offsets, logits = self._net.run(view / 127.5 - 1)
        scores = probabilities(logits[0, :, 0])
        places = offsets[0].astype(np.float64).reshape(len(scores), -1, 2)
        sizes, places = places[:, 1], np.delete(places, 1, axis=1) + self._anchors[:, None] * self._side_px
        kept: list[Spotted] = []
        for row in sorted(np.flatnonzero(scores >= floor).tolist(), key=lambda row: -scores[row]):
            (x, y), *points = ((places[row] - corner) / scale).tolist()
            half_w, half_h = (sizes[row] / scale / 2).tolist()
            box = (x - half_w, y - half_h, x + half_w, y + half_h)
            if all(overlap(box, other.box) < 0.3 for other in kept):
                kept.append(Spotted(score=float(scores[row]), box=box, points=tuple((a, b) for a, b in points)))
        return kept


def anchors(side_px: int, layers: Sequence[tuple[int, int]]) -> Array:
    """(n, 2) middles of the anchors, as fractions of the view: x, y."""
    rows: list[tuple[float, float]] = []
    for stride_px, count in layers:
        cells = -(-side_px // stride_px)
        rows += [
            ((x + 0.5) / cells, (y + 0.5) / cells) for y in range(cells) for x in range(cells) for _ in range(count)
        ]
    return np.array(rows)


def centred(pixels: Array, side_px: int) -> tuple[Array, float, Array]:
    """The picture scaled into the middle of a black square; by how much it was scaled; where its corner (x, y) lies."""
    image = Image.fromarray(pixels)
    scale = side_px / max(image.size)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    corner = ((side_px - size[0]) // 2, (side_px - size[1]) // 2)
    square = Image.new("RGB", (side_px, side_px))
    square.paste(image.resize(size, Image.Resampling.BILINEAR), corner)
    return np.asarray(square), scale, np.array(corner, np.float64)


def probabilities(logits: Array) -> Array:
    """Logits as shares, 0..1."""
    return 1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -50, 50)))
