"""`dragoman ask`: one request, from the words to the answer. `dragoman resume`: one that was stopped, to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dragoman import events as ev
from dragoman.cli.commands import Desk
from dragoman.cli.copies import usable_folder
from dragoman.cli.options import Options, Typed, add_report_options, add_run_options, settings_of
from dragoman.cli.serving import Serving, Work
from dragoman.cli.view import Asker, open_view
from dragoman.cli.words import Asked, asked
from dragoman.errors import UsageError
from dragoman.journal.ids import check_session
from dragoman.journal.report import Report

if TYPE_CHECKING:
    from dragoman.client import Dragoman

__all__ = ["asking", "resume", "run"]

_MORE = """\
FILES are taken in their order ("the first one"); those that the words name are found, too. `-` reads the request from
standard input. The answer goes to standard output, everything else to standard error.

exit codes: 0 answered, at least in part; 1 refused or failed; 2 wrong usage; 130 interrupted"""


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """Serve a request; the exit code."""
    says = "Do what the words say, with the files handed over."
    options = Options("ask", says=says, words='"WORDS" [FILES…]', more=_MORE)
    options.add_argument("--session", metavar="NAME", help="a conversation to go on with, or to begin under this name")
    add_report_options(options)
    add_run_options(options)
    typed = options.read(argv)
    request = asked(typed.words, command="ask", terminal=desk.terminal)
    session = check_session(typed.options.session) if typed.options.session is not None else None
    return _finished(asking(request, session=session), typed, desk, session=session)


def resume(argv: Sequence[str], *, desk: Desk) -> int:
    """Go on with a stopped run; the exit code."""
    says = "Go on with a run that was stopped. What was done is not done again; the beginning of its id is enough."
    options = Options("resume", says=says, words="RUN")
    add_report_options(options)
    add_run_options(options)
    typed = options.read(argv)
    if len(typed.words) != 1:
        raise UsageError("`resume` wants one run, by its id or the beginning of it.", helps="dragoman runs lists them.")

    async def work(dragoman: Dragoman, listen: Callable[[ev.Event], None]) -> Report:
        return await dragoman.resume(typed.words[0].lower(), listen=listen)

    return _finished(work, typed, desk)


def asking(request: Asked, *, session: str | None) -> Work:
    """The work of serving `request`."""

    async def work(dragoman: Dragoman, listen: Callable[[ev.Event], None]) -> Report:
        return await dragoman.ask(request.words, files=request.files, session=session, listen=listen)

    return work


def _finished(work: Work, typed: Typed, desk: Desk, *, session: str | None = None) -> int:
    options, terminal = typed.options, desk.terminal
    view, ask = open_view(terminal), Asker(terminal)
    ask.view = view
    out = usable_folder(options.out) if options.out else None
    dragoman = desk.dragoman(settings=settings_of(options), ask_download=ask if terminal.can_ask else None)
    serving = Serving(work=work, view=view, terminal=terminal, session=session, out=out, is_json=options.json)
    return serving.finish(dragoman)
