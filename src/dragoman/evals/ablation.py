"""One measurement after another with other demonstrations, side by side: table 7 and figure 3 of the paper."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from dragoman.evals.markdown import shown_estimate, table
from dragoman.evals.measuring import measured
from dragoman.evals.plots import line_plot
from dragoman.evals.report import Report
from dragoman.evals.scoring import Group, Source
from dragoman.evals.tallies import Estimate
from dragoman.values import Value

__all__ = ["Run", "is_ablation", "page", "plot", "runs"]

# The columns of table 7, and ours.
_COLUMNS: tuple[tuple[str, Source, Group, str], ...] = (
    ("single: accuracy", "paper", "single", "accuracy"),
    ("single: F1", "paper", "single", "F1"),
    ("sequence: edit distance", "paper", "chain", "edit distance"),
    ("sequence: F1", "paper", "chain", "F1"),
    ("graph: F1", "paper", "dag", "F1"),
    ("node F1", "taskbench", "all", "node F1"),
    ("edge F1", "taskbench", "all", "edge F1"),
)
_PLOTTED = ("single: F1", "sequence: F1", "graph: F1", "node F1", "edge F1")


class Run(Value, frozen=True, kw_only=True):
    """One measurement of an ablation. demos, variety: None where the planner's own choice was left."""

    demos: int | None
    variety: int | None
    report: Report


def is_ablation(options: argparse.Namespace) -> bool:
    """Whether several numbers of demonstrations, or several varieties, are asked for."""
    return len(options.demos or ()) > 1 or len(options.variety or ()) > 1


async def runs(options: argparse.Namespace, *, say: Callable[[str], None], argv: Sequence[str]) -> list[Run]:
    """A report for each number of demonstrations with each variety; each has a predictions file of its own.

    A budget holds for each by itself. The rest is left out once one was stopped. Raises `UsageError`.
    """
    found: list[Run] = []
    for demos in options.demos or (None,):
        for variety in options.variety or (None,):
            say(f"with {_count(demos)} demonstrations of {_count(variety)} tasks")
            report = await measured(_only(options, demos, variety), say=say, argv=argv)
            found.append(Run(demos=demos, variety=variety, report=report))
            if report.stopped:
                return found
    return found


def page(found: Sequence[Run]) -> str:
    """The ablation as a table in Markdown; strict scores in percent with intervals."""
    first = found[0].report
    head = ["demonstrations", "of tasks", *(name for name, *_ in _COLUMNS), "tokens in", "runnable"]
    rows = [
        [
            _count(run.demos),
            _count(run.variety),
            *(shown_estimate(_score(run.report, source, group, metric)) for _, source, group, metric in _COLUMNS),
            str(run.report.cost.tokens_in),
            f"{run.report.cost.runnable} of {run.report.cost.checked}",
        ]
        for run in found
    ]
    stopped = f"\n\n**Not finished**: {found[-1].report.stopped}." if found[-1].report.stopped else ""
    title = f"# Planning by `{first.planner['planner']}` with other demonstrations"
    files = table(["", "file", "SHA-256"], ([file.role, file.path, file.sha256] for file in first.inputs))
    return "\n\n".join([title, table(head, rows) + stopped, f"```\n{first.command}\n```", files]) + "\n"


def plot(found: Sequence[Run]) -> str:
    """The ablation as an SVG, over what was varied most."""
    is_by_demos = len({run.demos for run in found}) >= len({run.variety for run in found})
    series: dict[str, list[tuple[float, float]]] = {}
    for name, source, group, metric in _COLUMNS:
        for run in found if name in _PLOTTED else ():
            estimate = _score(run.report, source, group, metric)
            if estimate is not None and estimate.value is not None:
                x = (run.demos if is_by_demos else run.variety) or 0
                series.setdefault(name, []).append((x, estimate.value))
    across = "demonstrations" if is_by_demos else "tasks shown in the demonstrations"
    title = f"Planning by {found[0].report.planner['planner']}"
    return line_plot({name: sorted(row) for name, row in series.items()}, title=title, across=across)


def _only(options: argparse.Namespace, demos: int | None, variety: int | None) -> argparse.Namespace:
    """The options with one number each, and a predictions file of their own."""
    parts = {"demos": demos, "variety": variety}
    suffix = "".join(f".{name}-{number}" for name, number in parts.items() if number is not None)
    own = {name: None if number is None else [number] for name, number in parts.items()}
    paths = {
        name: path.with_name(f"{path.stem}{suffix}{path.suffix}")
        for name in ("predictions", "verdicts")
        if isinstance(path := getattr(options, name), Path)
    }
    return argparse.Namespace(**(vars(options) | own | paths))


def _score(report: Report, source: Source, group: Group, metric: str) -> Estimate | None:
    wanted = (source, group, metric, "strict")
    return next((s.estimate for s in report.scores if (s.source, s.group, s.metric, s.form) == wanted), None)


def _count(number: int | None) -> str:
    return "the planner's choice" if number is None else str(number)
