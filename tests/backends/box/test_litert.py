"""The SSD's anchors and box coding, without weights."""

from __future__ import annotations

import numpy as np

from dragoman.backends.box.litert import anchors, decoded, named


def test_there_are_1917_anchors_on_six_grids():
    """19² x 3 and (10² + 5² + 3² + 2² + 1²) x 6; their middles lie in the picture."""
    at = anchors()

    assert at.shape == (1917, 4)
    assert ((at[:, :2] > 0) & (at[:, :2] < 1)).all()
    assert at[0].round(4).tolist() == [0.0263, 0.0263, 0.1, 0.1]
    assert at[-1].round(4).tolist() == [0.5, 0.5, 0.9747, 0.9747]


def test_no_offset_gives_the_anchor_itself():
    """Zeros decode to the anchor's own box; ten down is one anchor's height."""
    at = np.array([[0.5, 0.5, 0.2, 0.4]])

    assert decoded(np.zeros((1, 4)), at).round(6).tolist() == [[0.4, 0.3, 0.6, 0.7]]
    assert decoded(np.array([[10.0, 0, 0, 0]]), at).round(6).tolist() == [[0.4, 0.7, 0.6, 1.1]]


def test_the_background_is_never_named():
    """Column 0 is no thing, however high its score."""
    found = named(np.ones((2, 4)), np.array([[0.99, 0.1], [0.2, 0.8]]), ["???", "cat"])

    assert [(thing.label, thing.score) for thing in found] == [("cat", 0.8)]
