"""Coverage, mistakes, statistics and halves on small examples."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.evals.coverage import coverage_of
from dragoman.evals.halves import half_of
from dragoman.evals.mistakes import mistakes_of
from dragoman.evals.predictions import Prediction
from dragoman.evals.statistics import statistics_of

from .examples import RESOURCE, case, graph

S, T, O = "Summarization", "Text-to-Speech", "Object Detection"  # noqa: E741 - three tools


def test_the_surest_plans_come_first_and_equals_together():
    """Sure and right, sure and wrong, unsure and right, no plan at all."""
    cases = [case(str(at), graph(S)) for at in range(4)]
    said = {
        "0": Prediction(id="0", graph=graph(S), confidence=0.9),
        "1": Prediction(id="1", graph=graph(T), confidence=0.9),
        "2": Prediction(id="2", graph=graph(S), confidence=0.2),
    }
    points = coverage_of(cases, said, tools=RESOURCE)

    assert [(p.confidence, p.cases, p.coverage) for p in points] == [(0.9, 2, 0.5), (0.2, 3, 0.75), (0.0, 4, 1.0)]
    assert [p.node_precision for p in points] == [pytest.approx(1 / 2), pytest.approx(2 / 3), pytest.approx(2 / 3)]
    assert [p.whole for p in points] == [pytest.approx(1 / 2), pytest.approx(2 / 3), pytest.approx(2 / 4)]


def test_coverage_has_few_points_however_many_confidences_there_are():
    cases = [case(str(at), graph(S)) for at in range(300)]
    said = {c.id: Prediction(id=c.id, graph=graph(S), confidence=int(c.id) / 300) for c in cases}
    points = coverage_of(cases, said, tools=RESOURCE)

    assert len(points) <= 12
    assert points[-1].coverage == 1
    assert [p.cases for p in points] == sorted(p.cases for p in points)


def test_mistakes_are_told_by_kind():
    gold = graph(S, T, links=[(S, T)])
    said = {
        "missing tool": Prediction(id="", graph=graph(S)),
        "both": Prediction(id="", graph=graph(S, T, O, links=[(S, T)])),
        "swapped": Prediction(id="", graph=graph(S, O, links=[(S, O)])),
        "order": Prediction(id="", graph=graph(T, S, links=[(T, S)])),
        "right": Prediction(id="", graph=gold),
        "refused": Prediction(id="", graph=graph(), fault="not understood"),
        "talk": Prediction(id="", graph=graph()),
        "unreadable": Prediction(id="", unreadable="prose"),
    }
    found = mistakes_of([case(name, gold) for name in [*said, "none"]], said)

    assert [(m.id, m.kind, m.about) for m in found] == [
        ("missing tool", "a tool too few", T),
        ("both", "a tool too many", O),
        ("swapped", "one tool for another", f"{O} for {T}"),
        ("order", "the right tools in another order", f"{T} > {S}"),
        ("order", "the right tools, a link too few", f"{S} -> {T}"),
        ("order", "the right tools, a link too many", f"{T} -> {S}"),
        ("refused", "refused", ""),
        ("talk", "taken for talk", ""),
        ("unreadable", "no plan", "prose"),
        ("none", "no plan", "missing"),
    ]
    assert next(m.said for m in found if m.kind == "refused") == "not understood"


def test_statistics_are_those_of_table_11_and_name_what_is_odd():
    cases = [
        case("1", graph(S), shape="single", words="Sum it up"),
        case("2", graph(S, T, links=[(S, T)]), shape="dag", words="Sum it up and say it"),
        case("3", graph(S, S, "Wizardry", links=[(S, S)]), shape="dag", words="Go"),
    ]
    found = statistics_of(cases, tools=RESOURCE)

    assert found.requests == {"single": 1, "chain": 0, "dag": 2}
    assert found.by_links == {"single": 1, "chain": 1, "dag": 1}
    assert (found.words.largest, found.words.mean) == (6, 3.33)
    assert (found.tasks.largest, found.tasks.mean) == (3, 2.0)
    assert found.unknown_tools == {"Wizardry": 1}
    assert (found.links, found.repeats, found.cycles) == (2, 1, 1)


def test_halves_are_fixed():
    assert [half_of(name) for name in ("13830322", "32709055", "0", "1")] == [
        half_of(name) for name in ("13830322", "32709055", "0", "1")
    ]
    assert half_of("32709055") == "tune"


def test_halves_are_about_equal():
    counts = Counter(half_of(str(at)) for at in range(2000))

    assert abs(counts["tune"] - 1000) < 100


@given(st.text())
def test_every_id_is_in_one_half(name: str):
    assert half_of(name) in ("tune", "report")


def test_another_order_is_no_mistake_where_nothing_waits():
    """The gold lists by the alphabet; its links alone say what comes first. A link to nowhere says nothing."""
    gold = graph(O, S, T, links=[(S, T), ("Wizardry", S)])
    said = {"1": Prediction(id="1", graph=graph(S, T, O, links=[(S, T)]))}

    assert [m.kind for m in mistakes_of([case("1", gold)], said)] == ["the right tools, a link too few"]
