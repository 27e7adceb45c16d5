"""Demonstrations by number and variety, and the tables and plots of that."""

from __future__ import annotations

import argparse
import xml.etree.ElementTree as ET
from typing import Any

import msgspec
import pytest

from dragoman.errors import UsageError
from dragoman.evals.ablation import Run, is_ablation, page, plot
from dragoman.evals.candidates import MindDriven
from dragoman.evals.graphs import Case
from dragoman.evals.plots import line_plot
from dragoman.evals.report import Cost, Report
from dragoman.evals.scoring import Score
from dragoman.evals.shown import shown
from dragoman.evals.statistics import Spread, Statistics
from dragoman.evals.tallies import Estimate
from dragoman.minds.scripted import Scripted
from dragoman.planning.demonstrations import Demonstration
from dragoman.tasks import SPECS
from dragoman.values import Planned, Request

from .examples import RESOURCE, graph

REQUEST = Request(words="Transcribe talk.wav and read the summary aloud.")


def tasks_of(demonstrations: tuple[Demonstration, ...]) -> set[str]:
    return {task for demonstration in demonstrations for task in demonstration.tasks()}


@pytest.mark.parametrize("count", [0, 1, 4, 8])
def test_as_many_demonstrations_are_shown_as_asked_for(count: int):
    assert len(shown(REQUEST, count=count, variety=None)) == count


@pytest.mark.parametrize("variety", [2, 6, 10])
def test_demonstrations_show_as_many_tasks_as_asked_for(variety: int):
    assert len(tasks_of(shown(REQUEST, count=None, variety=variety))) == variety


def test_variety_and_number_hold_together():
    found = shown(REQUEST, count=5, variety=2)

    assert len(found) == 5
    assert len(tasks_of(found)) <= 2


async def test_a_planner_that_can_be_told_is_shown_them():
    told: list[Any] = []

    async def write(request: Request, *, mind: Any, specs: Any, demonstrations: Any = None) -> Planned:
        told.append((request.words, len(demonstrations)))
        return Planned(reply="Hello.")

    planner = MindDriven(Scripted([]), RESOURCE, demos=2, write=write)
    made = await planner.plan(Case(id="1", words="Hi", gold=graph("A"), shape="single"))

    assert told == [("Hi", 2)]
    assert made.graph is not None
    assert made.graph.nodes == ()
    assert planner.settings["demos"] == 2


def test_a_planner_that_cannot_be_told_is_not_measured_as_if_it_were():
    async def write(request: Request, *, mind: Any, specs: Any) -> Planned:
        return Planned()

    with pytest.raises(UsageError, match="would change nothing"):
        MindDriven(Scripted([]), RESOURCE, variety=2, write=write)


def report(*, f1: float, stopped: str | None = None) -> Report:
    spread = Spread(largest=1, mean=1.0)
    score = Score(source="paper", group="single", form="strict", metric="F1", cases=3, estimate=Estimate(value=f1))
    return Report(
        command="dragoman eval planning --demos 0,4",
        planner={"planner": "some-model"},
        critic={},
        versions={},
        inputs=(),
        half=None,
        limit=None,
        seed=0,
        resamples=0,
        cases=3,
        total=3,
        statistics=Statistics(
            requests={}, by_links={}, words=spread, tasks=spread, links=0, unknown_tools={}, repeats=0, cycles=0
        ),
        scores=(score,),
        coverage=(),
        cost=msgspec.convert(dict.fromkeys(Cost.__struct_fields__, 0) | {"tokens_in": 1234}, Cost),
        stopped=stopped,
    )


def test_an_ablation_is_a_row_for_each_run():
    text = page([Run(demos=0, variety=None, report=report(f1=0.4)), Run(demos=4, variety=None, report=report(f1=0.5))])

    assert "| 0 | the planner's choice | – | 40.0 |" in text
    assert "| 4 | the planner's choice | – | 50.0 |" in text
    assert "1234" in text


def test_an_ablation_that_was_stopped_says_so():
    assert "**Not finished**: no money" in page([Run(demos=0, variety=None, report=report(f1=0.4, stopped="no money"))])


def test_an_ablation_is_plotted_over_what_was_varied():
    by_demos = plot([Run(demos=n, variety=None, report=report(f1=n / 10)) for n in (0, 2, 4)])
    by_variety = plot([Run(demos=None, variety=n, report=report(f1=n / 10)) for n in (2, 6)])

    assert ">demonstrations<" in by_demos
    assert by_demos.count("<circle") == 3
    assert "tasks shown" in by_variety


@pytest.mark.parametrize(
    ("demos", "variety", "expected"),
    [(None, None, False), ([4], None, False), ([0, 4], None, True), ([4], [2, 6], True)],
)
def test_several_numbers_are_an_ablation(demos: list[int] | None, variety: list[int] | None, expected: bool):
    assert is_ablation(argparse.Namespace(demos=demos, variety=variety)) is expected


def test_a_plot_is_well_formed_whatever_its_names_and_points():
    for series in ({}, {"a<b>&": [(1.0, 0.5)]}, {"x": [(0.0, 0.0), (0.0, 1.0)], "y": []}):
        root = ET.fromstring(line_plot(series, title='"<&>"', across="n"))
        assert root.tag.endswith("svg")


def test_the_demonstrations_that_are_counted_are_those_of_the_catalogue():
    assert tasks_of(shown(REQUEST, count=50, variety=None)) <= set(SPECS)
