"""Finds the command, and sees to it that whatever happens ends in an exit code and words for a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dragoman.cli.commands import COMMANDS, Desk, overview
from dragoman.cli.terminal import Terminal, is_closed_pipe
from dragoman.errors import DragomanError, UsageError

if TYPE_CHECKING:
    from dragoman.client import Dragoman

__all__ = ["guarded"]

ANSWERED, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def guarded(argv: list[str], *, open_dragoman: Callable[..., Dragoman] | None = None) -> int:
    """Run the command that `argv` names; the exit code. Raises nothing but what ends the process."""
    desk = Desk(terminal=Terminal(), open_dragoman=open_dragoman)
    terminal = desk.terminal
    try:
        code = _dispatch(argv, desk)
        terminal.flush()
    except KeyboardInterrupt:
        terminal.complain("stopped.")
        return INTERRUPTED
    except SystemExit as stop:  # argparse's --help
        return _flushed(terminal, code=stop.code if isinstance(stop.code, int) else FAILED)
    except DragomanError as error:
        terminal.complain(error.says, helps=error.helps)
        return WRONG_USAGE if isinstance(error, UsageError) else FAILED
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback reaches a person
        return _explained(error, argv=argv, terminal=terminal)
    return code


def _dispatch(argv: list[str], desk: Desk) -> int:
    name, rest = (argv[0], argv[1:]) if argv else ("--help", [])
    if name in ("--help", "-h", "help"):
        desk.terminal.show(overview())
        return ANSWERED
    if name in ("--version", "-V"):
        from dragoman import __version__

        desk.terminal.show(f"dragoman {__version__}")
        return ANSWERED
    if name not in COMMANDS:
        raise _unknown(name, rest)
    from dragoman.registry import load

    return load(COMMANDS[name].path)(rest, desk=desk)


def _unknown(name: str, rest: list[str]) -> UsageError:
    from dragoman.cli.options import nearest_of

    if " " in name.strip():
        files = "".join(f" {word}" for word in rest[:3])
        return UsageError("a command comes before the words.", helps=f'try: dragoman ask "{name[:200]}"{files}')
    kind = "option" if name.startswith("-") else "command"
    nearest = nearest_of(name, ["--help", "--version"] if kind == "option" else list(COMMANDS))
    return UsageError(f"no {kind} `{name[:80]}`{nearest}.", helps="dragoman --help lists the commands.")


def _flushed(terminal: Terminal, *, code: int) -> int:
    try:
        terminal.flush()
    except OSError as error:
        return _explained(error, argv=[], terminal=terminal)
    return code


def _explained(error: Exception, *, argv: list[str], terminal: Terminal) -> int:
    """The code for an error that nobody foresaw, after a line about it; its traceback goes to a log."""
    from dragoman.cli.mishaps import complain_about

    if is_closed_pipe(error):
        terminal.abandon()  # The reader had enough, as `head` has; nothing went wrong.
        return ANSWERED
    complain_about(error, argv=argv, terminal=terminal)
    terminal.abandon()
    return FAILED
