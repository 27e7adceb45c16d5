"""Depth from two views whose shifts are known."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.backends.box.depth import StereoDepth, grey, measures, normals
from dragoman.backends.box.stereo import Disparity, disparity, filled
from dragoman.errors import ExpertError
from dragoman.models import box

WIDTH, HEIGHT = 320, 200


def pair(*, near: int, far: int) -> tuple[np.ndarray, np.ndarray]:
    """Random dots far away, with a square of nearer dots in the middle."""
    random = np.random.default_rng(5)
    ground = random.integers(0, 255, (HEIGHT, WIDTH + 80), np.uint8)
    square = random.integers(0, 255, (80, 100), np.uint8)
    left, right = ground[:, :WIDTH].copy(), ground[:, far : far + WIDTH].copy()
    left[60:140, 140:240] = square
    right[60:140, 140 - near : 240 - near] = square
    return np.repeat(left[..., None], 3, axis=2), np.repeat(right[..., None], 3, axis=2)


def test_shifts_are_found_where_both_views_see():
    """Ground at 6 pixels, square at 20; most of the picture, not its left edge."""
    found = disparity(*pair(near=20, far=6))

    assert np.median(found.pixels[70:130, 150:230]) == pytest.approx(20, abs=0.3)
    assert np.median(found.pixels[10:50, 100:300]) == pytest.approx(6, abs=0.3)
    assert 0.6 < found.coverage < 1
    assert not found.is_known[:, 0].any()
    assert measures(found)["coverage"] == round(found.coverage, 4)


def test_near_is_bright_and_unknown_is_black():
    """And the farthest is still told from the unknown."""
    drawn = grey(disparity(*pair(near=20, far=6)))

    assert drawn[100, 190] > 240
    assert 0 < drawn[30, 200] < 20
    assert drawn[100, 0] == 0


def test_pictures_that_are_no_pair_are_refused():
    """Other sizes, the same picture twice, noise, a pair the wrong way round, a single pixel."""
    left, right = pair(near=20, far=6)
    noise = np.random.default_rng(9).integers(0, 255, left.shape, np.uint8)

    with pytest.raises(ExpertError, match="have one size; `image` is 320 x 200 pixels, `right` is 100 x 200"):
        disparity(left, right[:, :100])
    for one, other in ((left, left), (left, noise), (right, left), (left[:1, :1], left[:1, :1])):
        with pytest.raises(ExpertError, match="no stereo pair"):
            disparity(one, other)


def test_one_picture_is_asked_for_its_second_view():
    """No depth is invented."""
    (card,) = [card for card in box.cards() if card.id == "stereo-depth"]
    expert = StereoDepth(card=card, files={}, threads=1)

    for task in card.tasks:
        with pytest.raises(ExpertError, match="needs a second view"):
            expert.run(task=task, args={"image": None}, tell=lambda fraction, says: None)


def test_holes_are_closed_from_behind():
    """Between 9 and 4 stands 4; a row without any knowledge takes that of the rows beside it."""
    shifts = np.array([[9, 0, 0, 4], [0, 0, 0, 0], [0, 5, 0, 0]], np.float32)

    closed = filled(Disparity(pixels=shifts, is_known=shifts > 0))

    assert closed.tolist() == [[9, 4, 4, 4], [5, 4, 4, 4], [5, 5, 5, 5]]


def test_surfaces_face_where_they_face():
    """A wall straight ahead is blue; one that comes nearer to the right looks left, a floor looks up."""
    x, y = np.meshgrid(np.linspace(-1, 1, 160), np.linspace(-1, 1, 120))

    assert normals(np.full((120, 160), 12, np.float32))[60, 80].tolist() == [128, 128, 255]
    red, green, blue = normals((20 + 10 * x).astype(np.float32))[60, 80].tolist()
    assert (red < 100, green, blue > 128) == (True, 128, True)
    red, green, blue = normals((20 + 10 * y).astype(np.float32))[60, 80].tolist()
    assert (red, green > 160, blue > 128) == (128, True, True)
    assert normals(np.ones((1, 1), np.float32)).shape == (1, 1, 3)
