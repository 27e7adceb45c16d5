"""How right plans are when only the surest are kept: precision against coverage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from dragoman.evals.graphs import Case, Graph
from dragoman.evals.plots import line_plot
from dragoman.evals.predictions import Prediction
from dragoman.evals.published import taskbench_tallies
from dragoman.evals.tools import ToolList
from dragoman.values import Value

__all__ = ["Point", "coverage_of", "coverage_plot"]

_MOST_POINTS = 12


class Point(Value, frozen=True, kw_only=True):
    """The plans whose confidence is at least `confidence`: which share of all they are, and how right (strict form).

    whole: the share of them that have exactly the tasks of the gold plan.
    """

    confidence: float
    cases: int
    coverage: float
    node_precision: float | None
    node_f1: float | None
    edge_f1: float | None
    whole: float


def coverage_of(cases: Sequence[Case], predictions: Mapping[str, Prediction], *, tools: ToolList) -> list[Point]:
    """Points from the surest plans to all. Plans of equal confidence come in together; a missing one is least sure."""
    surest = sorted(cases, key=lambda case: -_confidence(predictions.get(case.id)))
    ends: list[int] = []
    for _, same in groupby(surest, key=lambda case: _confidence(predictions.get(case.id))):
        ends.append((ends[-1] if ends else 0) + len(list(same)))
    return [_point(surest[:end], predictions, total=len(cases), tools=tools) for end in _spread(ends)]


def coverage_plot(points: Sequence[Point]) -> str:
    """Precision against coverage as an SVG."""
    series: dict[str, list[tuple[float, float]]] = {}
    for point in points:
        told = {
            "node precision": point.node_precision,
            "node F1": point.node_f1,
            "edge F1": point.edge_f1,
            "exactly the tasks": point.whole,
        }
        for name, value in told.items():
            if value is not None:
                series.setdefault(name, []).append((round(100 * point.coverage, 1), value))
    return line_plot(series, title="Precision against coverage", across="plans kept, the surest first, in percent")


def _confidence(prediction: Prediction | None) -> float:
    return -1.0 if prediction is None or prediction.confidence is None else prediction.confidence


def _spread(ends: Sequence[int]) -> list[int]:
    """At most so many of the ends, spread evenly over the cases, with the last."""
    if len(ends) <= _MOST_POINTS:
        return list(ends)
    wanted = (ends[-1] * (at + 1) / _MOST_POINTS for at in range(_MOST_POINTS))
    return sorted({min(ends, key=lambda end: abs(end - want)) for want in wanted} | {ends[-1]})


def _point(cases: Sequence[Case], predictions: Mapping[str, Prediction], *, total: int, tools: ToolList) -> Point:
    said: list[Graph | None] = [p.graph if (p := predictions.get(case.id)) else None for case in cases]
    tallies = taskbench_tallies(cases, said, tools=tools, form="strict")
    whole = sum(g is not None and sorted(g.names) == sorted(c.gold.names) for c, g in zip(cases, said, strict=True))
    return Point(
        confidence=max(0.0, _confidence(predictions.get(cases[-1].id))),
        cases=len(cases),
        coverage=len(cases) / total,
        node_precision=tallies["node precision"].value(),
        node_f1=tallies["node F1"].value(),
        edge_f1=tallies["edge F1"].value(),
        whole=whole / len(cases),
    )
