"""A run told in plain lines, where nothing can be redrawn: a pipe, a file, a log."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from dragoman import events as ev
from dragoman.cli.board import Board
from dragoman.cli.figures import seconds, size
from dragoman.cli.terminal import Terminal

__all__ = ["PlainView"]

_TELL_EVERY_S = 5.0


class PlainView:
    """Says on standard error what happens, a line a change."""

    def __init__(self, terminal: Terminal, *, clock: Callable[[], float] = monotonic) -> None:
        self.board = Board()
        self._terminal = terminal
        self._clock = clock
        self._told_at: dict[str, float] = {}

    def begin(self) -> None:
        """Nothing is worth a line yet."""

    def __call__(self, event: ev.Event) -> None:
        """Take the event, and tell it where it is news."""
        notes = len(self.board.notes)
        self.board.take(event)
        for note in self.board.notes[notes:]:
            self._terminal.say(note)
        if (line := self._line(event)) is not None:
            self._terminal.say(line)

    def pause(self) -> None:
        """Nothing is redrawn here."""

    def resume(self) -> None:
        """Nothing was held back."""

    def close(self) -> None:
        """Nothing is left to be put away."""

    def _line(self, event: ev.Event) -> str | None:
        match event:
            case ev.PlannedEvent() if event.plan:
                return "\n".join(["plan:", *(f"  {self._task(task['id'])}" for task in event.plan)])
            case ev.PlanGrew():
                return f"plan grew by {len(event.added)}: {event.because}"
            case ev.Replanned():
                return f"planned anew: {event.because}"
            case ev.Fetching():
                return self._fetching(event)
            case ev.TaskStarted():
                again = f", attempt {event.attempt}" if event.attempt > 1 else ""
                return f"[{event.task}] {self.board.rows[event.task].task} on {event.model}{again}"
            case ev.TaskDone():
                return f"[{event.outcome.task}] done in {seconds(self.board.rows[event.outcome.task].seconds)}"
            case ev.TaskFailed():
                return f"[{event.outcome.task}] failed: {self.board.rows[event.outcome.task].says}"
            case ev.TaskSkipped():
                return f"[{event.outcome.task}] skipped: {self.board.rows[event.outcome.task].says}"
            case _:
                return None

    def _task(self, task_id: int) -> str:
        row = self.board.rows[task_id]
        after = f"  (after {', '.join(map(str, row.needs))})" if row.needs else ""
        return f"[{row.id}] {row.task}  {row.args}{after}"

    def _fetching(self, event: ev.Fetching) -> str | None:
        is_whole = event.done_bytes >= event.total_bytes
        told_at = self._told_at.get(event.model)
        if told_at is not None and not is_whole and self._clock() - told_at < _TELL_EVERY_S:
            return None
        self._told_at[event.model] = self._clock()
        if is_whole:
            return f"{event.model} is fetched"
        done = f"{size(event.done_bytes)} of " if event.done_bytes else ""
        return f"fetching {event.model}: {done}{size(event.total_bytes)}, licence {event.license}"
