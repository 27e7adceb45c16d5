"""Annotated pictures: any size, legible, the picture itself untouched."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.backends.box.boxes import Found
from dragoman.backends.box.drawing import annotated


def grey(height: int, width: int) -> np.ndarray:
    return np.full((height, width, 3), 128, np.uint8)


@pytest.mark.parametrize("size", [(1, 1), (1, 700), (60, 40), (500, 700), (3000, 5000)])
def test_a_picture_of_any_size_is_drawn_in(size: tuple[int, int]):
    """Tiny ones come out larger, huge ones smaller; something was drawn."""
    height, width = size
    drawn = annotated(grey(height, width), [Found(label="cat", score=0.9, box=(0, 0, width, height))])

    assert 400 <= max(drawn.shape[:2]) <= 2048
    assert (drawn != 128).any()


def test_a_picture_with_nothing_found_stays_as_it_is():
    """No boxes: the same pixels, the same size, and not the same memory."""
    pixels = grey(30, 20)
    drawn = annotated(pixels, [])

    assert (drawn == pixels).all()
    assert not np.shares_memory(drawn, pixels)


def test_a_long_label_at_an_edge_stays_inside():
    """The plate moves in where it would leave the picture."""
    found = [Found(label="a very long name of a thing", score=0.5, box=(590, 395, 600, 400))]
    drawn = annotated(grey(400, 600), found)

    assert drawn.shape == (400, 600, 3)
    assert (drawn[350:, 200:560] != 128).any()
