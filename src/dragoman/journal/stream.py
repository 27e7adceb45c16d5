"""The event stream of one run: numbered, journalled, then shown to whoever listens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from dragoman import events as ev
from dragoman.errors import StoreError
from dragoman.journal.log import Journal

__all__ = ["Listener", "Stream", "utc_now"]

Listener = Callable[[ev.Event], None]


def utc_now() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


class Stream:
    """Numbers the events of one run, has them journalled, and shows them in order. Lives in one event loop.

    past: what an earlier process of the run has journalled; numbers go on from there.
    """

    def __init__(
        self, journal: Journal, *, run: str, now: Callable[[], datetime] = utc_now, past: Sequence[ev.Event] = ()
    ) -> None:
        self.run = run
        self.emitted: list[ev.Event] = list(past)
        self._journal = journal
        self._now = now
        self._next = len(past)
        self._shown_only = 0
        self._listeners: list[Listener] = []
        self._loop = asyncio.get_running_loop()
        self._waiting = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._problem: StoreError | None = None

    def listen(self, listener: Listener) -> None:
        """Show every event from now on to `listener`, in the loop, after its commit."""
        self._listeners.append(listener)

    def emit(self, kind: type[Any], **fields: Any) -> ev.Event:
        """Make the event, queue it for the journal, return it. Raises `StoreError` once the journal has failed."""
        if self._problem is not None:
            raise self._problem
        if kind in ev.SHOWN_ONLY:
            event: ev.Event = kind(run=self.run, seq=self._next - 1, n=self._shown_only, at=self._now(), **fields)
            self._shown_only += 1
            self._queue(event, entry=None)
            return event
        event = kind(run=self.run, seq=self._next, at=self._now(), **fields)
        self._next += 1
        self.emitted.append(event)
        self._queue(event, entry=event)
        return event

    async def settled(self) -> None:
        """Wait until everything emitted so far is committed and shown. Raises `StoreError` if it could not be."""
        await self._idle.wait()
        if self._problem is not None:
            raise self._problem

    def _queue(self, event: ev.Event, *, entry: ev.Event | None) -> None:
        self._waiting += 1
        self._idle.clear()
        self._journal.write(entry, shown=lambda problem: self._hand_over(event, problem))

    def _hand_over(self, event: ev.Event, problem: StoreError | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._show, event, problem)
        except RuntimeError:  # The loop was closed by an interrupt; the event is on disk, nobody is left to look.
            return

    def _show(self, event: ev.Event, problem: StoreError | None) -> None:
        self._waiting -= 1
        self._problem = self._problem or problem
        if problem is None:
            for listener in self._listeners:
                listener(event)
        if self._waiting == 0:
            self._idle.set()
