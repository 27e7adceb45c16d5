"""Condition maps by OpenCV's classical methods: edges and straight lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.pictures import Pixels, image_output, picture
from dragoman.models.card import ModelCard
from dragoman.values import Arg

GreyMap = npt.NDArray[Any]  # (H, W) uint8, white on black

_SPREAD = 0.33  # of Canny's thresholds around the median brightness
_LOWEST, _HIGHEST = 40.0, 180.0  # on black the median would call noise an edge, on white it would miss faint ones
_SHORTEST = 0.03  # of the picture's longer side: shorter segments are texture, not lines


class EdgeMap:
    """Adapter for canny-control."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, files
        cv2.setNumThreads(threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The edge map."""
        del task, tell
        return [image_output(edges(picture(args)))]


class LineMap:
    """Adapter for mlsd-control."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, files
        cv2.setNumThreads(threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The line map."""
        del task, tell
        return [image_output(straight_lines(picture(args)))]


def edges(pixels: Pixels) -> GreyMap:
    """Canny's edges, white on black, with thresholds a third below and above the median brightness.

    Source: J. Canny, "A Computational Approach to Edge Detection", IEEE PAMI 1986.
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), (3, 3), 0)
    middle = min(max(float(np.median(grey)), _LOWEST), _HIGHEST)
    return np.asarray(cv2.Canny(grey, (1 - _SPREAD) * middle, (1 + _SPREAD) * middle))


def straight_lines(pixels: Pixels) -> GreyMap:
    """The line segments of a picture, white on black, without the shortest.

    Source: LSD, R. Grompone von Gioi and others, IEEE PAMI 2010.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    drawn = np.zeros_like(grey)
    # The detector reads past the edge of pictures smaller than its filters.
    if min(grey.shape) < 16:
        return drawn
    found: Any = cv2.createLineSegmentDetector().detect(grey)[0]  # None where there is no line
    segments = np.zeros((0, 4), np.float32) if found is None else np.asarray(found).reshape(-1, 4)
    shortest = _SHORTEST * max(grey.shape)
    width = max(1, round(max(grey.shape) / 500))
    for x0, y0, x1, y1 in segments.tolist():
        if (x1 - x0) ** 2 + (y1 - y0) ** 2 >= shortest**2:
            cv2.line(drawn, (round(x0), round(y0)), (round(x1), round(y1)), 255, width, cv2.LINE_AA)
    return drawn
