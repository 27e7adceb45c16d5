"""The worker processes of this machine: one per runtime, calls in line, deadlines that hold.

A call that passes its deadline, or is cancelled, costs its process and nothing else: the calls behind it wait here, in
the parent, and find a new process. After a crash the call is tried once more in a fresh process by itself, since what
went before in the old one may be the guilty part; the second crash is its own.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from dragoman.backends.base import Call, Produced
from dragoman.backends.child import CallBroke, Child, ChildDied
from dragoman.backends.machine import thread_count
from dragoman.backends.wire import Order, with_items
from dragoman.errors import ExpertCrashed, ExpertError, ExpertTimeout
from dragoman.models.processes import worker_environment

LOG_BYTES = 1_000_000


class WorkerPool:
    """Worker processes by runtime, started at the first call and kept for the next.

    home: where `logs/workers.log` goes. threads: of each worker; 0 asks the machine. environ: the parent's variables,
    of which workers get a few and no secret. Lives in one event loop.
    """

    def __init__(self, home: Path, *, threads: int = 0, environ: Mapping[str, str] | None = None) -> None:
        self._log = _Log(home / "logs" / "workers.log")
        self._threads = thread_count(threads)
        self._environ = worker_environment(os.environ if environ is None else environ, threads=self._threads)
        self._lanes: dict[str, _Lane] = {}
        self._ids = itertools.count()
        self._is_closed = False

    @property
    def pids(self) -> dict[str, int]:
        """The process ids of the live workers, by runtime."""
        return {name: lane.child.pid for name, lane in self._lanes.items() if lane.child and lane.child.is_alive}

    async def run(self, call: Call, *, files: Mapping[str, Path]) -> tuple[Produced, ...]:
        """What the call made, on its card's adapter with these weight files.

        Raises `ExpertTimeout` past `call.deadline_s`, counted from when a worker takes it up; `ExpertCrashed` when its
        process died twice; `ExpertError` with the adapter's reason. Cancelled, it ends the process that ran it.
        """
        order = Order(
            id=next(self._ids),
            card=call.card,
            files={name: str(path) for name, path in files.items()},
            task=call.task,
            args={name: with_items(arg) for name, arg in call.args.items()},
        )
        lane = self._lanes.setdefault(call.card.runtime or call.card.id, _Lane())
        async with lane.turn:
            try:
                return await self._attempt(lane, order=order, call=call)
            except ChildDied as error:
                await self._note_death(lane, call=call, error=error)
            try:
                return await self._attempt(lane, order=order, call=call)
            except ChildDied as error:
                how = await self._note_death(lane, call=call, error=error)
                says = f"`{call.card.id}` can't do {call.task} here: its worker process {how}, twice"
                raise ExpertCrashed(says, helps=f"{self._log.path} has its last words.") from error

    async def aclose(self) -> None:
        """End every worker, busy or idle, and come back when they are gone. Calls under way and in line fail."""
        self._is_closed = True
        await asyncio.gather(*(lane.child.end() for lane in self._lanes.values() if lane.child))
        for lane in self._lanes.values():
            async with lane.turn:  # whoever was just starting a worker has ended it by now
                pass

    async def _attempt(self, lane: _Lane, *, order: Order, call: Call) -> tuple[Produced, ...]:
        child = await self._child(lane)
        try:
            async with asyncio.timeout(call.deadline_s):
                return await child.call(order, tell=call.tell)
        except CallBroke as error:
            self._log.write(call.card.id, error.trace)
            raise
        except TimeoutError as error:
            await child.end()
            says = f"`{call.card.id}` took longer than its {call.deadline_s:g} s for {call.task} and was stopped"
            raise ExpertTimeout(says, helps="Give it a smaller input or a longer deadline.") from error
        except BaseException:
            await child.end()
            raise

    async def _child(self, lane: _Lane) -> Child:
        if not self._is_closed and lane.child is not None and lane.child.is_alive:
            return lane.child
        if lane.child is not None:
            await lane.child.end()
            lane.child = None
        self._refuse_if_closed()
        lane.child = child = await self._spawn()
        try:
            self._refuse_if_closed()
            await child.boot()
        except BaseException:
            await child.end()
            raise
        return child

    async def _spawn(self) -> Child:
        try:
            return await Child.spawn(environ=self._environ, threads=self._threads)
        except OSError as error:
            raise ExpertError(f"no worker process can be started: {error.strerror}", is_passing=True) from error

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise ExpertError("the call was not finished: the workers are being shut down")

    async def _note_death(self, lane: _Lane, *, call: Call, error: ChildDied) -> str:
        assert lane.child is not None
        await lane.child.end()
        self._refuse_if_closed()
        self._log.write(call.card.id, f"{error}; it {lane.child.ending}\n{lane.child.last_words}")
        return lane.child.ending


class _Lane:
    """One runtime's process, and whose turn it is: first come, first served."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.child: Child | None = None


class _Log:
    """Tracebacks and last words of workers, for whoever looks into a failure; two files of bounded size."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, card_id: str, words: str) -> None:
        """Add an entry. A log that can't be written is no reason to fail a call."""
        if not words:
            return
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > LOG_BYTES:
                self.path.replace(self.path.with_suffix(".1.log"))
            with self.path.open("a", encoding="utf-8") as log:
                log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} {card_id}\n{words.rstrip()}\n\n")
