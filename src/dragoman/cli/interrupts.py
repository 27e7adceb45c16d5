"""Ctrl-C: the first asks the work to stop and gives it two seconds, the second ends the process at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

from dragoman.cli.early import was_interrupted

__all__ = ["Loop"]

T = TypeVar("T")
_PATIENCE_S = 1.6
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Loop:
    """An event loop for a command, as a context manager. `run` may be called again and again.

    exit: how the process is ended when stopping takes too long; worker processes end with it.
    """

    def __init__(self, *, exit: Callable[[int], Any] = os._exit, patience_s: float = _PATIENCE_S) -> None:  # noqa: A002
        self._exit = exit
        self._patience_s = patience_s
        self._runner = asyncio.Runner()
        self._task: asyncio.Task[Any] | None = None
        self._watchdog: threading.Timer | None = None
        self._is_stopping = False

    def __enter__(self) -> Self:
        self._runner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Under the handlers, too: closing waits for threads, and one may hang in a read.
        with _Handled(self._on_signal):
            self._runner.__exit__(kind, error, trace)
        self._call_off()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns. Interrupted, it is cancelled, and `KeyboardInterrupt` comes once it has ended."""
        self._is_stopping = False
        with _Handled(self._on_signal):
            if was_interrupted():
                work.close()
                raise KeyboardInterrupt
            try:
                found = self._runner.run(self._watched(work))
            except asyncio.CancelledError:
                raise KeyboardInterrupt from None  # The watchdog goes on: there is more to end.
            except BaseException:
                self._call_off()
                raise
            self._call_off()
            return found

    def forgive(self) -> None:
        """The interrupted work has ended in time; the process goes on."""
        self._call_off()
        was_interrupted()

    async def _watched(self, work: Coroutine[Any, Any, T]) -> T:
        self._task = asyncio.current_task()
        try:
            return await work
        finally:
            self._task = None

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del frame
        if self._is_stopping:
            self._end(number)
            return
        self._is_stopping = True
        self._watchdog = threading.Timer(self._patience_s, self._end, args=(number,))
        self._watchdog.daemon = True
        self._watchdog.start()
        if self._task is not None:
            self._runner.get_loop().call_soon_threadsafe(self._task.cancel)

    def _end(self, number: int) -> None:
        if sys.stderr.isatty():
            os.write(2, b"\x1b[?25h\n")  # the live view hides the cursor
        self._exit(128 + number)

    def _call_off(self) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()
            self._watchdog = None


class _Handled:
    """Our handler for the signals that mean stop, for a while; in a thread that can't have one, nothing."""

    def __init__(self, handler: Callable[[int, FrameType | None], None]) -> None:
        self._handler = handler
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._handler) for number in _SIGNALS}

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
