"""Edge and line maps of drawn pictures."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.backends.box.cv import edges, straight_lines


def square(*, inside: int, outside: int) -> np.ndarray:
    pixels = np.full((120, 160, 3), outside, np.uint8)
    pixels[30:90, 40:100] = inside
    return pixels


@pytest.mark.parametrize(("inside", "outside"), [(0, 255), (255, 0), (90, 160)])
def test_the_edges_of_a_square_are_its_outline(inside: int, outside: int):
    """Dark on light, light on dark, grey on grey: the outline, and nothing away from it."""
    drawn = edges(square(inside=inside, outside=outside))

    rows, _ = np.nonzero(drawn)
    assert drawn.shape == (120, 160)
    assert 200 < len(rows) < 300
    assert (rows.min(), rows.max()) in {(29, 89), (29, 90), (30, 89), (30, 90)}
    assert not drawn[45:75, 55:85].any()


def test_a_square_has_four_lines():
    """All of its sides are drawn, its inside stays empty."""
    drawn = straight_lines(square(inside=0, outside=255))

    assert drawn[25:35, 50:90].any()
    assert drawn[40:80, 35:45].any()
    assert not drawn[45:75, 55:85].any()


@pytest.mark.parametrize("size", [(1, 1), (3, 500), (15, 15)])
def test_a_tiny_or_empty_picture_has_none(size: tuple[int, int]):
    """No crash, a black map of the same size."""
    pixels = np.full((*size, 3), 200, np.uint8)

    assert edges(pixels).shape == size
    assert not edges(pixels).any()
    assert not straight_lines(pixels).any()
