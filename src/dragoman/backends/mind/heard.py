"""Who counts what language models say as experts: set by a run, seen by every task in it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from dragoman.minds.base import Reply

__all__ = ["LISTENER", "tell"]

LISTENER: ContextVar[Callable[[str, Reply], None] | None] = ContextVar("LISTENER", default=None)


def tell(reply: Reply) -> None:
    """Let the run that this call belongs to count a reply."""
    listener = LISTENER.get()
    if listener is not None:
        listener("expert", reply)
