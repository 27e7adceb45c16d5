"""The commands: what each is for, and where it is. A command is a file with `run(argv, desk=…)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from dragoman.cli.terminal import Terminal

if TYPE_CHECKING:
    from dragoman.client import Dragoman

__all__ = ["COMMANDS", "Command", "Desk", "overview"]


# No dataclasses here: importing them takes longer than all else that `--help` does.
class Desk:
    """What a command works with. open_dragoman: makes the `Dragoman` that serves it (tests hand in another)."""

    def __init__(self, *, terminal: Terminal, open_dragoman: Callable[..., Dragoman] | None = None) -> None:
        self.terminal = terminal
        self.open_dragoman = open_dragoman

    def dragoman(self, **settings: Any) -> Dragoman:
        """A Dragoman, not opened yet."""
        if self.open_dragoman is not None:
            return self.open_dragoman(**settings)
        from dragoman.client import Dragoman

        return Dragoman(**settings)


class Command(NamedTuple):
    """One command. path: `module:function`, imported when it is called."""

    path: str
    says: str


COMMANDS: Mapping[str, Command] = {
    "ask": Command("dragoman.cli.ask:run", "do what the words say, with the files handed over"),
    "chat": Command("dragoman.cli.chat:run", "one request after another, each knowing those before"),
    "plan": Command("dragoman.cli.plan:run", "show what `ask` would do, and do nothing"),
    "tasks": Command("dragoman.cli.tasks:run", "what can be asked for, and what has an expert here"),
    "models": Command("dragoman.cli.models:run", "the experts: list, fetch, why"),
    "runs": Command("dragoman.cli.runs:run", "what was asked before"),
    "show": Command("dragoman.cli.runs:show", "one earlier run: its plan, its results, its answer"),
    "resume": Command("dragoman.cli.ask:resume", "go on with a run that was stopped"),
    "doctor": Command("dragoman.cli.doctor:run", "try every expert, and say what would add more"),
    "eval": Command("dragoman.cli.evaluate:run", "measure how well requests are planned"),
    "sample": Command("dragoman.cli.sample:run", "the path of a real photo, recording or clip to try things on"),
}

_HEAD = """\
usage: dragoman COMMAND …

Say in plain words what you want done with your pictures, sound, video, documents or text; expert models do it.
"""
_TAIL = """\
For example:
  dragoman ask "What animal is in this picture?" "$(dragoman sample cat)"
  dragoman ask "Transcribe this recording, then give me its named entities" talk.mp3

`dragoman COMMAND --help` tells more; `dragoman --version` the version."""


def overview() -> str:
    """The help page of `dragoman`."""
    rows = "\n".join(f"  {name:<8}{command.says}" for name, command in COMMANDS.items())
    return f"{_HEAD}\n{rows}\n\n{_TAIL}"
