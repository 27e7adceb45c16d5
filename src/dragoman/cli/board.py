"""What a run looks like now, folded from its events: what the live view draws and the plain view tells."""

from __future__ import annotations

from dataclasses import dataclass, field

from dragoman import events as ev
from dragoman.cli.figures import briefly
from dragoman.values import Done, Failed, Json, Outcome, Skipped

__all__ = ["Board", "Download", "Row"]

_TAIL_CHARS = 240


@dataclass(kw_only=True, slots=True)
class Row:
    """One task. state: `waits`, `runs`, `done`, `failed` or `skipped`. says: progress, or why not."""

    id: int
    task: str
    args: str
    needs: tuple[int, ...]
    state: str = "waits"
    model: str = ""
    fraction: float = 0.0
    says: str = ""
    seconds: float = 0.0


@dataclass(kw_only=True, slots=True)
class Download:
    """One model on its way."""

    model: str
    license: str
    done_bytes: int
    total_bytes: int

    @property
    def is_complete(self) -> bool:
        """Whether all of it is here."""
        return self.done_bytes >= self.total_bytes


@dataclass(kw_only=True)
class Board:
    """The state of one run. `take` is called with every event, in order."""

    stage: str = "planning"
    rows: dict[int, Row] = field(default_factory=dict[int, Row])
    downloads: dict[str, Download] = field(default_factory=dict[str, Download])
    notes: list[str] = field(default_factory=list[str])
    tail: str = ""

    def take(self, event: ev.Event) -> None:
        """Bring the board up to date."""
        match event:
            case ev.PlannedEvent():
                self._plan(event)
            case ev.PlanGrew() | ev.Replanned():
                self._add(event.added)
            case ev.Chosen():
                self.stage = "running"
                for choice in event.choices:
                    self._row(choice.task).model = choice.model
            case ev.Fetching():
                self.downloads[event.model] = Download(
                    model=event.model,
                    license=event.license,
                    done_bytes=event.done_bytes,
                    total_bytes=event.total_bytes,
                )
            case ev.TaskStarted():
                row = self._row(event.task)
                row.state, row.model, row.fraction, row.says = "runs", event.model, 0.0, ""
            case ev.TaskProgress():
                row = self._row(event.task)
                row.fraction, row.says = event.fraction, event.says
            case ev.TaskDone() | ev.TaskFailed() | ev.TaskSkipped():
                self._end(event.outcome)
            case ev.AnswerDelta():
                self.stage = "answering"
                self.tail = (self.tail + event.text)[-_TAIL_CHARS:]
            case ev.RunEnded():
                self.stage = "ended"
            case _:
                pass

    def _plan(self, event: ev.PlannedEvent) -> None:
        self.stage = "choosing experts" if event.plan else "answering"
        self._add(event.plan)
        self.notes += event.notes
        self.notes += [f"plan repaired: {repair.found}; {repair.did}" for repair in event.repairs]

    def _add(self, tasks: list[dict[str, Json]]) -> None:
        for task in tasks:
            args = ", ".join(briefly(arg) for arg in task["args"].values())
            needs = tuple(id_ for id_ in task["dep"] if id_ >= 0)
            self.rows[task["id"]] = Row(id=task["id"], task=task["task"], args=args, needs=needs)

    def _row(self, task_id: int) -> Row:
        return self.rows.setdefault(task_id, Row(id=task_id, task="", args="", needs=()))

    def _end(self, outcome: Outcome) -> None:
        row = self._row(outcome.task)
        match outcome:
            case Done():
                row.state, row.model, row.seconds, row.says = "done", outcome.model, outcome.seconds, ""
            case Failed():
                row.state, row.says, row.seconds = "failed", outcome.reason, outcome.seconds
            case Skipped():
                row.state, row.says = "skipped", outcome.reason
