"""One run as the terminal sees it: shown while it lasts, kept when it is stopped, printed when it has ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dragoman import events as ev
from dragoman.cli.answers import exit_code, show_answer, show_ending, show_stopped
from dragoman.cli.copies import copy_out
from dragoman.cli.interrupts import Loop
from dragoman.cli.terminal import Terminal
from dragoman.cli.view import View
from dragoman.errors import DragomanError, UsageError
from dragoman.journal.report import Report, report, report_to_json
from dragoman.values import Fault

if TYPE_CHECKING:
    from dragoman.client import Dragoman

__all__ = ["Serving", "Work"]

Work = Callable[["Dragoman", Callable[[ev.Event], None]], Awaitable[Report]]


@dataclass(kw_only=True)
class Serving:
    """Serves one run. `work` is given an open Dragoman and who listens; out: where copies of the files go."""

    work: Work
    view: View
    terminal: Terminal
    session: str | None = None
    out: Path | None = None
    is_json: bool = False
    _seen: list[ev.Event] = field(default_factory=list[ev.Event])

    def finish(self, dragoman: Dragoman) -> int:
        """Open `dragoman`, do the work, print what came of it; the exit code."""
        try:
            found = self._alone(dragoman)
        except KeyboardInterrupt:
            found = self.so_far("cancelled")
        except DragomanError as error:
            if self.is_json and not isinstance(error, UsageError):
                self._show_json(self.so_far("failed", Fault(says=error.says, helps=error.helps)), dragoman)
            raise
        return self.show(found, dragoman)

    async def serve(self, dragoman: Dragoman) -> Report:
        """What the run came to. `dragoman` is open."""
        self.view.begin()
        return await self.work(dragoman, self._listen)

    def so_far(self, status: str, fault: Fault | None = None) -> Report:
        """What is known of a run that did not come to its end."""
        known = report(self._seen) if self._seen else Report(run="", session=self.session or "")
        return replace(known, status=status, fault=fault or known.fault)

    def show(self, found: Report, dragoman: Dragoman, *, is_last: bool = True) -> int:
        """Print the report; the exit code. is_last: nothing follows in this conversation here, so name it."""
        made_in = dragoman.out(found.run)
        copies = copy_out(found, made_in=made_in, folder=self.out) if self.out is not None else []
        if self.is_json:
            self._show_json(found, dragoman)
        elif found.status != "cancelled":
            show_answer(found, made_in=made_in, terminal=self.terminal)
        for copy in copies:
            self.terminal.say(f"copied to {copy}")
        if found.status == "cancelled":
            show_stopped(found, terminal=self.terminal)
        elif is_last and not self.is_json:
            show_ending(found, terminal=self.terminal)
        return exit_code(found)

    def _alone(self, dragoman: Dragoman) -> Report:
        async def serve() -> Report:
            async with dragoman:
                return await self.serve(dragoman)

        try:
            with Loop() as loop:
                return loop.run(serve())
        finally:
            self.view.close()

    def _listen(self, event: ev.Event) -> None:
        self._seen.append(event)
        self.view(event)

    def _show_json(self, found: Report, dragoman: Dragoman) -> None:
        self.terminal.show_json(report_to_json(found, out=dragoman.out(found.run)))
