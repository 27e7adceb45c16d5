"""Depth and surface directions from two views of one scene."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.pictures import data_output, image_output, picture
from dragoman.backends.box.stereo import Disparity, disparity, filled
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json

Array = npt.NDArray[Any]

UNIT = "pixels of disparity: relative, larger is nearer (metres would need the camera's focal length and baseline)"
_FOCAL = 1.0  # of the width, a field of view of 53 degrees: the pictures don't say their own
_SMOOTH = 0.006  # of the longer side, before slopes are taken


class StereoDepth:
    """Adapter for depth-estimation, depth-control and normal-control."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, files
        cv2.setNumThreads(threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The map, for depth-estimation with its measures. Raises `ExpertError` without a second view."""
        if args.get("right") is None:
            raise ExpertError(
                "The depth of a single picture can't be told here: no packaged expert guesses it. It needs a second"
                " view, the right one of a stereo pair, as `right`."
            )
        left, right = picture(args), picture(args, "right")
        tell(0.1, "matching the two views")
        found = disparity(left, right)
        size = left.shape[1], left.shape[0]
        if task == "depth-estimation":
            depth = cv2.resize(grey(found), size, interpolation=cv2.INTER_NEAREST)
            return [image_output(depth, "depth"), data_output("depths", measures(found))]
        closed = Disparity(pixels=filled(found), is_known=np.ones_like(found.is_known))
        drawn = normals(closed.pixels) if task == "normal-control" else grey(closed)
        return [image_output(cv2.resize(drawn, size, interpolation=cv2.INTER_LINEAR))]


def measures(found: Disparity) -> Json:
    """`{min, max, median, unit, coverage}` over what is known; the extremes without the outermost hundredth."""
    low, middle, high = np.percentile(found.pixels[found.is_known], (1, 50, 99)).tolist()
    return {
        "min": round(low, 2),
        "max": round(high, 2),
        "median": round(middle, 2),
        "unit": UNIT,
        "coverage": round(found.coverage, 4),
    }


def grey(found: Disparity) -> Array:
    """(h, w) uint8: 255 nearest, 1 farthest, 0 where nothing is known."""
    low, high = np.percentile(found.pixels[found.is_known], (1, 99))
    shares = np.clip((found.pixels - low) / max(float(high - low), 1e-6), 0, 1)
    return np.where(found.is_known, 1 + np.rint(shares * 254), 0).astype(np.uint8)


def normals(shifts: Array) -> Array:
    """(h, w, 3) uint8 directions of surfaces: red to the right, green up, blue towards the viewer; 128 is none.

    Where disparity is a x + b y + c around the picture's middle, the surface is a plane with the normal (a f, b f, c).
    """
    height_px, width_px = shifts.shape
    size = _SMOOTH * max(shifts.shape)
    smooth = cv2.GaussianBlur(cv2.medianBlur(shifts.astype(np.float32), 5), (0, 0), max(size, 0.8))
    down, right = (np.gradient(smooth, axis=axis) if smooth.shape[axis] > 1 else smooth * 0 for axis in (0, 1))
    x, y = np.arange(width_px) - (width_px - 1) / 2, (np.arange(height_px) - (height_px - 1) / 2)[:, None]
    focal_px = _FOCAL * width_px
    towards = np.stack([-right * focal_px, down * focal_px, smooth - right * x - down * y], axis=2)
    lengths = np.maximum(np.linalg.norm(towards, axis=2, keepdims=True), 1e-9)
    return np.rint(127.5 + 127.5 * towards / lengths).astype(np.uint8)
