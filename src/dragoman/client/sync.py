"""Dragoman for code that is not asynchronous: the same calls, on a loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import suppress
from typing import Any, Self

from dragoman import events as ev
from dragoman.client.dragoman import Dragoman
from dragoman.journal.report import Report
from dragoman.values import Planned

__all__ = ["DragomanSync"]


class DragomanSync:
    """The synchronous twin of `Dragoman`: `with DragomanSync() as d: print(d.ask("…", files=[…]))`."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        self._runner: asyncio.Runner | None = None

    def __enter__(self) -> Self:
        self._runner = asyncio.Runner()
        self._dragoman = Dragoman(**self._settings)
        self._runner.run(self._dragoman.__aenter__())
        return self

    def __exit__(self, *exc: object) -> None:
        runner, self._runner = self._need_runner(), None
        with runner:
            runner.run(self._dragoman.aclose())

    def ask(self, words: str, *, files: Sequence[Any] = (), session: str | None = None) -> Report:
        """What the request came to; see `Dragoman.ask`."""
        return self._need_runner().run(self._dragoman.ask(words, files=files, session=session))

    def resume(self, run: str) -> Report:
        """A stopped run, gone on with; see `Dragoman.resume`."""
        return self._need_runner().run(self._dragoman.resume(run))

    def plan(self, words: str, *, files: Sequence[Any] = (), session: str | None = None) -> Planned:
        """The plan alone; see `Dragoman.plan`."""
        return self._need_runner().run(self._dragoman.plan(words, files=files, session=session))

    def events(self, words: str, *, files: Sequence[Any] = (), session: str | None = None) -> Iterator[ev.Event]:
        """The run's events as they come; see `Dragoman.events`."""
        runner = self._need_runner()
        stream = self._dragoman.events(words, files=files, session=session)
        try:
            with suppress(StopAsyncIteration):
                while True:
                    yield runner.run(_next(stream))
        finally:
            runner.run(_close(stream))

    def _need_runner(self) -> asyncio.Runner:
        if self._runner is None:
            raise RuntimeError("use it as a context manager: `with DragomanSync() as d: …`")
        return self._runner


async def _next(stream: AsyncGenerator[ev.Event]) -> ev.Event:
    return await anext(stream)


async def _close(stream: AsyncGenerator[ev.Event]) -> None:
    await stream.aclose()
