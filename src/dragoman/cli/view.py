"""How a run is shown on this terminal, and how its person is asked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Protocol

from dragoman import events as ev
from dragoman.cli.figures import size
from dragoman.cli.terminal import Terminal
from dragoman.execution.downloads import Need

__all__ = ["Asker", "View", "answer_is_yes", "open_view"]


class View(Protocol):
    """Shows the events of a run."""

    def begin(self) -> None:
        """The request is being read."""
        ...

    def __call__(self, event: ev.Event) -> None:
        """Show the event."""
        ...

    def pause(self) -> None:
        """Keep the screen still until `resume`."""
        ...

    def resume(self) -> None:
        """Go on showing."""
        ...

    def close(self) -> None:
        """The run is over."""
        ...


def open_view(terminal: Terminal) -> View:
    """The live view where lines can be redrawn, else plain lines."""
    if terminal.has_live_view:
        from dragoman.cli.live import LiveView

        return LiveView(terminal)
    from dragoman.cli.plain import PlainView

    return PlainView(terminal)


class Asker:
    """Asks the person for leave to download. `view`: what is being shown, to be kept still meanwhile."""

    def __init__(self, terminal: Terminal) -> None:
        self.view: View | None = None
        self._terminal = terminal

    async def __call__(self, needs: Sequence[Need]) -> bool:
        """Whether the person allows `needs` to be fetched."""
        view = self.view
        if view is not None:
            view.pause()
        self._terminal.say(_question(needs))
        is_allowed = await answer_is_yes(self._terminal)
        if view is not None:
            view.resume()
        return is_allowed


def _question(needs: Sequence[Need]) -> str:
    lines = [f"  {need.card.id}  {size(need.bytes)}, licence {need.card.license}" for need in needs]
    total = f", {size(sum(need.bytes for need in needs))} together" if len(needs) > 1 else ""
    return "\n".join([f"To be downloaded once{total}:", *lines])


async def answer_is_yes(terminal: Terminal, *, question: str = "Download now?") -> bool:
    """Whether the person agrees; an empty line is yes, the end of input no."""
    while True:
        terminal.stderr.write(f"{question} [Y/n] ")
        terminal.stderr.flush()
        try:
            line = await _line(terminal)
        except asyncio.CancelledError:
            terminal.say("")
            raise
        if line is None:
            terminal.say("")
            return False
        match line.strip().casefold():
            case "" | "y" | "yes":
                return True
            case "n" | "no":
                return False
            case _:
                terminal.say("y or n, please.")


async def _line(terminal: Terminal) -> str | None:
    """The next line typed, or None at the end. Waits in the loop, so that Ctrl-C can end it."""
    loop = asyncio.get_running_loop()
    descriptor = terminal.stdin.fileno()
    is_there = asyncio.Event()
    loop.add_reader(descriptor, is_there.set)
    try:
        await is_there.wait()
    finally:
        loop.remove_reader(descriptor)
    typed = os.read(descriptor, 4096)
    return typed.decode(errors="replace") if typed else None
