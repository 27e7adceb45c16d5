"""Distances between sequences, against hand-worked values and brute force."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.evals.sequences import common_length, indel_distance, normalized_edit_distance

short = st.lists(st.sampled_from("abc"), max_size=5)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("", "", 0),
        ("", "a", 1),
        ("abc", "abc", 0),
        ("ab", "ba", 2 / 3),  # insert b, keep a, drop b: weight 2 over 3 steps; two changes would be 2 over 2
        ("abcd", "abd", 1 / 4),
        ("a", "b", 1),
        ("aab", "ab", 1 / 3),
    ],
)
def test_the_papers_edit_distance_is_weight_per_step_of_the_best_path(one: str, other: str, distance: float):
    assert normalized_edit_distance(one, other) == pytest.approx(distance)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("", "", 0), ("abc", "abc", 0), ("ab", "ba", 0.5), ("abcd", "abd", 1 / 7), ("a", "b", 1), ("", "ab", 1)],
)
def test_taskbenchs_edit_distance_counts_insertions_and_deletions(one: str, other: str, distance: float):
    assert indel_distance(one, other) == pytest.approx(distance)


def paths(one: list[str], other: list[str]) -> set[tuple[int, int]]:
    """(weight, steps) of every editing path, by going through all of them."""

    @cache
    def ways(i: int, j: int) -> frozenset[tuple[int, int]]:
        if i == j == 0:
            return frozenset({(0, 0)})
        found: set[tuple[int, int]] = set()
        if i:
            found |= {(w + 1, s + 1) for w, s in ways(i - 1, j)}
        if j:
            found |= {(w + 1, s + 1) for w, s in ways(i, j - 1)}
        if i and j:
            found |= {(w + (one[i - 1] != other[j - 1]), s + 1) for w, s in ways(i - 1, j - 1)}
        return frozenset(found)

    return set(ways(len(one), len(other)))


@given(short, short)
def test_no_path_is_cheaper_than_the_papers_edit_distance(one: list[str], other: list[str]):
    best = min((weight / steps for weight, steps in paths(one, other) if steps), default=0)

    assert normalized_edit_distance(one, other) == pytest.approx(best)


@given(short, short)
def test_distances_are_symmetric_between_0_and_1_and_0_only_for_equals(one: list[str], other: list[str]):
    for distance in (indel_distance, normalized_edit_distance):
        value = distance(one, other)
        assert 0 <= value <= 1
        assert value == pytest.approx(distance(other, one))
        assert (value == 0) == (one == other)


def table_length(one: list[str], other: list[str]) -> int:
    """The longest common subsequence by the textbook's table."""
    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            rows[i][j] = rows[i - 1][j - 1] + 1 if a == b else max(rows[i - 1][j], rows[i][j - 1])
    return rows[-1][-1]


@given(st.lists(st.sampled_from("abcd"), max_size=90), st.lists(st.sampled_from("abcd"), max_size=90))
def test_the_longest_common_subsequence_is_the_textbooks(one: list[str], other: list[str]):
    assert common_length(one, other) == table_length(one, other)


@given(short, short)
def test_a_common_subsequence_is_no_longer_than_either(one: list[str], other: list[str]):
    assert common_length(one, other) <= min(len(one), len(other))
    assert common_length(one, one + other) == len(one)
