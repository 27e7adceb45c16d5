"""One evaluation from files to a report."""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragoman import __version__
from dragoman.config import Settings
from dragoman.errors import UsageError
from dragoman.evals.candidates import Embedded, MindDriven, Planner
from dragoman.evals.coverage import coverage_of
from dragoman.evals.gold import DataSet, read_gold
from dragoman.evals.graphs import Case
from dragoman.evals.halves import half_of
from dragoman.evals.judging import Judged, judged
from dragoman.evals.linefile import LineFile
from dragoman.evals.mistakes import mistakes_of
from dragoman.evals.predictions import Checkpoint, read_predictions
from dragoman.evals.report import Input, Report, cost_of
from dragoman.evals.rows import sha256_of
from dragoman.evals.running import Runner
from dragoman.evals.scoring import scores_of
from dragoman.evals.statistics import statistics_of
from dragoman.evals.tools import ToolList, read_tools
from dragoman.minds.opening import open_mind
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
    work = await _scored_only(options) if options.score_only else await _planned(options, data.cases, tools, say)
    # A run that was stopped is scored on what it did; what a finished file lacks, its planner failed at.
    cases = [case for case in data.cases if case.id in work.checkpoint.done] if work.stopped else data.cases
    verdicts = await judged(options, cases=cases, predictions=work.checkpoint.done, tools=tools, say=say)
    return _report(options, data=data, cases=cases, tools=tools, work=work, verdicts=verdicts, argv=argv)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Work:
    """The plans, the settings of what made them, and why that was stopped."""

    checkpoint: Checkpoint
    settings: dict[str, Json]
    stopped: str | None = None


async def _scored_only(options: argparse.Namespace) -> _Work:
    checkpoint = Checkpoint(file=LineFile(path=None, settings=""))
    checkpoint.done = read_predictions(options.predictions, notes=checkpoint.notes)
    return _Work(checkpoint=checkpoint, settings={"planner": options.predictions.name})


async def _planned(
    options: argparse.Namespace, cases: Sequence[Case], tools: ToolList, say: Callable[[str], None]
) -> _Work:
    """Plan what isn't planned yet."""
    planner = _planner(options, tools)
    try:
        checkpoint = _checkpoint(options, planner)
        if checkpoint.done:
            say(f"{len(checkpoint.done)} plans stand in {options.predictions}; going on from there")
        runner = Runner(
            work=planner.plan,
            kept=checkpoint,
            parallel=options.parallel,
            max_tokens=options.max_tokens,
            tell=lambda done, total: say(f"{done} of {total} planned") if done % _TELL_EVERY == 0 else None,
        )
        await runner.run(cases)
    finally:
        await planner.aclose()
    return _Work(checkpoint=checkpoint, settings=planner.settings, stopped=runner.stopped)


def _chosen(cases: Sequence[Case], *, half: str | None, limit: int | None) -> list[Case]:
    kept = [case for case in cases if half is None or half_of(case.id) == half]
    return kept if limit is None else kept[:limit]


def _planner(options: argparse.Namespace, tools: ToolList) -> Planner:
    mind = open_mind(Settings.from_env(mind=options.mind))
    demos, variety = (numbers[0] if numbers else None for numbers in (options.demos, options.variety))
    if mind is not None:
        return MindDriven(mind, tools, demos=demos, variety=variety)
    if demos is not None or variety is not None:
        raise UsageError("the embedded planner is shown no demonstrations.", helps="name a `--mind`")
    return Embedded(tools)


def _checkpoint(options: argparse.Namespace, planner: Planner) -> Checkpoint:
    """What stands in the predictions file, if it was written under the same settings."""
    told = {**planner.settings, "tools": sha256_of(options.tools) if options.tools else "catalogue"}
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
    checkpoint = Checkpoint(file=LineFile(path=options.predictions, settings=digest))
    checkpoint.load()
    return checkpoint


def _report(
    options: argparse.Namespace,
    *,
    data: DataSet,
    cases: Sequence[Case],
    tools: ToolList,
    work: _Work,
    verdicts: Judged,
    argv: Sequence[str],
) -> Report:
    plans = work.checkpoint.done
    return Report(
        command=shlex.join(["dragoman", "eval", "planning", *argv]),
        planner=work.settings,
        critic=verdicts.told,
        versions={"dragoman": __version__, "Python": platform.python_version(), "on": platform.platform(terse=True)},
        inputs=_inputs(options),
        half=options.half,
        limit=options.limit,
        seed=options.seed,
        resamples=options.resamples,
        cases=len(cases),
        total=len(data.cases),
        statistics=statistics_of(data.cases, tools=tools),
        scores=tuple(
            scores_of(
                cases,
                plans,
                tools=tools,
                resamples=options.resamples,
                seed=options.seed,
                verdicts=verdicts.verdicts if verdicts.told else None,
            )
        ),
        coverage=tuple(coverage_of(cases, plans, tools=tools)),
        cost=cost_of(cases, plans),
        mistakes=tuple(mistakes_of(cases, plans)) if options.mistakes else (),
        notes=(*data.notes, *work.checkpoint.notes),
        stopped=work.stopped or verdicts.stopped,
    )


def _inputs(options: argparse.Namespace) -> tuple[Input, ...]:
    paths = {"tools": options.tools, "requests": options.requests, "gold": options.gold}
    if options.score_only:
        paths["predictions"] = options.predictions
    return tuple(Input(role=r, path=str(p), sha256=sha256_of(p)) for r, p in paths.items() if p is not None)
