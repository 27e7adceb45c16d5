"""Disparity of a stereo pair: how far each point shifts between the left and the right view.

Source: H. Hirschmüller, "Stereo Processing by Semi-Global Matching and Mutual Information", IEEE PAMI 2008; OpenCV's
block variant of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from dragoman.backends.box.pictures import Pixels
from dragoman.errors import ExpertError

Array = npt.NDArray[Any]

SIDE_PX = 1024  # the longer side at which views are matched: time and memory grow with its third power
LEAST_COVERAGE = 0.15  # below it the two pictures are no stereo pair
_RANGE = 0.125  # of the width: nearer things shift more, and are not matched
_STEP_PX = 16  # the matcher takes ranges in such steps
_BLOCK_PX = 5
_FRACTION = 16.0  # it answers in sixteenths of a pixel


@dataclass(frozen=True, kw_only=True, slots=True)
class Disparity:
    """How points shift, at the size at which the views were matched.

    pixels: (h, w) float32 shifts to the left, in pixels of the picture. is_known: where the views could be matched.
    """

    pixels: Array
    is_known: Array

    @property
    def coverage(self) -> float:
        """The matched share of the picture, 0..1."""
        return float(self.is_known.mean())


def disparity(left: Pixels, right: Pixels) -> Disparity:
    """What `right` says about the depth of `left`. Raises `ExpertError` if they are no rectified pair."""
    if left.shape != right.shape:
        (height, width), (other_height, other_width) = left.shape[:2], right.shape[:2]
        raise ExpertError(
            f"Both views of a stereo pair have one size; `image` is {width} x {height} pixels, `right` is"
            f" {other_width} x {other_height}."
        )
    scale = min(1.0, SIDE_PX / max(left.shape))
    shifts = _matched(_grey(left, scale), _grey(right, scale))
    is_known = shifts > 0
    if is_known.mean() < LEAST_COVERAGE:
        raise ExpertError(
            f"Only {is_known.mean():.0%} of the two pictures could be matched: they are no stereo pair. Wanted are a"
            " left view as `image` and a right view as `right`, taken side by side and rectified (rows at one height)."
        )
    return Disparity(pixels=shifts / np.float32(scale), is_known=is_known)


def filled(found: Disparity) -> Array:
    """The disparity with its holes closed: from the farther of the two known neighbours in the row, then from the rows.

    What one view does not see lies behind what hides it.
    """
    shifts = np.where(found.is_known, found.pixels, np.float32(np.nan))
    before, after = _carried(shifts), _carried(shifts[:, ::-1])[:, ::-1]
    rows = np.fmin(before, after)
    columns = np.fmin(_carried(rows.T).T, _carried(rows[::-1].T).T[::-1])
    return np.where(np.isnan(rows), columns, rows).astype(np.float32)


def _grey(pixels: Pixels, scale: float) -> Array:
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    if scale == 1.0:
        return np.asarray(grey)
    size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA))


def _matched(left: Array, right: Array) -> Array:
    """(h, w) float32 shifts; what is not known is not above 0."""
    height, width = left.shape
    range_px = max(_STEP_PX, -(-round(width * _RANGE) // _STEP_PX) * _STEP_PX)
    if width <= range_px + _BLOCK_PX or height <= _BLOCK_PX:
        return np.zeros(left.shape, np.float32)
    make: Any = getattr(cv2, "StereoSGBM_create")  # noqa: B009 - missing in OpenCV's own type stubs
    matcher = make(
        minDisparity=0,
        numDisparities=range_px,
        blockSize=_BLOCK_PX,
        P1=8 * 3 * _BLOCK_PX**2,
        P2=32 * 3 * _BLOCK_PX**2,
        uniquenessRatio=5,
        speckleWindowSize=100,
        speckleRange=2,
    )
    return matcher.compute(left, right).astype(np.float32) / np.float32(_FRACTION)


def _carried(rows: Array) -> Array:
    """Each row with its last known number carried on over the unknown ones (NaN)."""
    at = np.where(np.isnan(rows), 0, np.arange(rows.shape[1]))
    return np.take_along_axis(rows, np.maximum.accumulate(at, axis=1), axis=1)
