"""Large pictures through small windows: tiles that overlap, put together without seams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def starts(length_px: int, *, tile_px: int, margin_px: int) -> list[tuple[int, int]]:
    """(from, to) of the parts of a side that tiles fill: tile_px less both margins each, the last what is left."""
    step = tile_px - 2 * margin_px
    return [(at, min(at + step, length_px)) for at in range(0, length_px, step)]


def enlarged_by_tiles(
    pixels: Array,
    enlarge: Callable[[Array], Array],
    *,
    scale: int,
    tile_px: int,
    margin_px: int,
    tell: Callable[[float], None],
) -> Array:
    """The whole of (H, W, 3) `pixels` enlarged, each part seen with a margin around it that is cut off again.

    enlarge: (h, w, 3) to (h * scale, w * scale, 3). At the picture's edge its last pixels are reflected, or repeated
    where there are too few.
    """
    height_px, width_px = pixels.shape[:2]
    mode = "reflect" if min(height_px, width_px) > margin_px else "edge"
    padded = np.pad(pixels, ((margin_px, margin_px), (margin_px, margin_px), (0, 0)), mode=mode)
    made = np.empty((height_px * scale, width_px * scale, 3), np.uint8)
    parts = list(_parts(height_px, width_px, tile_px=tile_px, margin_px=margin_px))
    for number, (top, bottom, left, right) in enumerate(parts):
        tell(number / len(parts))
        large = enlarge(padded[top : bottom + 2 * margin_px, left : right + 2 * margin_px])
        inner = large[margin_px * scale :, margin_px * scale :]
        rows, columns = (bottom - top) * scale, (right - left) * scale
        made[top * scale : bottom * scale, left * scale : right * scale] = inner[:rows, :columns]
    return made


def _parts(height_px: int, width_px: int, *, tile_px: int, margin_px: int) -> Iterator[tuple[int, int, int, int]]:
    for top, bottom in starts(height_px, tile_px=tile_px, margin_px=margin_px):
        for left, right in starts(width_px, tile_px=tile_px, margin_px=margin_px):
            yield top, bottom, left, right
