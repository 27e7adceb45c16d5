"""Runs on disk: every change of state, committed before it is shown.

One writer thread groups what has come in since the last commit into one transaction, so that no task waits for the
disk. Readers open their own connection. A power cut may cost the last group, never one that was shown.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from dragoman import events as ev
from dragoman.errors import StoreError, UnknownRun

__all__ = ["Journal", "RunRow"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
  run TEXT PRIMARY KEY, session TEXT NOT NULL, started TEXT NOT NULL, words TEXT NOT NULL, mode TEXT NOT NULL,
  status TEXT, seconds REAL, tasks_done INTEGER NOT NULL DEFAULT 0, tasks_total INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS runs_by_session ON runs (session, run);
CREATE TABLE IF NOT EXISTS events (
  run TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (run, seq)) WITHOUT ROWID;
"""
_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[ev.Event] = msgspec.json.Decoder(ev.Event)

Shown = Callable[[StoreError | None], None]


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """One run as `dragoman runs` lists it; `status` is `unfinished` until the run has ended."""

    run: str
    session: str
    status: str
    words: str
    started: str
    seconds: float | None
    tasks_done: int
    tasks_total: int


@dataclass(frozen=True, slots=True)
class _Entry:
    event: ev.Event | None  # None: nothing to write, only to show in its place
    shown: Shown


class Journal:
    """`journal.sqlite` of one home. Safe for several processes; `close` writes what is still waiting."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        with self._open() as connection:
            connection.executescript(_SCHEMA)

    def write(self, event: ev.Event | None, *, shown: Shown) -> None:
        """Queue `event`; `shown` is called in the writer's thread once it is committed, or with what went wrong."""
        if self._writer is None:
            self._writer = threading.Thread(target=self._work, name="dragoman-journal", daemon=True)
            self._writer.start()
        self._queue.put(_Entry(event, shown))

    def close(self) -> None:
        """Write what is waiting and end the writer."""
        if self._writer is not None:
            self._queue.put(None)
            self._writer.join()
            self._writer = None

    def events(self, run: str, *, after: int = -1) -> tuple[ev.Event, ...]:
        """The journalled events of a run in order, those with `seq` > `after`."""
        with self._open() as connection:
            rows = connection.execute(
                "SELECT body FROM events WHERE run = ? AND seq > ? ORDER BY seq", (run, after)
            ).fetchall()
        return tuple(_DECODER.decode(body) for (body,) in rows)

    def find(self, prefix: str) -> str:
        """The whole id of the one run that begins with `prefix`. Raises `UnknownRun`."""
        with self._open() as connection:
            rows = connection.execute(
                "SELECT run FROM runs WHERE run >= ? AND run < ? ORDER BY run LIMIT 3", (prefix, prefix + "\x7f")
            ).fetchall()
        if len(rows) == 1:
            return rows[0][0]
        found = "several begin so" if rows else "there is none"
        raise UnknownRun(f"wanted one run that begins with `{prefix[:40]}`; {found}. `dragoman runs` lists them.")

    def runs(self, *, session: str | None = None, limit: int = 100) -> tuple[RunRow, ...]:
        """Runs, newest first."""
        with self._open() as connection:
            rows = connection.execute(
                "SELECT run, session, coalesce(status, 'unfinished'), words, started, seconds, tasks_done, tasks_total"
                " FROM runs WHERE session = coalesce(?, session) ORDER BY run DESC LIMIT ?",
                (session, limit),
            ).fetchall()
        return tuple(RunRow(**dict(zip(RunRow.__struct_fields__, row, strict=True))) for row in rows)

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self._path, timeout=10, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(
            f"the journal {self._path} can't be used: {error}.",
            helps="free some space there, or set DRAGOMAN_HOME to a folder that can be written.",
        )

    def _work(self) -> None:
        try:
            with self._open() as connection:
                self._write_groups(connection)
        except StoreError as error:
            self._refuse_all(error)

    def _write_groups(self, connection: sqlite3.Connection) -> None:
        is_open = True
        while is_open:
            group = self._next_group()
            is_open = group[-1] is not None
            entries = [entry for entry in group if entry is not None]
            try:
                _commit(connection, [entry.event for entry in entries if entry.event is not None])
                problem = None
            except (sqlite3.Error, ValueError, TypeError) as error:
                # Text that no encoding can hold, say: the writer lives on, or the run would wait for it for ever.
                problem = self._unusable(error)
            for entry in entries:
                entry.shown(problem)

    def _next_group(self) -> list[_Entry | None]:
        group = [self._queue.get()]
        while group[-1] is not None:
            try:
                group.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return group

    def _refuse_all(self, problem: StoreError) -> None:
        while (entry := self._queue.get()) is not None:
            entry.shown(problem)


def _commit(connection: sqlite3.Connection, group: list[ev.Event]) -> None:
    if not group:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for event in group:
            connection.execute(
                "INSERT INTO events (run, seq, body) VALUES (?, ?, ?)", (event.run, event.seq, _ENCODER.encode(event))
            )
            _count(connection, event)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _count(connection: sqlite3.Connection, event: ev.Event) -> None:
    """Keep the row of the run in step with its events."""
    match event:
        case ev.RunStarted():
            connection.execute(
                "INSERT INTO runs (run, session, started, words, mode) VALUES (?, ?, ?, ?, ?)",
                (event.run, event.session, event.at.isoformat(), event.words[:2000], event.mode),
            )
        case ev.PlannedEvent():
            connection.execute("UPDATE runs SET tasks_total = ? WHERE run = ?", (len(event.plan), event.run))
        case ev.PlanGrew() | ev.Replanned():
            connection.execute(
                "UPDATE runs SET tasks_total = tasks_total + ? WHERE run = ?", (len(event.added), event.run)
            )
        case ev.TaskDone():
            connection.execute("UPDATE runs SET tasks_done = tasks_done + 1 WHERE run = ?", (event.run,))
        case ev.Resumed():
            connection.execute("UPDATE runs SET status = NULL WHERE run = ?", (event.run,))
        case ev.RunEnded():
            connection.execute(
                "UPDATE runs SET status = ?, seconds = ? WHERE run = ?", (event.status, event.usage.seconds, event.run)
            )
        case _:
            pass
