"""The end of a run, for a person: the answer on standard output, what is to be known about it on standard error."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.cli.figures import seconds, size
from dragoman.cli.terminal import Terminal, clean
from dragoman.journal.report import Report
from dragoman.values import Done

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["exit_code", "show_answer", "show_ending", "show_stopped"]

_SERVED = ("answered", "partial", "chat")


def exit_code(report: Report) -> int:
    """0 for a request that was served at least in part, 130 for one that was stopped, else 1."""
    if report.status in _SERVED:
        return 0
    return 130 if report.status == "cancelled" else 1


def show_answer(report: Report, *, made_in: Path, terminal: Terminal) -> None:
    """The answer's words, with links to the files where a terminal is written to; and why, if there is none."""
    text = report.answer.text.strip()
    if text and terminal.has_styled_output:
        from dragoman.cli.live import console_of

        console = console_of(terminal, is_error=False)
        console.print(_linked(_wrapped(clean(text), columns=console.width), made_in=made_in), soft_wrap=True)
    elif text:
        terminal.show(text)
    terminal.flush()
    if report.fault is not None and report.fault.says not in text:
        terminal.complain(report.fault.says, helps=report.fault.helps)
    elif report.fault is not None and report.fault.helps and report.fault.helps not in text:
        terminal.say(f"  {report.fault.helps}")


def show_ending(report: Report, *, terminal: Terminal) -> None:
    """What to call the run and its conversation, and what it took: one quiet line on standard error."""
    parts = [report.status, seconds(report.usage.seconds)]
    if report.usage.bytes_downloaded:
        parts.append(f"{size(report.usage.bytes_downloaded)} downloaded")
    if report.usage.llm_calls:
        parts.append(f"{report.usage.tokens_in + report.usage.tokens_out} tokens")
    line = f"{', '.join(parts)} · run {report.run} · go on with --session {report.session}"
    if not terminal.has_live_view:
        return terminal.say(line.replace(" · ", "; "))
    from rich.text import Text

    from dragoman.cli.live import console_of

    return console_of(terminal, is_error=True).print(Text(line, style="dim"), soft_wrap=True)


def show_stopped(report: Report, *, terminal: Terminal) -> None:
    """That the run was stopped, and where what was done is to be found."""
    if not report.run:
        return terminal.say("stopped; nothing had been begun.")
    done = sum(isinstance(outcome, Done) for outcome in report.outcomes)
    kept = f"{done} of {len(report.plan)} tasks were done and are kept" if done else "the request is kept"
    return terminal.say(f"stopped; {kept}: dragoman resume {report.run}")


def _wrapped(text: str, *, columns: int) -> str:
    """`text` broken between words; a path that is longer than a line stays whole, so that it can be copied."""
    return "\n".join(
        textwrap.fill(
            line, columns, break_long_words=False, break_on_hyphens=False, replace_whitespace=False, tabsize=4
        )
        for line in text.split("\n")
    )


def _linked(text: str, *, made_in: Path) -> Text:
    """`text` with every path to a file of the run as a link to it."""
    from rich.text import Text

    shown = Text(text)
    for found in re.finditer(re.escape(str(made_in)) + r"/[^\s`'\"()<>]+", text):
        path = Path(found[0].rstrip(".,;:"))
        if path.is_file():
            shown.stylize(f"link {path.as_uri()}", found.start(), found.start() + len(str(path)))
    return shown
