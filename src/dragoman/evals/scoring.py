"""All metrics of all groups of requests, in both forms, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from dragoman.evals.critic import Verdict, critic_tally
from dragoman.evals.graphs import SHAPES, Case, Graph, Shape
from dragoman.evals.paper import paper_tallies
from dragoman.evals.predictions import Prediction
from dragoman.evals.published import taskbench_tallies
from dragoman.evals.readings import FORMS, Form
from dragoman.evals.tallies import Estimate, Tally, estimates
from dragoman.evals.tools import ToolList
from dragoman.values import Value

__all__ = ["GROUPS", "Group", "Score", "Source", "scores_of"]

Group = Literal["all", "single", "chain", "dag"]
GROUPS: tuple[Group, ...] = ("all", *SHAPES)
Source = Literal["taskbench", "paper"]


class Score(Value, frozen=True, kw_only=True):
    """One metric over one group of requests. Values are shares from 0 to 1; `edit distance` is the better the lower."""

    source: Source
    group: Group
    form: Form
    metric: str
    cases: int
    estimate: Estimate


def scores_of(
    cases: Sequence[Case],
    predictions: Mapping[str, Prediction],
    *,
    tools: ToolList,
    resamples: int,
    seed: int,
    verdicts: Mapping[str, Verdict] | None = None,
) -> list[Score]:
    """Every metric of TaskBench for all requests and for each shape, and the paper's for each shape.

    verdicts: a critic's, where one was asked; its score is one more of the paper's.
    """
    found: list[Score] = []
    for group in GROUPS:
        here = [case for case in cases if group in ("all", case.shape)]
        said = [prediction.graph if (prediction := predictions.get(case.id)) else None for case in here]
        tallies: dict[tuple[Source, Form, str], Tally] = {
            (source, form, metric): tally
            for form in FORMS
            for source, metric, tally in _tallies(here, said, tools=tools, form=form, group=group, verdicts=verdicts)
        }
        named = {f"{source}/{form}/{metric}": tally for (source, form, metric), tally in tallies.items()}
        values = estimates(named, resamples=resamples, seed=seed) if here else {}
        found.extend(
            Score(source=s, group=group, form=f, metric=m, cases=len(here), estimate=values[f"{s}/{f}/{m}"])
            for s, f, m in (tallies if here else ())
        )
    return found


def _tallies(
    cases: Sequence[Case],
    said: Sequence[Graph | None],
    *,
    tools: ToolList,
    form: Form,
    group: Group,
    verdicts: Mapping[str, Verdict] | None,
) -> Iterator[tuple[Source, str, Tally]]:
    for metric, tally in taskbench_tallies(cases, said, tools=tools, form=form).items():
        yield "taskbench", metric, tally
    shape: Shape | None = None if group == "all" else group
    if shape is not None:
        for metric, tally in paper_tallies(cases, said, shape=shape, form=form).items():
            yield "paper", metric, tally
        if verdicts is not None:
            yield "paper", "critic score", critic_tally(cases, verdicts, form=form)
