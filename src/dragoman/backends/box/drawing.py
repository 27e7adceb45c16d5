"""Boxes drawn into a picture: outlines and labels that can be read at any size, one colour a label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from dragoman.backends.box.boxes import Found

_SMALL_PX, _LARGE_PX = 480, 2048
_COLOURS = ((214, 39, 40), (31, 119, 180), (44, 130, 44), (148, 103, 189), (190, 95, 0), (0, 128, 128), (200, 60, 150))


def annotated(pixels: npt.NDArray[Any], found: Sequence[Found]) -> npt.NDArray[Any]:
    """The picture with the found things drawn in, (H, W, 3) uint8.

    A small picture comes out enlarged and a huge one reduced, so that lines and letters stay legible; the boxes of the
    data stay in pixels of the picture itself.
    """
    scale = _scale(max(pixels.shape[:2])) if found else 1.0
    image = _resized(Image.fromarray(pixels), scale)
    pen = ImageDraw.Draw(image)
    letters_px = max(14, round(max(image.size) / 45))
    font = ImageFont.load_default(size=letters_px)
    colours = {label: _COLOURS[i % len(_COLOURS)] for i, label in enumerate(dict.fromkeys(f.label for f in found))}
    # The surest come last, on top of the others.
    for thing in reversed(found):
        box = tuple(edge * scale for edge in thing.box)
        pen.rectangle(_ordered(box), outline=colours[thing.label], width=max(2, letters_px // 6))
    for thing in reversed(found):
        corner = (thing.box[0] * scale, thing.box[1] * scale)
        _label(pen, f"{thing.label} {thing.score:.0%}", corner, font=font, fill=colours[thing.label])
    return np.asarray(image)


def _scale(side_px: int) -> float:
    if side_px < _SMALL_PX:
        return float(-(-_SMALL_PX // side_px))
    return min(1.0, _LARGE_PX / side_px)


def _resized(image: Image.Image, scale: float) -> Image.Image:
    if scale == 1.0:
        return image.copy()
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.resize(size, Image.Resampling.LANCZOS)


def _ordered(box: tuple[float, ...]) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return left, top, max(left, right - 1), max(top, bottom - 1)


def _label(
    pen: ImageDraw.ImageDraw, words: str, corner: tuple[float, float], *, font: Any, fill: tuple[int, int, int]
) -> None:
    """The words on a plate above the corner, or inside where there is no room above; never past an edge."""
    left, top, right, bottom = pen.textbbox((0, 0), words, font=font)
    width, height = right - left + 6, bottom - top + 6
    canvas_width, canvas_height = pen.im.size
    x = max(0.0, min(corner[0], canvas_width - width))
    y = corner[1] - height if corner[1] >= height else corner[1]
    y = max(0.0, min(y, canvas_height - height))
    pen.rectangle((x, y, x + width, y + height), fill=fill)
    pen.text((x + 3 - left, y + 3 - top), words, font=font, fill=(255, 255, 255))
