"""The main colours of a picture by everyday names."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

Array = npt.NDArray[Any]

# Typical sRGB values, several for a name that covers a wide range.
NAMED: tuple[tuple[str, tuple[int, int, int]], ...] = (
    ("black", (12, 12, 12)),
    ("dark grey", (70, 70, 70)),
    ("grey", (128, 128, 128)),
    ("light grey", (190, 190, 190)),
    ("white", (250, 250, 250)),
    ("red", (210, 30, 30)),
    ("dark red", (115, 20, 20)),
    ("orange", (240, 130, 20)),
    ("brown", (120, 70, 30)),
    ("brown", (85, 55, 35)),
    ("brown", (155, 105, 65)),
    ("beige", (222, 205, 170)),
    ("beige", (190, 165, 130)),
    ("yellow", (245, 220, 40)),
    ("gold", (205, 160, 40)),
    ("olive", (115, 115, 35)),
    ("green", (50, 150, 50)),
    ("light green", (150, 215, 140)),
    ("dark green", (20, 70, 30)),
    ("turquoise", (60, 200, 190)),
    ("teal", (15, 100, 105)),
    ("light blue", (150, 200, 240)),
    ("blue", (40, 90, 210)),
    ("blue", (70, 120, 180)),
    ("dark blue", (20, 30, 90)),
    ("purple", (125, 50, 160)),
    ("lilac", (190, 160, 220)),
    ("pink", (245, 160, 190)),
    ("magenta", (210, 40, 140)),
)
SIDE_PX = 96


def colour_shares(pixels: Array) -> list[tuple[str, float]]:
    """(name, share of the area) of the colours of a picture, (H, W, 3) sRGB, largest share first."""
    image = Image.fromarray(pixels)
    image.thumbnail((SIDE_PX, SIDE_PX), Image.Resampling.BOX)
    points = lab(np.asarray(image).reshape(-1, 3))
    table = lab(np.array([value for _, value in NAMED]))
    nearest = np.linalg.norm(points[:, None] - table[None], axis=2).argmin(axis=1)
    counts = Counter(NAMED[index][0] for index in nearest.tolist())
    return [(name, count / len(points)) for name, count in counts.most_common()]


def lab(rgb: Array) -> Array:
    """(n, 3) CIE L*a*b* of (n, 3) sRGB 0..255: distances there are near to what eyes tell apart.

    Source: CIE 15, white point D65; sRGB by IEC 61966-2-1.
    """
    scaled = np.asarray(rgb, np.float64) / 255
    linear = np.where(scaled <= 0.04045, scaled / 12.92, ((scaled + 0.055) / 1.055) ** 2.4)
    xyz = linear @ np.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]])
    ratio = xyz / (0.9505, 1.0, 1.089)
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    x, y, z = root.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)
