"""Ctrl-C while the program is still loading.

Python loses a KeyboardInterrupt that is raised in a callback, as the clean-up after an import is one: it prints that
it was ignored, and goes on. So it is noted here, and whoever begins something long asks for it first.
"""

from __future__ import annotations

__all__ = ["listen", "was_interrupted"]

_noted: list[int] = []


def listen() -> None:
    """From now on, Ctrl-C is noted before it is raised."""
    import signal

    signal.signal(signal.SIGINT, note)


def note(number: int, frame: object) -> None:
    """The handler."""
    del frame
    _noted.append(number)
    raise KeyboardInterrupt


def was_interrupted() -> bool:
    """Whether Ctrl-C was noted since this was asked last."""
    was = bool(_noted)
    _noted.clear()
    return was
