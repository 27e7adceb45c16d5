"""Dragoman, asynchronous."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from dragoman import events as ev
from dragoman.backends.base import Backend
from dragoman.client.intake import check_files, take_in
from dragoman.client.stopped import Stopped
from dragoman.config import Settings
from dragoman.errors import DragomanError, MediaError, NetRefused, StoreError
from dragoman.execution.downloads import AskDownload
from dragoman.flow import Flow
from dragoman.journal.ids import check_session, new_run, new_session
from dragoman.journal.lease import lease
from dragoman.journal.log import Journal
from dragoman.journal.report import Report, report
from dragoman.journal.sessions import history
from dragoman.journal.stream import Listener, Stream, utc_now
from dragoman.minds.base import Mind
from dragoman.minds.opening import open_mind
from dragoman.planning.planner import plan as write_plan
from dragoman.store import Store
from dragoman.values import Planned, Request

__all__ = ["Dragoman"]


class Dragoman:
    """Ask in plain words; expert models do the work.

    `settings` default to the environment's; keywords (`home`, `mind`, `may_download`, `is_offline`, `where`, …)
    override single ones. `backends` default to the packaged experts. `ask_download` is asked before weights are
    fetched; without it up to `max_fetch_bytes` a run are fetched unasked. Use it as an asynchronous context manager:
    leaving it ends every worker process.
    """

    def __init__(
        self,
        *,
        settings: Settings | None = None,
        backends: Sequence[Backend] | None = None,
        ask_download: AskDownload | None = None,
        **overrides: Any,
    ) -> None:
        self.settings = settings or Settings.from_env(**overrides)
        self._backends = backends
        self._ask_download = ask_download
        self._is_open = False

    async def __aenter__(self) -> Self:
        self.open()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    def open(self) -> None:
        """Open the home folder. Raises `StoreError` if it can't be used."""
        home = self.settings.home
        try:
            home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"the home folder {home} can't be made: {error.strerror}.",
                helps="set DRAGOMAN_HOME to a folder that can be written.",
            ) from error
        self.store = Store(home)
        self.journal = Journal(home / "journal.sqlite")
        _ = self.mind  # a wrong one is an error now, before anything runs
        self._is_open = True

    async def aclose(self) -> None:
        """End workers and connections; what was done stays."""
        if not self._is_open:
            return
        self._is_open = False
        for backend in self.backends:
            await backend.aclose()
        if self.mind is not None:
            await self.mind.aclose()
        self.journal.close()

    @cached_property
    def mind(self) -> Mind | None:
        """The language model of these settings, or None. Nothing is connected before its first question."""
        return open_mind(self.settings)

    @cached_property
    def backends(self) -> Sequence[Backend]:
        """Where experts run. There before the home is opened, for those who only look."""
        if self._backends is not None:
            return self._backends
        from dragoman.backends.box.backend import BoxBackend
        from dragoman.backends.remote import remote_backends

        box = BoxBackend(self.settings.home, threads=self.settings.threads, is_offline=self.settings.is_offline)
        try:
            mind = self.mind
        except DragomanError:
            mind = None  # `open` raises it; those who only look see the rest
        return [box, *remote_backends(self.settings, mind)]

    async def ask(
        self,
        words: str,
        *,
        files: Sequence[Any] = (),
        session: str | None = None,
        listen: Listener | None = None,
    ) -> Report:
        """What the request came to: status, plan, outcomes, answer. `str` of it is the answer.

        files: paths, URLs, data URLs, bytes, PIL pictures, arrays. session: a conversation to go on with. listen: shown
        every event. A request that can't be served comes back with status `refused` and its `fault`; it doesn't raise.
        """
        stream, request_session = self._begin(session)
        if listen is not None:
            stream.listen(listen)
        await self._run(words, files, stream=stream, session=request_session)
        return report(stream.emitted)

    async def events(
        self, words: str, *, files: Sequence[Any] = (), session: str | None = None
    ) -> AsyncGenerator[ev.Event]:
        """The run's events as they come. Leaving the iteration early cancels the run."""
        stream, request_session = self._begin(session)
        shown: asyncio.Queue[ev.Event | None] = asyncio.Queue()
        stream.listen(shown.put_nowait)
        run = asyncio.create_task(self._run(words, files, stream=stream, session=request_session))
        run.add_done_callback(lambda _: shown.put_nowait(None))
        try:
            while (event := await shown.get()) is not None:
                yield event
            await run
        finally:
            run.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await run

    async def plan(self, words: str, *, files: Sequence[Any] = (), session: str | None = None) -> Planned:
        """The plan alone; nothing is run or journalled. Raises `MediaError` for a file that can't be read."""
        resources = await self._take_in(words, files)
        turns = history(self.journal, check_session(session)) if session else ()
        return await write_plan(Request(words=words, resources=resources, history=turns), mind=self.mind)

    async def resume(self, run: str, *, listen: Listener | None = None) -> Report:
        """A stopped run, gone on with from its unfinished tasks; one that came to its end comes back as it is.

        run: its id, or the beginning of it. listen: shown what had happened before, too. Only the journal is read.
        Raises `UnknownRun`, and `UsageError` if another process works on it.
        """
        past = self.journal.events(self.journal.find(run))
        stopped = Stopped(past)
        if stopped.is_over:
            return stopped.report
        stream = Stream(self.journal, run=stopped.report.run, past=past)
        if listen is not None:
            for event in past:
                listen(event)
            stream.listen(listen)
        with lease(self.settings.home, stream.run):
            stream.emit(ev.Resumed, tasks_done=len(stopped.done))
            flow = self._flow(stream, first_id=stopped.first_id)
            request = stopped.request(history(self.journal, stopped.report.session, before=stream.run))
            try:
                if stopped.is_planned:
                    await flow.resume(request, stopped.plan(request), done=stopped.done)
                else:
                    await flow.run(request)
            finally:
                await stream.settled()
        return report(stream.emitted)

    def out(self, run: str) -> Path:
        """The folder with the files of a run."""
        return self.settings.home / "out" / run

    def _begin(self, session: str | None) -> tuple[Stream, str]:
        name = check_session(session) if session else new_session()
        return Stream(self.journal, run=new_run(utc_now())), name

    async def _take_in(self, words: str, files: Sequence[Any]) -> tuple[Any, ...]:
        check_files(files)
        return await take_in(
            words,
            files,
            store=self.store,
            folder=Path.cwd(),
            allow_hosts=self.settings.allow_hosts,
            is_offline=self.settings.is_offline,
        )

    def _flow(self, stream: Stream, *, first_id: int = 0) -> Flow:
        return Flow(
            settings=self.settings,
            store=self.store,
            backends=self.backends,
            stream=stream,
            out=self.out(stream.run),
            mind=self.mind,
            ask_download=self._ask_download,
            first_id=first_id,
        )

    async def _run(self, words: str, files: Sequence[Any], *, stream: Stream, session: str) -> None:
        with lease(self.settings.home, stream.run):
            try:
                await self._run_leased(words, files, stream=stream, session=session)
            finally:
                await stream.settled()

    async def _run_leased(self, words: str, files: Sequence[Any], *, stream: Stream, session: str) -> None:
        flow = self._flow(stream)
        words = words.encode("utf-8", "replace").decode("utf-8")  # half characters, as undecodable arguments have
        started = {"session": session, "mode": "plan", "words": words}
        try:
            resources = await self._take_in(words, files)
        except (MediaError, NetRefused) as error:
            stream.emit(ev.RunStarted, **started)
            flow.refuse(error)
        else:
            turns = history(self.journal, session)
            stream.emit(ev.RunStarted, **started, resources=resources)
            await flow.run(Request(words=words, resources=resources, history=turns))
