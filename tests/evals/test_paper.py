"""The paper's metrics against values worked by hand."""

from __future__ import annotations

import pytest

from dragoman.evals.graphs import Case, Graph, Shape
from dragoman.evals.paper import paper_tallies
from dragoman.evals.readings import Form

from .examples import case, graph


def scores(
    cases: list[Case], said: list[Graph | None], *, shape: Shape, form: Form = "published"
) -> dict[str, float | None]:
    return {name: tally.value() for name, tally in paper_tallies(cases, said, shape=shape, form=form).items()}


def test_single_tasks_are_averaged_over_tasks_weighted_by_gold():
    """Gold A A B; said A B B. A: P 1, R 1/2, F 2/3 (twice); B: P 1/2, R 1, F 2/3 (once)."""
    cases = [case(str(at), graph(name), shape="single") for at, name in enumerate("AAB")]
    found = scores(cases, [graph("A"), graph("B"), graph("B")], shape="single")

    assert found["accuracy"] == pytest.approx(2 / 3)
    assert found["precision"] == pytest.approx((2 * 1 + 1 * 1 / 2) / 3)
    assert found["recall"] == pytest.approx((2 * 1 / 2 + 1 * 1) / 3)
    assert found["F1"] == pytest.approx(2 / 3)


def test_recall_is_accuracy_where_each_plan_has_one_task():
    """As in table 3 for GPT-3.5: 52.62 and 52.62."""
    cases = [case(str(at), graph(name), shape="single") for at, name in enumerate("AABCC")]
    found = scores(cases, [graph(name) for name in "ABBAC"], shape="single")

    assert found["recall"] == pytest.approx(found["accuracy"])


def test_unreadable_plans_lower_accuracy_and_leave_the_published_recall_alone():
    """As in table 3 for Alpaca-7b: accuracy 6.48, recall 6.64."""
    cases = [case(str(at), graph("A"), shape="single") for at in range(4)]
    found = scores(cases, [graph("A"), None, graph("A"), graph("B")], shape="single")
    strict = scores(cases, [graph("A"), None, graph("A"), graph("B")], shape="single", form="strict")

    assert found["accuracy"] == strict["accuracy"] == pytest.approx(2 / 4)
    assert found["recall"] == pytest.approx(2 / 3)
    assert strict["recall"] == pytest.approx(2 / 4)
    assert strict["precision"] == pytest.approx(2 / 3)


def test_a_single_task_with_another_beside_it_is_not_right():
    found = scores([case("1", graph("A"), shape="single")], [graph("A", "B")], shape="single")

    assert found["accuracy"] == 0
    assert found["recall"] == 1


def test_sequences_count_in_totals_and_f1_is_their_harmonic_mean():
    """Gold AB and ABC; said AB and BD: 3 right, 1 wrong, 2 missed; distances 0, and 2/3: drop A, keep B, change C."""
    cases = [case("1", graph("A", "B")), case("2", graph("A", "B", "C"))]
    found = scores(cases, [graph("A", "B"), graph("B", "D")], shape="chain")

    assert found["accuracy"] == pytest.approx(1 / 2)
    assert found["precision"] == pytest.approx(3 / 4)
    assert found["recall"] == pytest.approx(3 / 5)
    assert found["F1"] == pytest.approx(2 * 3 / 4 * 3 / 5 / (3 / 4 + 3 / 5))
    assert found["edit distance"] == pytest.approx((0 + 2 / 3) / 2)


def test_a_task_twice_in_a_sequence_is_wanted_twice():
    found = scores([case("1", graph("A", "B", "A"))], [graph("A", "B")], shape="chain")

    assert found["recall"] == pytest.approx(2 / 3)


def test_an_unreadable_sequence_is_as_far_off_as_can_be_strictly():
    cases = [case("1", graph("A", "B")), case("2", graph("A", "B"))]

    assert scores(cases, [graph("A", "B"), None], shape="chain")["edit distance"] == 0
    assert scores(cases, [graph("A", "B"), None], shape="chain", form="strict")["edit distance"] == pytest.approx(1 / 2)


def test_a_graph_is_right_with_the_same_tasks_and_links_in_any_order():
    links = [("A", "B"), ("A", "C")]
    gold = case("1", graph("A", "B", "C", links=links), shape="dag")

    assert scores([gold], [graph("A", "C", "B", links=links[::-1])], shape="dag")["accuracy"] == 1
    assert scores([gold], [graph("A", "B", "C", links=[("A", "B"), ("B", "C")])], shape="dag")["accuracy"] == 0
    assert "edit distance" not in scores([gold], [gold.gold], shape="dag")
