"""Soft outlines of a picture by HED, and scribbles made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.hed_net import EDGES, PICTURE
from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.pictures import Pixels, image_output, picture
from dragoman.models.card import ModelCard
from dragoman.values import Arg

GreyMap = npt.NDArray[Any]  # (H, W) uint8, white on black

SIDE_PX = 512  # the longer side that the net gets: time and memory grow with the area
_MEANS = (104.00699, 116.66877, 122.67892)  # blue, green, red of the pictures that VGG16 learned from
_SURE = 130  # of 255: fainter outlines make no stroke
_SHORTEST = 0.06  # of the longer side: shorter strokes are texture
_SIDEWAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Outlines:
    """Adapter for hed-control and scribble-control."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card
        cv2.setNumThreads(threads)
        self._model = open_model(files["hed.onnx"], threads=threads, has_arena=False)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The outlines, or the scribble, at the picture's own size."""
        pixels = picture(args)
        tell(0.1, "drawing the outlines")
        drawn = self.outlines(reduced(pixels, SIDE_PX))
        if task == "scribble-control":
            drawn = strokes(drawn)
        height_px, width_px = pixels.shape[:2]
        return [image_output(cv2.resize(drawn, (width_px, height_px), interpolation=cv2.INTER_LINEAR))]

    def outlines(self, pixels: Pixels) -> GreyMap:
        """How sure the net is of an outline at each pixel."""
        blue_first = pixels[:, :, ::-1].astype(np.float32) - np.array(_MEANS, np.float32)
        (edges,) = self._model.run([EDGES], {PICTURE: np.ascontiguousarray(blue_first.transpose(2, 0, 1))[None]})
        return (edges[0, 0] * 255).round().astype(np.uint8)


def reduced(pixels: Pixels, side_px: int) -> Pixels:
    """The picture with a longer side of at most `side_px`."""
    height_px, width_px = pixels.shape[:2]
    scale = side_px / max(height_px, width_px)
    if scale >= 1:
        return pixels
    size = (max(1, round(width_px * scale)), max(1, round(height_px * scale)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))


def strokes(outlines: GreyMap) -> GreyMap:
    """The crests of sure outlines as even white strokes on black, without the shortest."""
    smooth = cv2.GaussianBlur(outlines, (0, 0), 2.0).astype(np.int16)
    padded = np.pad(smooth, 1, mode="edge")
    height, width = smooth.shape

    def beside(down: int, right: int) -> GreyMap:
        return padded[1 + down : 1 + down + height, 1 + right : 1 + right + width]

    # Across an outline it bends most; the pixel is on its crest if it is the highest in that direction.
    bends = np.stack([2 * smooth - beside(y, x) - beside(-y, -x) for y, x in _SIDEWAYS])
    tops = np.stack([(smooth >= beside(y, x)) & (smooth > beside(-y, -x)) for y, x in _SIDEWAYS])
    crests = np.take_along_axis(tops, bends.argmax(axis=0)[None], axis=0)[0]
    thin = (crests & (smooth >= _SURE)).astype(np.uint8)
    return cv2.dilate(_without_short(thin), np.ones((3, 3), np.uint8)) * np.uint8(255)


def _without_short(thin: GreyMap) -> GreyMap:
    _, parts, measured, _ = cv2.connectedComponentsWithStats(thin, connectivity=8)
    extent = measured[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    is_long = extent >= _SHORTEST * max(thin.shape)
    is_long[0] = False  # part 0 is the ground
    return is_long[parts].astype(np.uint8)
