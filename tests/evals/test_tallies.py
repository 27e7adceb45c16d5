"""Totals, and intervals that can be repeated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.evals.tallies import (
    Tally,
    estimates,
    f1_of,
    mean_of,
    plain_sums_of,
    precision_of,
    recall_of,
    sums_of,
)

counts = st.tuples(*[st.integers(0, 5)] * 3)


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    """3 right, 1 wrong, 2 missed: 3/4 and 3/5."""
    assert precision_of((3, 1, 2)) == pytest.approx(0.75)
    assert recall_of((3, 1, 2)) == pytest.approx(0.6)
    assert f1_of((3, 1, 2)) == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))


def test_nothing_said_and_nothing_wanted_tell_nothing():
    assert f1_of((0, 0, 0)) is precision_of((0, 0, 0)) is recall_of((0, 0, 0)) is mean_of((0, 0)) is None
    assert precision_of((0, 0, 2)) == recall_of((0, 2, 0)) == 0


@given(st.lists(counts, min_size=1, max_size=30))
def test_an_interval_holds_the_value_of_some_draw_and_lies_between_0_and_1(rows: list[tuple[int, int, int]]):
    found = estimates({"f": Tally(rows=rows, finish=f1_of)}, resamples=50, seed=3)["f"]

    if found.value is None:
        assert found.low is None
    elif found.low is not None and found.high is not None:
        assert 0 <= found.low <= found.high <= 1


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    tally = Tally(rows=[(value, 1) for value in (0.1, 0.9, 0.4, 0.35, 0.8, 0.2, 0.7)], finish=mean_of)
    first, again, other = (estimates({"m": tally}, resamples=200, seed=seed)["m"] for seed in (1, 1, 2))

    assert first == again
    assert first.value == other.value == pytest.approx(3.45 / 7)
    assert (first.low, first.high) != (other.low, other.high)


def test_the_interval_is_about_as_wide_as_the_standard_error_says():
    """400 coin flips: 0.5 within 1.96 x 0.025."""
    tally = Tally(rows=[(at % 2, 1) for at in range(400)], finish=mean_of)
    found = estimates({"m": tally}, resamples=1000, seed=0)["m"]

    assert found.value == 0.5
    assert found.low == pytest.approx(0.451, abs=0.01)
    assert found.high == pytest.approx(0.549, abs=0.01)


def test_equal_cases_leave_no_doubt():
    found = estimates({"m": Tally(rows=[(1, 1)] * 9, finish=mean_of)}, resamples=20, seed=0)["m"]

    assert (found.low, found.value, found.high) == (1, 1, 1)


def test_one_case_has_no_interval():
    found = estimates({"m": Tally(rows=[(1, 1)], finish=mean_of)}, resamples=20, seed=0)["m"]

    assert (found.low, found.value) == (None, 1)


@given(st.lists(counts, min_size=2, max_size=20))
def test_intervals_are_the_same_without_numpy(rows: list[tuple[int, int, int]]):
    tallies = {"f": Tally(rows=rows, finish=f1_of), "p": Tally(rows=rows, finish=precision_of)}
    draws = [[at % len(rows) for at in range(seed, seed + len(rows))] for seed in range(5)]
    fast = list(sums_of(tallies, iter(draws), cases=len(rows)))
    plain = list(plain_sums_of(tallies, draws, cases=len(rows)))

    assert [{name: list(map(float, sums)) for name, sums in row.items()} for row in plain] == fast
