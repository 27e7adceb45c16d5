"""`dragoman chat`: one request after another in one conversation; experts stay loaded between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.cli.ask import asking
from dragoman.cli.commands import Desk
from dragoman.cli.copies import usable_folder
from dragoman.cli.dragged import dragged
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, add_run_options, nearest_of, settings_of
from dragoman.cli.serving import Serving
from dragoman.cli.terminal import Terminal
from dragoman.cli.view import Asker, open_view
from dragoman.cli.words import Asked, checked
from dragoman.errors import DragomanError
from dragoman.journal.ids import check_session, new_session
from dragoman.journal.sessions import history

if TYPE_CHECKING:
    from dragoman.client import Dragoman

__all__ = ["run"]

_COMMANDS = {
    "/files": "what this conversation has: files handed over and results",
    "/help": "this list",
    "/quit": "end (so does Ctrl-D)",
}
_HELP = "\n".join(f"  {name:<8}{says}" for name, says in _COMMANDS.items())
_PROMPT = "> "


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """Talk until the person ends it; the exit code."""
    options = _options().read(argv).options
    session = check_session(options.session) if options.session is not None else new_session()
    ask = Asker(desk.terminal)
    dragoman = desk.dragoman(settings=settings_of(options), ask_download=ask if desk.terminal.can_ask else None)
    with Loop() as loop:
        loop.run(dragoman.__aenter__())
        try:
            out = usable_folder(options.out) if options.out else None
            return _Chat(dragoman=dragoman, loop=loop, terminal=desk.terminal, session=session, ask=ask, out=out).talk()
        finally:
            loop.run(dragoman.aclose())


def _options() -> Options:
    options = Options("chat", says="Ask one thing after another. Each request knows what came before.", more=_HELP)
    options.add_argument("--session", metavar="NAME", help="a conversation to go on with, or to begin under this name")
    add_run_options(options)
    return options


@dataclass(kw_only=True)
class _Chat:
    """One conversation. `held`: files that were named without words, for the next request."""

    dragoman: Dragoman
    loop: Loop
    terminal: Terminal
    session: str
    ask: Asker
    out: Path | None
    held: list[str] = field(default_factory=list[str])

    def talk(self) -> int:
        """Read and serve requests until there are no more."""
        self.terminal.say(f"conversation {self.session}; /help lists what else can be typed.")
        was_interrupted = False
        while True:
            try:
                line = self._read()
            except KeyboardInterrupt:
                self.loop.forgive()
                if was_interrupted:
                    raise
                self.terminal.say("\nCtrl-C again ends the conversation, and so does Ctrl-D.")
                was_interrupted = True
                continue
            was_interrupted = False
            if line is None or line in ("/quit", "/exit", "exit", "quit"):
                return 0
            if line:
                self._take(line)

    def _read(self) -> str | None:
        """The next line, or None at the end."""
        if not self.terminal.can_ask:
            line = self.terminal.stdin.readline()
            return line.strip() if line else None
        with suppress(ImportError):
            import_module("readline")  # gives `input` line editing
        try:
            return input(_PROMPT).strip()
        except EOFError:
            self.terminal.say("")
            return None

    def _take(self, line: str) -> None:
        if re.fullmatch(r"/[a-z]+", line) and not Path(line).exists():
            self._obey(line)
            return
        words, files = dragged(line)
        files = [*self.held, *files]
        if not words:
            self.held = files
            self.terminal.say(f"got {', '.join(Path(name).name for name in files)}; what is to be done?")
            return
        self.held = []
        try:
            self._serve(Asked(words=checked(words, command="ask", files=files), files=files))
        except DragomanError as error:
            self.terminal.complain(error.says, helps=error.helps)

    def _serve(self, request: Asked) -> None:
        view = self.ask.view = open_view(self.terminal)
        work = asking(request, session=self.session)
        serving = Serving(work=work, view=view, terminal=self.terminal, session=self.session, out=self.out)
        try:
            found = self.loop.run(serving.serve(self.dragoman))
        except KeyboardInterrupt:
            self.loop.forgive()
            found = serving.so_far("cancelled")
        finally:
            view.close()
        serving.show(found, self.dragoman, is_last=False)

    def _obey(self, command: str) -> None:
        match command:
            case "/files":
                self._list_files()
            case "/help":
                self.terminal.say(_HELP)
            case _:
                self.terminal.say(f"no command {command}{nearest_of(command, list(_COMMANDS))}\n{_HELP}")

    def _list_files(self) -> None:
        lines = [f"  {Path(name).name}  (for the next request)" for name in self.held]
        for turn in history(self.dragoman.journal, self.session):
            lines += [f"  {one.name}  {one.kind}, handed over" for one in turn.asked]
            lines += [f"  {one.name}  {one.kind}, by {one.facts.get('made_by', 'a task')}" for one in turn.made]
        self.terminal.say("\n".join(dict.fromkeys(lines)) or "nothing yet")
