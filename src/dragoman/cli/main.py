"""`dragoman`: the way in.

Next to nothing is imported here: until `main` runs, Ctrl-C would end in a traceback.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dragoman.client import Dragoman

__all__ = ["main"]

_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None, *, open_dragoman: Callable[..., Dragoman] | None = None) -> int:
    """Run the command line; the exit code (contracts section 3).

    argv: without the program's name (default: the process's, which then ends with the code).
    """
    try:
        if argv is None:
            from dragoman.cli.early import listen

            listen()
        from dragoman.cli.guard import guarded

        code = guarded(sys.argv[1:] if argv is None else list(argv), open_dragoman=open_dragoman)
    except KeyboardInterrupt:
        code = _INTERRUPTED
    if argv is None:
        _leave(code)
    return code


def _leave(code: int) -> None:
    """End the process. A thread that still reads a slow disk, say, must not hold it up after Ctrl-C."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if code != _INTERRUPTED:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(code)
