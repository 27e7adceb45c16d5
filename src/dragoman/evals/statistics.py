"""What a data set is made of, as in table 11 of the HuggingGPT paper, and what is odd in it."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.evals.graphs import SHAPES, Case, Shape, has_cycle, shape_of
from dragoman.evals.tools import ToolList
from dragoman.values import Value

__all__ = ["Spread", "Statistics", "statistics_of"]


class Spread(Value, frozen=True, kw_only=True):
    """The greatest and the mean of some counts."""

    largest: int
    mean: float


class Statistics(Value, frozen=True, kw_only=True):
    """Requests by shape (as the data set calls it, and as the links make it), their words, their tasks; oddities.

    unknown_tools: gold names that the tool list does not hold, with how often. repeats: plans in which a tool stands
    twice. cycles: plans whose links lead back.
    """

    requests: dict[Shape, int]
    by_links: dict[Shape, int]
    words: Spread
    tasks: Spread
    links: int
    unknown_tools: dict[str, int]
    repeats: int
    cycles: int


def statistics_of(cases: Sequence[Case], *, tools: ToolList) -> Statistics:
    """The statistics of a data set."""
    unknown = [name for case in cases for name in case.gold.names if name not in tools.specs]
    real = [shape_of(case.gold.names, case.gold.links) for case in cases]
    return Statistics(
        requests={shape: sum(case.shape == shape for case in cases) for shape in SHAPES},
        by_links={shape: real.count(shape) for shape in SHAPES},
        words=_spread([len(case.words.split()) for case in cases]),
        tasks=_spread([len(case.gold.nodes) for case in cases]),
        links=sum(len(case.gold.links) for case in cases),
        unknown_tools={name: unknown.count(name) for name in dict.fromkeys(unknown)},
        repeats=sum(len(set(case.gold.names)) < len(case.gold.names) for case in cases),
        cycles=sum(has_cycle(case.gold.links) for case in cases),
    )


def _spread(counts: Sequence[int]) -> Spread:
    return Spread(largest=max(counts, default=0), mean=round(sum(counts) / len(counts), 2) if counts else 0.0)
