"""Shapes and cycles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.evals.graphs import has_cycle, shape_of


@pytest.mark.parametrize(
    ("names", "links", "shape"),
    [
        ("", "", "single"),
        ("A", "", "single"),
        ("AB", "AB", "chain"),
        ("ABC", "AB BC", "chain"),
        ("ABC", "BA AC", "chain"),
        ("ABC", "AB AC", "dag"),
        ("ABC", "AB", "dag"),
        ("AB", "", "dag"),
        ("AB", "AB BA", "dag"),
    ],
)
def test_a_chain_is_one_line_through_all_tasks(names: str, links: str, shape: str):
    assert shape_of(list(names), [(link[0], link[1]) for link in links.split()]) == shape


@pytest.mark.parametrize(
    ("links", "expected"), [("AB BC", False), ("AB BA", True), ("AA", True), ("AB AC BD CD", False)]
)
def test_cycles_are_found(links: str, expected: bool):
    assert has_cycle([(link[0], link[1]) for link in links.split()]) is expected


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_links_that_only_rise_have_no_cycle(pairs: list[tuple[int, int]]):
    assert not has_cycle([(str(a), str(b)) for a, b in pairs if a < b])


def test_a_chain_of_ten_thousand_is_no_trouble():
    assert not has_cycle([(str(at), str(at + 1)) for at in range(10_000)])
