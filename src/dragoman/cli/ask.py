"""`dragoman ask`: one request, from the words to the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dragoman import events as ev
from dragoman.cli.answers import exit_code, show_answer, show_ending, show_stopped
from dragoman.cli.commands import Desk
from dragoman.cli.copies import copy_out, usable_folder
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, add_run_options, settings_of
from dragoman.cli.terminal import Terminal
from dragoman.cli.view import Asker, View, open_view
from dragoman.cli.words import Asked, asked
from dragoman.errors import DragomanError, UsageError
from dragoman.journal.ids import check_session
from dragoman.journal.report import Report, report, report_to_json
from dragoman.values import Fault

if TYPE_CHECKING:
    from dragoman.client import Dragoman

__all__ = ["Serving", "run"]

_MORE = """\
FILES are taken in their order ("the first one"); those that the words name are found, too. `-` reads the request from
standard input. The answer goes to standard output, everything else to standard error.

exit codes: 0 answered, at least in part; 1 refused or failed; 2 wrong usage; 130 interrupted"""


@dataclass(kw_only=True)
class Serving:
    """One request on its way: its events go to the view as they come, and are kept."""

    request: Asked
    session: str | None
    view: View
    seen: list[ev.Event] = field(default_factory=list[ev.Event])

    async def serve(self, dragoman: Dragoman) -> Report:
        """What the request came to. `dragoman` is open."""
        self.view.begin()
        words, files = self.request.words, self.request.files
        return await dragoman.ask(words, files=files, session=self.session, listen=self._listen)

    def so_far(self, status: str, fault: Fault | None = None) -> Report:
        """What is known of a run that did not come to its end."""
        known = report(self.seen) if self.seen else Report(run="", session=self.session or "")
        return replace(known, status=status, fault=fault or known.fault)

    def _listen(self, event: ev.Event) -> None:
        self.seen.append(event)
        self.view(event)


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """Serve the request; the exit code."""
    typed = _options().read(argv)
    options, terminal = typed.options, desk.terminal
    request = asked(typed.words, command="ask", terminal=terminal)
    session = check_session(options.session) if options.session is not None else None
    out = usable_folder(options.out) if options.out else None
    serving = Serving(request=request, session=session, view=open_view(terminal))
    ask = Asker(terminal)
    ask.view = serving.view
    dragoman = desk.dragoman(settings=settings_of(options), ask_download=ask if terminal.can_ask else None)
    try:
        found = _served(serving, dragoman)
    except KeyboardInterrupt:
        found = serving.so_far("cancelled")
    except DragomanError as error:
        if options.json and not isinstance(error, UsageError):
            fault = Fault(says=error.says, helps=error.helps)
            _show_json(serving.so_far("failed", fault), dragoman, terminal)
        raise
    return _shown(found, dragoman, desk.terminal, out=out, is_json=options.json)


def _options() -> Options:
    says = "Do what the words say, with the files handed over."
    options = Options("ask", says=says, words='"WORDS" [FILES…]', more=_MORE)
    options.add_argument("--json", action="store_true", help="print the whole report as one JSON object")
    add_run_options(options)
    return options


def _served(serving: Serving, dragoman: Dragoman) -> Report:
    async def serve() -> Report:
        async with dragoman:
            return await serving.serve(dragoman)

    try:
        with Loop() as loop:
            return loop.run(serve())
    finally:
        serving.view.close()


def _shown(found: Report, dragoman: Dragoman, terminal: Terminal, *, out: Path | None, is_json: bool) -> int:
    made_in = dragoman.out(found.run)
    copies = copy_out(found, made_in=made_in, folder=out) if out is not None else []
    if is_json:
        _show_json(found, dragoman, terminal)
    elif found.status != "cancelled":
        show_answer(found, made_in=made_in, terminal=terminal)
    for copy in copies:
        terminal.say(f"copied to {copy}")
    if found.status == "cancelled":
        show_stopped(found, terminal=terminal)
    elif not is_json:
        show_ending(found, terminal=terminal)
    return exit_code(found)


def _show_json(found: Report, dragoman: Dragoman, terminal: Terminal) -> None:
    terminal.show_json(report_to_json(found, out=dragoman.out(found.run)))
