"""The one event stream of a run: what the terminal, the page, the API, the traces and the tests look at.

`seq` is dense from 0 over journalled events. `Fetching`, `TaskProgress` and `AnswerDelta` are shown only: they carry
the last journalled `seq` and a counter `n` of their own.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from dragoman.values import Answer, Choice, Fault, Json, Outcome, Repair, Resource, Usage


class _Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    run: str
    seq: int = -1
    at: datetime


class RunStarted(_Event, frozen=True, kw_only=True, tag="run_started"):
    """A request arrived. `words` are the person's own; `resources` what came with them."""

    session: str
    mode: str
    words: str
    resources: tuple[Resource, ...] = ()


class PlannedEvent(_Event, frozen=True, kw_only=True, tag="planned"):
    """The plan, in the paper's JSON template; `reply` when no task is needed; `fault` when it is refused."""

    plan: list[dict[str, Json]]
    by: str
    repairs: tuple[Repair, ...] = ()
    reply: str | None = None
    fault: Fault | None = None
    notes: tuple[str, ...] = ()


class Chosen(_Event, frozen=True, kw_only=True, tag="chosen"):
    """Which expert serves each task."""

    choices: tuple[Choice, ...]


class Fetching(_Event, frozen=True, kw_only=True, tag="fetching"):
    """A download under way. Shown only."""

    n: int = 0
    model: str
    says: str
    license: str
    done_bytes: int
    total_bytes: int


class TaskStarted(_Event, frozen=True, kw_only=True, tag="task_started"):
    """A task began on its (current) expert."""

    task: int
    model: str
    backend: str
    attempt: int = 1


class TaskProgress(_Event, frozen=True, kw_only=True, tag="task_progress"):
    """How far a task is, 0..1, where it can tell. Shown only."""

    n: int = 0
    task: int
    fraction: float
    says: str = ""


class TaskDone(_Event, frozen=True, kw_only=True, tag="task_done"):
    """A task was done; its outputs are stored."""

    outcome: Outcome


class TaskFailed(_Event, frozen=True, kw_only=True, tag="task_failed"):
    """A task's experts gave up."""

    outcome: Outcome


class TaskSkipped(_Event, frozen=True, kw_only=True, tag="task_skipped"):
    """A task can't start, since one that it needs failed."""

    outcome: Outcome


class PlanGrew(_Event, frozen=True, kw_only=True, tag="plan_grew"):
    """Tasks were added to a running plan."""

    added: list[dict[str, Json]]
    because: str


class Replanned(_Event, frozen=True, kw_only=True, tag="replanned"):
    """The missing part of a plan was written anew."""

    added: list[dict[str, Json]]
    dropped: tuple[int, ...]
    because: str


class MindReplied(_Event, frozen=True, kw_only=True, tag="mind_replied"):
    """A language model answered; what it cost."""

    stage: str
    model: str
    reply: str
    tokens_in: int
    tokens_out: int


class ApprovalAsked(_Event, frozen=True, kw_only=True, tag="approval_asked"):
    """The person is asked."""

    what: str


class ApprovalGiven(_Event, frozen=True, kw_only=True, tag="approval_given"):
    """The person agreed."""

    what: str


class ApprovalDenied(_Event, frozen=True, kw_only=True, tag="approval_denied"):
    """The person did not agree; `words` is what they said instead."""

    what: str
    words: str = ""


class AnswerDelta(_Event, frozen=True, kw_only=True, tag="answer_delta"):
    """A piece of the answer as it is written. Shown only."""

    n: int = 0
    text: str


class Answered(_Event, frozen=True, kw_only=True, tag="answered"):
    """The answer is there."""

    answer: Answer


class Resumed(_Event, frozen=True, kw_only=True, tag="resumed"):
    """A stopped run goes on."""

    tasks_done: int


class RunEnded(_Event, frozen=True, kw_only=True, tag="run_ended"):
    """The run is over."""

    status: str
    usage: Usage
    fault: Fault | None = None


Event = (
    RunStarted
    | PlannedEvent
    | Chosen
    | Fetching
    | TaskStarted
    | TaskProgress
    | TaskDone
    | TaskFailed
    | TaskSkipped
    | PlanGrew
    | Replanned
    | MindReplied
    | ApprovalAsked
    | ApprovalGiven
    | ApprovalDenied
    | AnswerDelta
    | Answered
    | Resumed
    | RunEnded
)
SHOWN_ONLY = (Fetching, TaskProgress, AnswerDelta)
