"""`dragoman eval planning`: what it takes, and what it shows."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from dragoman.errors import UsageError
from dragoman.evals.halves import HALVES

if TYPE_CHECKING:
    from dragoman.evals.report import Report

__all__ = ["Screen", "add_arguments", "run"]

DONE, STOPPED = 0, 1
_HELP = "dragoman eval planning --help shows what it takes."
_MAIN = ("node F1", "edge F1", "argument-type F1", "argument-value F1")


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
    add("--demos", type=_count, metavar="N", help="how many demonstrations a mind is shown")
    add("--variety", type=_count, metavar="V", help="how many task types the demonstrations are drawn from")
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
    add("--json", action="store_true", help="print the report as JSON")


def run(
    options: argparse.Namespace, *, screen: Screen, argv: Sequence[str] = (), wait: Callable[[Any], Any] = asyncio.run
) -> int:
    """Measure, and print the report; 1 if not all requests were planned. Raises `UsageError`.

    argv: what was typed, for the report. wait: runs a coroutine and returns what it does.
    """
    from dragoman.evals.measuring import measured

    if options.gold is None:
        raise UsageError("`--gold` is missing: the plans to measure against.", helps=_HELP)
    if options.verdicts is not None and options.critic is None:
        raise UsageError("`--verdicts` wants `--critic MIND`.", helps=_HELP)
    if options.score_only and options.predictions is None:
        raise UsageError("`--score-only` wants `--predictions FILE`.", helps=_HELP)
    report = wait(measured(options, say=screen.say, argv=argv))
    _show(report, options, screen)
    if report.stopped:
        goes_on = "; the same command goes on from there" if options.predictions else ""
        screen.say(f"not finished: {report.stopped}{goes_on}")
    return STOPPED if report.stopped else DONE


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 10**9:
        raise argparse.ArgumentTypeError(f"wanted a number from 0, got {text}")
    return number


def _show(report: Report, options: argparse.Namespace, screen: Screen) -> None:
    from dragoman.evals.markdown import markdown

    if options.report is not None:
        try:
            options.report.write_text(markdown(report, examples=options.mistakes), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"`{options.report}` can't be written: {error}.") from error
        screen.say(f"the report is in {options.report}")
    if options.json:
        import msgspec

        screen.show_json(msgspec.to_builtins(report))
    elif options.report is not None:
        screen.show(_main_scores(report))
    else:
        screen.show(markdown(report, examples=options.mistakes))


def _main_scores(report: Report) -> str:
    """One line a form: `published: node F1 81.5, edge F1 54.7`."""
    lines: list[str] = []
    for form in ("published", "strict"):
        here = {s.metric: s.estimate.value for s in report.scores if s.group == "all" and s.form == form}
        told = [f"{name} {100 * value:.1f}" for name in _MAIN if (value := here.get(name)) is not None]
        lines.append(f"{form}: {', '.join(told)}")
    return "\n".join(lines)
