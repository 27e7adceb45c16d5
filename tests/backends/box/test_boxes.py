"""Boxes: repeats go, counts agree with the boxes, everything stays inside the picture."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.boxes import Found, best_apart, boxes_data, clipped, covered, overlap

EDGES = st.floats(-50, 250, allow_nan=False)
FOUND = st.builds(
    Found,
    label=st.sampled_from(["cat", "dog", "cup"]),
    score=st.floats(0, 1),
    box=st.tuples(EDGES, EDGES, EDGES, EDGES),
)


def cat(*box: float, score: float = 0.9, label: str = "cat") -> Found:
    left, top, right, bottom = box
    return Found(label=label, score=score, box=(left, top, right, bottom))


def test_overlap_is_shared_over_joined_area():
    """Two squares of 100 that share 50: a third."""
    assert round(overlap((0, 0, 10, 10), (5, 0, 15, 10)), 4) == 0.3333
    assert overlap((0, 0, 10, 10), (20, 20, 30, 30)) == 0


def test_a_box_inside_another_is_covered():
    """A small box in a large one is covered whole, though they overlap little."""
    assert covered((0, 0, 100, 100), (10, 10, 20, 20)) == 1


def test_the_best_of_repeats_stays():
    """Three boxes around one cat and one around another leave two."""
    found = best_apart(
        [cat(0, 0, 10, 10, score=0.6), cat(1, 0, 10, 10), cat(0, 1, 10, 9, score=0.5), cat(50, 0, 60, 9)]
    )

    assert [thing.score for thing in found] == [0.9, 0.9]


def test_one_thing_gets_one_label():
    """A dog on nearly the same box as a surer cat goes; a tie on the cat stays."""
    things = [cat(0, 0, 100, 100), cat(2, 0, 100, 100, score=0.5, label="dog"), cat(40, 40, 60, 60, label="tie")]

    assert {thing.label for thing in best_apart(things)} == {"cat", "tie"}


def test_boxes_are_cut_at_the_edges():
    """What sticks out is cut, what lies outside goes."""
    found = clipped([cat(-5, -5, 50.4, 300), cat(400, 0, 500, 9)], width_px=100, height_px=80)

    assert [thing.box for thing in found] == [(0, 0, 50, 80)]


@given(st.lists(FOUND, max_size=12))
def test_counts_equal_the_boxes(found: list[Found]):
    """Whatever a detector returns, the numbers in counts add up to the boxes, and every box has an area inside."""
    data = boxes_data(best_apart(clipped(found, width_px=200, height_px=100)))

    assert sum(data["counts"].values()) == len(data["boxes"])
    for each in data["boxes"]:
        left, top, right, bottom = each["box"]
        assert 0 <= left < right <= 200
        assert 0 <= top < bottom <= 100
        assert all(type(edge) is int for edge in each["box"])
