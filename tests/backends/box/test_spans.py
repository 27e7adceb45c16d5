"""From chances to spans of time."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.spans import Rules, bounded, grouped, spans

BARE = Rules(enter=0.5, leave=0.3, least_s=0.0, gap_s=0.0, pad_s=0.0)


def test_a_span_begins_high_and_lasts_until_low():
    """0.4 keeps a span open and opens none."""
    chances = [0.4, 0.6, 0.4, 0.4, 0.2, 0.4]

    assert spans(chances, step_s=1.0, duration_s=6.0, rules=BARE) == [(1.0, 4.0)]


def test_a_short_gap_is_closed_and_a_short_span_dropped():
    """A gap of one step inside speech, and a click later."""
    chances = [0.9, 0.9, 0.0, 0.9, 0.9, 0.0, 0.0, 0.0, 0.9]
    rules = Rules(least_s=1.5, gap_s=1.5, pad_s=0.0)

    assert spans(chances, step_s=1.0, duration_s=9.0, rules=rules) == [(0.0, 5.0)]


def test_a_long_span_is_cut_where_it_is_quietest():
    """Ten steps with a dip at the seventh, of which eight may go together."""
    chances = [0.9] * 6 + [0.5] + [0.9] * 3

    assert bounded([(0.0, 10.0)], chances, step_s=1.0, most_s=8.0) == [(0.0, 6.0), (6.0, 10.0)]


def test_near_spans_are_joined_as_long_as_they_fit():
    """The third is too far away, the fourth would make it too long."""
    found = [(0.0, 2.0), (3.0, 4.0), (8.0, 9.0), (9.5, 13.5)]

    assert grouped(found, most_s=5.0, gap_s=2.0) == [(0.0, 4.0), (8.0, 9.0), (9.5, 13.5)]


@given(st.lists(st.floats(0, 1), max_size=80), st.floats(0.01, 2.0))
def test_spans_are_in_order_inside_the_recording(chances: list[float], step_s: float):
    """Whatever the chances; none overlaps the next by more than its padding."""
    rules = Rules()
    duration_s = len(chances) * step_s

    found = spans(chances, step_s=step_s, duration_s=duration_s, rules=rules)

    assert all(0 <= start < end <= duration_s for start, end in found)
    assert all(before[1] <= after[0] + 1e-9 for before, after in itertools.pairwise(found))


@given(st.lists(st.floats(0, 1), min_size=30, max_size=80), st.integers(4, 20))
def test_parts_are_bounded_and_lose_nothing(chances: list[float], most: int):
    """A span over everything, cut into parts of at most `most` steps."""
    whole = (0.0, float(len(chances)))

    parts = bounded([whole], chances, step_s=1.0, most_s=float(most))

    assert all(0 < end - start <= most for start, end in parts)
    assert [parts[0][0], *(end for _, end in parts)] == [*(start for start, _ in parts), whole[1]]
