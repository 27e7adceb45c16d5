"""ROUGE against hand-worked values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.evals.rouge import rouge


def test_a_hand_worked_pair():
    """6 words against 5. Shared: the, cat, the, mat; in pairs the-cat, the-mat; in line the cat the mat."""
    one, two, longest = rouge("the cat sat on the mat", "the cat lay; the mat")

    assert one == pytest.approx(2 * 4 / (6 + 5))
    assert two == pytest.approx(2 * 2 / (5 + 4))
    assert longest == pytest.approx(2 * 4 / (6 + 5))


def test_order_matters_to_the_longest_line_alone():
    assert rouge("a b c", "c b a") == pytest.approx((1.0, 0.0, 1 / 3))


def test_capitals_and_marks_do_not_count_and_letters_beyond_ascii_cut():
    assert rouge("Step 1: CALL it", "step 1 call it!") == pytest.approx((1.0, 1.0, 1.0))
    assert rouge("naïve", "na ve")[0] == pytest.approx(1.0)


def test_nothing_against_something_is_zero():
    assert rouge("", "a b") == (0.0, 0.0, 0.0)
    assert rouge("", "") == (0.0, 0.0, 0.0)


@given(st.text(max_size=60), st.text(max_size=60))
def test_scores_lie_between_0_and_1(text: str, reference: str):
    assert all(0 <= score <= 1 for score in rouge(text, reference))
