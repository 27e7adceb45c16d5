"""`dragoman eval planning`: what it takes, and what it shows."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from dragoman.errors import UsageError
from dragoman.evals.halves import HALVES

__all__ = ["Screen", "add_arguments", "run"]

DONE, STOPPED = 0, 1
_HELP = "dragoman eval planning --help shows what it takes."


class Screen(Protocol):
    """Where a command writes: results to `show` and `show_json`, everything else to `say`."""

    def show(self, text: str) -> None: ...  # noqa: D102
    def show_json(self, content: Any) -> None: ...  # noqa: D102
    def say(self, text: str) -> None: ...  # noqa: D102


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `eval planning` takes."""
    add = parser.add_argument
    add("--gold", type=Path, metavar="FILE", help="gold plans: TaskBench's, compact ones, or demonstrations")
    add("--requests", type=Path, metavar="FILE", help="the words by id, where the gold file doesn't hold them")
    add(
        "--tools",
        type=Path,
        metavar="FILE",
        help="the tool list, TaskBench's tool_desc.json (default: Dragoman's tasks)",
    )
    add("--mind", metavar="MIND", default="embedded", help="who plans: embedded (default), auto, a model, gguf:PATH, …")
    add("--demos", type=_counts, metavar="N,…", help="how many demonstrations a mind is shown; several: one run each")
    add("--variety", type=_counts, metavar="V,…", help="how many tasks the demonstrations show together; or several")
    add("--predictions", type=Path, metavar="FILE", help="keep the plans there, one line an id, and go on from there")
    add("--score-only", action="store_true", help="plan nothing: score what the predictions file holds")
    add("--critic", metavar="MIND", help="a language model that judges the plans, as GPT-4 does in the paper")
    add("--verdicts", type=Path, metavar="FILE", help="keep the critic's verdicts there, and go on from there")
    add("--half", choices=HALVES, help="only the half of the ids to tune on, or the half to report")
    add("--limit", type=_count, metavar="N", help="only the first N requests")
    add("--parallel", type=_count, metavar="N", default=4, help="requests that a mind gets at a time (default: 4)")
    add("--max-tokens", type=_count, metavar="N", help="stop once all plans, or all verdicts, have cost N tokens")
    add("--resamples", type=_count, metavar="N", default=1000, help="bootstrap resamples (default: 1000)")
    add("--seed", type=int, metavar="N", default=0, help="seed of the bootstrap (default: 0)")
    add("--mistakes", type=_count, metavar="N", default=0, help="list what is wrong, by kind, with N examples each")
    add("--report", type=Path, metavar="FILE", help="write the report there, and print the main scores only")
    add("--plot", type=Path, metavar="FILE", help="write precision against coverage, or an ablation, there as SVG")
    add("--json", action="store_true", help="print the report as JSON")


def run(
    options: argparse.Namespace, *, screen: Screen, argv: Sequence[str] = (), wait: Callable[[Any], Any] = asyncio.run
) -> int:
    """Measure, and print the report; 1 if not all requests were planned. Raises `UsageError`.

    argv: what was typed, for the report. wait: runs a coroutine and returns what it does.
    """
    if options.gold is None:
        raise UsageError("`--gold` is missing: the plans to measure against.", helps=_HELP)
    if options.verdicts is not None and options.critic is None:
        raise UsageError("`--verdicts` wants `--critic MIND`.", helps=_HELP)
    if options.score_only and options.predictions is None:
        raise UsageError("`--score-only` wants `--predictions FILE`.", helps=_HELP)
    from dragoman.evals.ablation import is_ablation

    stopped = (_ablate if is_ablation(options) else _measure)(options, screen=screen, argv=argv, wait=wait)
    if stopped:
        goes_on = "; the same command goes on from there" if options.predictions else ""
        screen.say(f"not finished: {stopped}{goes_on}")
    return STOPPED if stopped else DONE


def _measure(
    options: argparse.Namespace, *, screen: Screen, argv: Sequence[str], wait: Callable[[Any], Any]
) -> str | None:
    """One report; why it was stopped, or None."""
    from dragoman.evals.coverage import coverage_plot
    from dragoman.evals.markdown import main_scores, markdown
    from dragoman.evals.measuring import measured

    report = wait(measured(options, say=screen.say, argv=argv))
    page = markdown(report, examples=options.mistakes)
    plot = coverage_plot(report.coverage)
    _show(report, page=page, plot=plot, brief=main_scores(report), options=options, screen=screen)
    return report.stopped


def _ablate(
    options: argparse.Namespace, *, screen: Screen, argv: Sequence[str], wait: Callable[[Any], Any]
) -> str | None:
    """A report for each setting; why that was stopped, or None."""
    from dragoman.evals.ablation import page, plot, runs

    found = wait(runs(options, say=screen.say, argv=argv))
    _show(found, page=page(found), plot=plot(found), brief=page(found), options=options, screen=screen)
    return found[-1].report.stopped


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 10**9:
        raise argparse.ArgumentTypeError(f"wanted a number from 0, got {text}")
    return number


def _counts(text: str) -> list[int]:
    return [_count(part) for part in text.split(",")]


def _show(found: Any, *, page: str, plot: str, brief: str, options: argparse.Namespace, screen: Screen) -> None:
    """Write the files that are asked for; print JSON, the page, or its brief form where it is in a file."""
    for path, text in ((options.report, page), (options.plot, plot)):
        if path is None:
            continue
        try:
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise UsageError(f"`{path}` can't be written: {error}.") from error
        screen.say(f"written: {path}")
    if options.json:
        import msgspec

        screen.show_json(msgspec.to_builtins(found))
    else:
        screen.show(page if options.report is None else brief)
