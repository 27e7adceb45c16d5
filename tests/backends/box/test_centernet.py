"""CenterNet's way of fitting pictures in and reading boxes out, without weights."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.backends.box.centernet import fitted, peaks


@pytest.mark.parametrize("size", [(1, 1), (1, 2000), (300, 200), (4000, 3000)])
def test_a_picture_fits_into_the_square(size: tuple[int, int]):
    """Its longer side fills the square; the rest is black."""
    square, scale = fitted(np.full((*size, 3), 255, np.uint8), 512)

    assert square.shape == (512, 512, 3)
    assert scale == 512 / max(size)
    assert square[0, 0].tolist() == [255, 255, 255]


def test_only_peaks_above_the_floor_are_read():
    """A neighbour of a peak and a faint peak are no things; distances go to the four edges."""
    middles = np.zeros((8, 8, 2), np.float32)
    middles[2, 3, 1], middles[2, 4, 1], middles[6, 6, 0] = 0.9, 0.8, 0.2
    edges = np.full((8, 8, 4), 4, np.float32)

    ((label, score, box),) = peaks(middles, edges, floor=0.3, scale=0.5)

    assert (label, round(score, 3)) == (1, 0.9)
    assert box == (16.0, 8.0, 32.0, 24.0)
