"""What the picture experts share: pictures in, outputs of the kinds that the task specs name out."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from dragoman.backends.base import Item, Produced
from dragoman.errors import ExpertError
from dragoman.media import png_bytes, read_image
from dragoman.values import Arg, Json

Pixels = npt.NDArray[Any]  # (H, W, 3) uint8, sRGB, upright; maps are (H, W) uint8


def picture(args: dict[str, Arg], name: str = "image") -> Pixels:
    """The picture in the slot `name`. Raises `ExpertError` if there is none, `MediaError` if it can't be read."""
    item = args.get(name)
    if not isinstance(item, Item):
        raise ExpertError(f"A picture is wanted as `{name}`; {type(item).__name__} came.")
    return read_image(item.path)


def data_output(name: str, value: Json) -> Produced:
    """An output of kind data."""
    return Produced(name=name, kind="data", media_type="application/json", data=value)


def text_output(text: str, name: str = "text") -> Produced:
    """An output of kind text."""
    return Produced(name=name, kind="text", media_type="text/plain", text=text)


def image_output(pixels: Pixels, name: str = "image") -> Produced:
    """An output of kind image, as PNG."""
    height_px, width_px = pixels.shape[:2]
    facts = {"width_px": int(width_px), "height_px": int(height_px)}
    return Produced(name=name, kind="image", media_type="image/png", payload=png_bytes(pixels), facts=facts)
