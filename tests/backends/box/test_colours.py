"""Colours get the names that people use."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.backends.box.colours import NAMED, colour_shares, lab


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((255, 0, 0), "red"), ((0, 128, 0), "green"), ((0, 0, 255), "blue"), ((255, 255, 255), "white"),
        ((0, 0, 0), "black"), ((130, 130, 130), "grey"), ((255, 165, 0), "orange"), ((139, 69, 19), "brown"),
        ((255, 255, 0), "yellow"), ((255, 192, 203), "pink"), ((128, 0, 128), "purple"),
        ((135, 206, 235), "light blue"),
    ],
)  # fmt: skip
def test_plain_colours_are_named(rgb: tuple[int, int, int], name: str):
    """Web colours by their everyday names."""
    assert colour_shares(np.full((5, 7, 3), rgb, np.uint8)) == [(name, 1.0)]


def test_shares_are_parts_of_the_area():
    """A flag: three quarters red, one quarter white."""
    pixels = np.full((80, 80, 3), (210, 30, 30), np.uint8)
    pixels[:20] = 255

    shares = {name: round(share, 2) for name, share in colour_shares(pixels)}

    assert shares == {"red": 0.75, "white": 0.25}


def test_lab_has_the_standard_values():
    """White, and red as the CIE formulas give it."""
    white, red = lab(np.array([[255, 255, 255], [255, 0, 0]])).round(1).tolist()

    assert white == [100.0, 0.0, 0.0]
    assert red == [53.2, 80.1, 67.2]


def test_every_table_colour_is_nearest_to_itself():
    """No row hides another."""
    for name, value in NAMED:
        assert colour_shares(np.array([[value]], np.uint8)) == [(name, 1.0)]
