"""One evaluation as a value: what was measured, on what, with what, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.evals.coverage import Point
from dragoman.evals.graphs import Case
from dragoman.evals.mistakes import Mistake
from dragoman.evals.predictions import Prediction
from dragoman.evals.scoring import Score
from dragoman.evals.statistics import Statistics
from dragoman.values import Json, Value

__all__ = ["Cost", "Input", "Report", "cost_of"]


class Input(Value, frozen=True, kw_only=True):
    """A file that went in. role: tools, requests, gold or predictions."""

    role: str
    path: str
    sha256: str


class Cost(Value, frozen=True, kw_only=True):
    """What the plans cost, and what became of them.

    refused: the planner said why it can't; unreadable: nothing could be read from the mind's reply; runnable: the graph
    check found no fault, of those where it was asked.
    """

    plans: int
    refused: int
    empty: int
    unreadable: int
    runnable: int
    checked: int
    repairs: int
    calls: int
    tokens_in: int
    tokens_out: int
    seconds_median: float
    seconds_p95: float
    seconds_largest: float


class Report(Value, frozen=True, kw_only=True):
    """An evaluation of planning, with all that is needed to repeat it.

    planner: its settings. critic: those of the mind that judged, and what it cost. half, limit: which part of the gold
    was taken. cases: how many of it were scored, of `total`. stopped: why not all. notes: what was odd in the files.
    """

    command: str
    planner: dict[str, Json]
    critic: dict[str, Json]
    versions: dict[str, str]
    inputs: tuple[Input, ...]
    half: str | None
    limit: int | None
    seed: int
    resamples: int
    cases: int
    total: int
    statistics: Statistics
    scores: tuple[Score, ...]
    coverage: tuple[Point, ...]
    cost: Cost
    mistakes: tuple[Mistake, ...] = ()
    notes: tuple[str, ...] = ()
    stopped: str | None = None


def cost_of(cases: Sequence[Case], predictions: Mapping[str, Prediction]) -> Cost:
    """The cost of the cases' predictions."""
    made = [predictions[case.id] for case in cases if case.id in predictions]
    seconds = sorted(prediction.seconds for prediction in made)
    return Cost(
        plans=len(made),
        refused=sum(prediction.fault is not None for prediction in made),
        empty=sum(p.fault is None and p.graph is not None and not p.graph.nodes for p in made),
        unreadable=sum(prediction.graph is None for prediction in made),
        runnable=sum(prediction.is_runnable is True for prediction in made),
        checked=sum(prediction.is_runnable is not None for prediction in made),
        repairs=sum(prediction.repairs for prediction in made),
        calls=sum(prediction.calls for prediction in made),
        tokens_in=sum(prediction.tokens_in for prediction in made),
        tokens_out=sum(prediction.tokens_out for prediction in made),
        seconds_median=_at(seconds, 0.5),
        seconds_p95=_at(seconds, 0.95),
        seconds_largest=_at(seconds, 1.0),
    )


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[round(share * (len(ordered) - 1))] if ordered else 0.0
