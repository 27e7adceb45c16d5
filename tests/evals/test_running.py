"""Many requests at a time: resume, budget, and minds that die."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dragoman.errors import MindRefused, MindUnavailable, StoreError
from dragoman.evals.graphs import Case
from dragoman.evals.linefile import LineFile
from dragoman.evals.predictions import Checkpoint, Prediction, read_predictions
from dragoman.evals.running import Runner

from .examples import case, graph

PLAN = graph("A")
CASES = [case(str(at), PLAN) for at in range(20)]


class Counting:
    """A planner that counts its calls and fails where it is told to."""

    def __init__(self, failing: dict[str, Exception] | None = None, *, tokens: int = 0) -> None:
        self.asked: list[str] = []
        self.at_once = self.most_at_once = 0
        self._failing = failing or {}
        self._tokens = tokens

    async def plan(self, case: Case) -> Prediction:
        self.asked.append(case.id)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if case.id in self._failing:
            raise self._failing[case.id]
        return Prediction(id=case.id, graph=PLAN, tokens_in=self._tokens)


async def run(
    planner: Counting, checkpoint: Checkpoint, *, parallel: int = 1, max_tokens: int | None = None
) -> Runner[Prediction]:
    runner = Runner(work=planner.plan, kept=checkpoint, parallel=parallel, max_tokens=max_tokens)
    await runner.run(CASES)
    return runner


async def test_every_request_is_planned_once_with_no_more_at_a_time_than_allowed():
    planner = Counting()
    runner = await run(planner, Checkpoint(file=LineFile(path=None, settings="s")), parallel=4)

    assert sorted(planner.asked) == sorted(case.id for case in CASES)
    assert planner.most_at_once == 4
    assert runner.stopped is None


async def test_an_endpoint_that_dies_in_the_middle_costs_nothing_that_was_done(tmp_path: Path):
    """From the eighth request on nothing answers; the next run does the rest, and only that."""
    path = tmp_path / "out.jsonl"
    gone = {str(at): MindUnavailable("no answer") for at in range(7, 20)}
    first = await run(Counting(gone), Checkpoint(file=LineFile(path=path, settings="s")), parallel=2)
    assert first.stopped is not None
    assert "3 times in a row" in first.stopped

    again = Counting()
    checkpoint = Checkpoint(file=LineFile(path=path, settings="s"))
    checkpoint.load()
    second = await run(again, checkpoint)
    ids = [line for line in path.read_text("utf-8").splitlines() if line]

    assert sorted(again.asked, key=int) == [str(at) for at in range(7, 20)]
    assert second.stopped is None
    assert len(ids) == len(read_predictions(path, notes=[])) == 20


async def test_one_timeout_is_passed_over_and_named():
    planner = Counting({"3": MindUnavailable("too slow")})
    runner = await run(planner, Checkpoint(file=LineFile(path=None, settings="s")))

    assert len(runner.kept.done) == 19
    assert runner.stopped == "1 requests failed; the first: too slow"


async def test_a_mind_that_refuses_is_not_asked_again():
    planner = Counting({"2": MindRefused("the key is wrong")})
    runner = await run(planner, Checkpoint(file=LineFile(path=None, settings="s")))

    assert planner.asked == ["0", "1", "2"]
    assert runner.stopped == "the mind refused: the key is wrong"


async def test_a_budget_ends_the_run_and_counts_earlier_runs():
    checkpoint = Checkpoint(file=LineFile(path=None, settings="s"))
    first = await run(Counting(tokens=100), checkpoint, max_tokens=500)
    again = await run(Counting(tokens=100), checkpoint, max_tokens=600)

    assert first.stopped == "the budget of 500 tokens is spent (500)"
    assert again.stopped == "the budget of 600 tokens is spent (600)"
    assert len(checkpoint.done) == 6


async def test_a_budget_that_is_just_enough_is_no_stop():
    runner = await run(Counting(tokens=10), Checkpoint(file=LineFile(path=None, settings="s")), max_tokens=200)

    assert runner.stopped is None


async def test_a_disk_that_is_full_is_said_plainly(tmp_path: Path):
    kept = Checkpoint(file=LineFile(path=tmp_path / "no folder" / "out.jsonl", settings="s"))

    with pytest.raises(StoreError, match="can't be written"):
        await run(Counting(), kept, parallel=3)
