"""Where in a picture its main thing is, told from a classifier: class activation maps.

The classifier learned from names alone, never from boxes ("weakly supervised"): one box for the main thing, often of
its most telling part, never several of a kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dragoman.backends.box.boxes import Box, Found
from dragoman.backends.box.efficientnet import EfficientNet
from dragoman.backends.box.imagenet import Everyday

Array = npt.NDArray[Any]

LEVEL = 0.4  # of the map's peak; chosen on sample photos
SURE = 0.5  # below this score the main thing is not named; at 0.3 the moon became a worm
_BOUNDLESS = frozenset({"place"})


def find_main(pixels: Array, net: EfficientNet, *, thing: Everyday, probabilities: Sequence[float]) -> list[Found]:
    """The box of the thing that the classifier named; nothing where it is unsure, or where the thing is a place."""
    if thing.score < SURE or thing.kind in _BOUNDLESS:
        return []
    # Each class that the name stands for speaks with its own share: all breeds together outline the dog.
    share = np.array([probabilities[index] for index in thing.members]) / thing.score
    strength = np.tensordot(share, net.maps(pixels, list(thing.members)), axes=1)
    height_px, width_px = pixels.shape[:2]
    box = blob_box(strength, width_px=width_px, height_px=height_px)
    return [Found(label=thing.name, score=thing.score, box=box)] if box else []


def blob_box(strength: Array, *, width_px: int, height_px: int) -> Box | None:
    """The box, in pixels, around the largest connected part of a map that reaches `LEVEL` of its peak."""
    import cv2

    positive = np.maximum(strength, 0)
    if not positive.max() > 0:
        return None
    # Four times finer than the map's cells: the outline falls between cells, not on them.
    size = (strength.shape[1] * 4, strength.shape[0] * 4)
    fine = cv2.resize(positive.astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    _, _, parts, _ = cv2.connectedComponentsWithStats((fine >= LEVEL * fine.max()).astype(np.uint8))
    rows: list[list[int]] = parts[1:].tolist()
    left, top, width, height, _ = max(rows, key=lambda row: row[4])
    x, y = width_px / size[0], height_px / size[1]
    return left * x, top * y, (left + width) * x, (top + height) * y
