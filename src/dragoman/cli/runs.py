"""`dragoman runs` and `dragoman show`: what was asked before, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dragoman.cli.answers import show_answer
from dragoman.cli.commands import Desk
from dragoman.cli.figures import briefly, seconds
from dragoman.cli.options import Options, settings_of
from dragoman.cli.tabling import show_rows
from dragoman.cli.terminal import Terminal
from dragoman.errors import UsageError
from dragoman.journal.ids import check_session
from dragoman.journal.log import Journal, RunRow
from dragoman.journal.report import Report, report, report_to_json
from dragoman.values import Done, Failed, Outcome, Skipped

__all__ = ["run", "show"]

_WORDS_CHARS = 60


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """List runs, newest first; the exit code."""
    options = _runs_options().read(argv).options
    session = check_session(options.session) if options.session is not None else None
    journal = settings_of(options).home / "journal.sqlite"
    found = Journal(journal).runs(session=session, limit=options.limit) if journal.exists() else ()
    if options.json:
        desk.terminal.show_json([msgspec.to_builtins(row) for row in found])
    elif not found:
        desk.terminal.say('nothing has been asked yet: dragoman ask "…"')
    else:
        heads = ("run", "session", "status", "tasks", "took", "words")
        show_rows([_row(row) for row in found], heads=heads, terminal=desk.terminal)
    return 0


def show(argv: Sequence[str], *, desk: Desk) -> int:
    """Print one run; the exit code."""
    typed = _show_options().read(argv)
    if len(typed.words) != 1:
        raise UsageError("`show` wants one run, by its id or the beginning of it.", helps="dragoman runs lists them.")
    settings = settings_of(typed.options)
    if not (settings.home / "journal.sqlite").exists():
        raise UsageError(f"no run `{typed.words[0][:40]}`: nothing has been asked yet.")
    journal = Journal(settings.home / "journal.sqlite")
    found = report(journal.events(journal.find(typed.words[0].lower())))
    made_in = settings.home / "out" / found.run
    if typed.options.json:
        desk.terminal.show_json(report_to_json(found, out=made_in))
        return 0
    _show_steps(found, desk.terminal)
    show_answer(found, made_in=made_in, terminal=desk.terminal)
    return 0


def _runs_options() -> Options:
    options = Options("runs", says="List what was asked before, newest first.")
    options.add_argument("--session", metavar="NAME", help="of this conversation only")
    options.add_argument("--limit", metavar="N", type=int, default=100, help="how many (default: 100)")
    options.add_argument("--json", action="store_true", help="print JSON")
    return options


def _show_options() -> Options:
    options = Options("show", says="Show one earlier run. The beginning of its id is enough.", words="RUN")
    options.add_argument("--json", action="store_true", help="print the whole report as one JSON object")
    return options


def _row(row: RunRow) -> tuple[str, ...]:
    took = seconds(row.seconds) if row.seconds is not None else ""
    words = briefly(row.words, chars=_WORDS_CHARS)
    return row.run, row.session, row.status, f"{row.tasks_done}/{row.tasks_total}", took, words


def _show_steps(found: Report, terminal: Terminal) -> None:
    terminal.show(f"{briefly(found.words, chars=200)}\n{found.status}, session {found.session}\n")
    rows = [
        (str(task["id"]), task["task"], briefly(list(task["args"].values())), *_outcome(found.outcome(task["id"])))
        for task in found.plan
    ]
    if rows:
        show_rows(rows, heads=("id", "task", "on", "state", "model", "took"), terminal=terminal)
        terminal.show("")


def _outcome(outcome: Outcome | None) -> tuple[str, str, str]:
    match outcome:
        case Done():
            return "done", outcome.model, seconds(outcome.seconds)
        case Failed():
            return "failed", outcome.model or "", seconds(outcome.seconds)
        case Skipped():
            return "skipped", "", ""
        case None:
            return "open", "", ""
