"""One evaluation from files to a report."""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import shlex
from collections.abc import Callable, Sequence

from dragoman import __version__
from dragoman.errors import UsageError
from dragoman.evals.coverage import coverage_of
from dragoman.evals.gold import DataSet, read_gold
from dragoman.evals.graphs import Case
from dragoman.evals.halves import half_of
from dragoman.evals.mistakes import mistakes_of
from dragoman.evals.predictions import Checkpoint, read_predictions
from dragoman.evals.report import Input, Report, cost_of
from dragoman.evals.rows import sha256_of
from dragoman.evals.running import Planner, Runner
from dragoman.evals.scoring import scores_of
from dragoman.evals.statistics import statistics_of
from dragoman.evals.tools import ToolList, read_tools
from dragoman.values import Json

__all__ = ["measured"]

_TELL_EVERY = 50


async def measured(options: argparse.Namespace, *, say: Callable[[str], None], argv: Sequence[str]) -> Report:
    """The report on the planner and the files that the options name. Raises `UsageError`."""
    tools = read_tools(options.tools)
    data = read_gold(options.gold, requests=options.requests, tools=tools)
    data.cases = _chosen(data.cases, half=options.half, limit=options.limit)
    if not data.cases:
        raise UsageError("no request is left to measure.", helps="leave out --half or --limit")
    if options.score_only:
        checkpoint = Checkpoint(path=None, settings="")
        checkpoint.done = read_predictions(options.predictions, notes=checkpoint.notes)
        told: dict[str, Json] = {"planner": options.predictions.name}
        return _report(options, data=data, tools=tools, checkpoint=checkpoint, told=told, argv=argv)
    planner = _planner(options, tools)
    try:
        checkpoint = _checkpoint(options, planner)
        stopped = await _planned(planner, checkpoint, cases=data.cases, options=options, say=say)
    finally:
        await planner.aclose()
    return _report(
        options, data=data, tools=tools, checkpoint=checkpoint, told=planner.settings, argv=argv, stopped=stopped
    )


def _chosen(cases: Sequence[Case], *, half: str | None, limit: int | None) -> list[Case]:
    kept = [case for case in cases if half is None or half_of(case.id) == half]
    return kept if limit is None else kept[:limit]


def _planner(options: argparse.Namespace, tools: ToolList) -> Planner:
    from dragoman.config import Settings
    from dragoman.evals.candidates import Embedded, MindDriven
    from dragoman.minds.opening import open_mind

    if options.demos is not None or options.variety is not None:
        raise UsageError("the planner has no setting for demonstrations yet.", helps="leave out --demos and --variety")
    mind = open_mind(Settings.from_env(mind=options.mind))
    return Embedded(tools) if mind is None else MindDriven(mind, tools)


def _checkpoint(options: argparse.Namespace, planner: Planner) -> Checkpoint:
    """What stands in the predictions file, if it was written under the same settings."""
    told = {**planner.settings, "tools": sha256_of(options.tools) if options.tools else "catalogue"}
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
    checkpoint = Checkpoint(path=options.predictions, settings=digest)
    checkpoint.load()
    return checkpoint


async def _planned(
    planner: Planner,
    checkpoint: Checkpoint,
    *,
    cases: Sequence[Case],
    options: argparse.Namespace,
    say: Callable[[str], None],
) -> str | None:
    """Plan what isn't planned; why that was stopped, or None."""
    if checkpoint.done:
        say(f"{len(checkpoint.done)} plans stand in {options.predictions}; going on from there")
    runner = Runner(
        planner=planner,
        checkpoint=checkpoint,
        parallel=options.parallel,
        max_tokens=options.max_tokens,
        tell=lambda done, total: say(f"{done} of {total} planned") if done and done % _TELL_EVERY == 0 else None,
    )
    await runner.run(cases)
    return runner.stopped


def _report(
    options: argparse.Namespace,
    *,
    data: DataSet,
    tools: ToolList,
    checkpoint: Checkpoint,
    told: dict[str, Json],
    argv: Sequence[str],
    stopped: str | None = None,
) -> Report:
    # A run that was stopped is scored on what it did; what a finished file lacks, its planner failed at.
    cases = [case for case in data.cases if case.id in checkpoint.done] if stopped else data.cases
    return Report(
        command=shlex.join(["dragoman", "eval", "planning", *argv]),
        planner=told,
        versions={"dragoman": __version__, "Python": platform.python_version(), "on": platform.platform(terse=True)},
        inputs=_inputs(options),
        half=options.half,
        limit=options.limit,
        seed=options.seed,
        resamples=options.resamples,
        cases=len(cases),
        total=len(data.cases),
        statistics=statistics_of(data.cases, tools=tools),
        scores=tuple(scores_of(cases, checkpoint.done, tools=tools, resamples=options.resamples, seed=options.seed)),
        coverage=tuple(coverage_of(cases, checkpoint.done, tools=tools)),
        cost=cost_of(cases, checkpoint.done),
        mistakes=tuple(mistakes_of(cases, checkpoint.done)) if options.mistakes else (),
        notes=(*data.notes, *checkpoint.notes),
        stopped=stopped,
    )


def _inputs(options: argparse.Namespace) -> tuple[Input, ...]:
    paths = {"tools": options.tools, "requests": options.requests, "gold": options.gold}
    if options.score_only:
        paths["predictions"] = options.predictions
    return tuple(Input(role=r, path=str(p), sha256=sha256_of(p)) for r, p in paths.items() if p is not None)
