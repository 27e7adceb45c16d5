"""Anchors, crops, gates and stick figures, without weights."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from dragoman.backends.box.blaze import Spotted, anchors, centred
from dragoman.backends.box.keypoints import figures, points_data
from dragoman.backends.box.people import BODY_POINTS, Pose, is_of_somebody, seen, upright
from dragoman.backends.box.person_mask import only_people, segments
from dragoman.errors import ExpertError

POSE = Pose(
    score=0.9,
    points={
        "left shoulder": (60.0, 40.0, 0.9),
        "right shoulder": (40.0, 40.0, 0.9),
        "left hip": (58.0, 80.0, 0.8),
    },
)


def test_there_is_an_anchor_for_each_row_of_the_nets():
    """2254 of the pose net, 896 of the face net, in their order."""
    body, face = anchors(224, ((8, 2), (16, 2), (32, 6))), anchors(128, ((8, 2), (16, 6)))

    assert (len(body), len(face)) == (2254, 896)
    assert face[:3].tolist() == [[0.03125, 0.03125], [0.03125, 0.03125], [0.09375, 0.03125]]
    assert face[-1].tolist() == [0.9375, 0.9375]


def test_a_wide_picture_lies_in_the_middle_of_its_square():
    """Black above and below; the way back is known."""
    view, scale, corner = centred(np.full((50, 200, 3), 255, np.uint8), 100)

    assert (view.shape, scale, corner.tolist()) == ((100, 100, 3), 0.5, [0, 37])
    assert view[37:62].min() == 255
    assert not view[:37].any()


@pytest.mark.parametrize("top", [(50, 20), (80, 50), (50, 80), (20, 50)])
def test_a_lying_body_is_turned_upright(top: tuple[int, int]):
    """Wherever its head points: the middle goes to the middle, the head straight above it."""
    turn = upright((50, 50), top)

    middle, head = (turn @ np.array([*point, 1.0]) for point in ((50, 50), top))
    assert middle == pytest.approx([128, 128])
    assert head == pytest.approx([128, 128 - 256 / 2.5], abs=0.01)


def test_points_that_are_hidden_or_outside_go():
    """A score under one half, a place beyond the edge."""
    places, scores = np.full((33, 2), 5.0), np.full(33, 0.9)
    places[0], scores[1] = (-1, 5), 0.4

    assert set(seen(places, scores, size_px=(10, 10))) == set(BODY_POINTS[2:])


def test_a_pose_needs_somebody():
    """A face or a person where it is, not anywhere in the picture."""
    near = Spotted(score=0.9, box=(45, 20, 55, 45), points=())

    assert is_of_somebody(POSE, faces=[near], persons=[])
    assert is_of_somebody(POSE, faces=[], persons=[(0.5, (0, 0, 100, 100))])
    assert not is_of_somebody(POSE, faces=[], persons=[])
    assert not is_of_somebody(POSE, faces=[], persons=[(0.5, (80, 0, 100, 100))])


def test_a_stick_figure_has_its_limbs_in_their_colours():
    """A neck between the shoulders, a line to each of them and to the hip; the rest black. Nobody: nothing."""
    drawn = figures([POSE], on=np.zeros((100, 120, 3), np.uint8))

    assert drawn[40, 45].any()
    assert drawn[60, 54].any()
    assert drawn[40, 40].tolist() == [255, 170, 0]
    assert not drawn[60, 20:48].any()
    assert not figures([], on=np.zeros((9, 9, 3), np.uint8)).any()


def test_what_was_not_looked_for_is_said():
    """Hands: an empty list would say that there are none."""
    data = points_data([POSE], [])

    assert "hands" not in data  # type: ignore[operator]
    assert data["not_looked_for"] == ["hands"]  # type: ignore[index, call-overload]
    assert data["people"][0]["box"] == [40, 40, 60, 80]  # type: ignore[index, call-overload]


def test_a_mask_is_one_segment():
    """Its box excludes right and bottom edges; an empty mask has none."""
    mask = cv2.rectangle(np.zeros((20, 30), np.uint8), (5, 4), (9, 13), 255, -1)

    assert segments(mask, score=0.75) == [{"label": "person", "score": 0.75, "box": [5, 4, 10, 14], "area": 50}]
    assert segments(mask * 0, score=0.75) == []


def test_only_people_are_cut_out():
    """Whatever they are called; anything else is refused by name."""
    only_people(["the woman", "People"])
    with pytest.raises(ExpertError, match="people only; “the dog” is wanted"):
        only_people(["person", "the dog"])
