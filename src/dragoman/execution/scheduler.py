"""Runs a growing graph: a task starts the moment all it needs is done; nothing waits for a level, nothing polls.

Method: counters of open needs and a ready queue, one asyncio task per node inside a task group. A failure skips only
what needs it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol

from dragoman.values import Done, Failed, Outcome, Skipped, Task, needs

__all__ = ["Scheduler", "Serve"]

Serve = Callable[[Task], Awaitable[Outcome]]


class Skip(Protocol):
    """Told of each task that can't start any more."""

    def __call__(self, outcome: Skipped, /) -> None:
        """`outcome` names the task and why."""
        ...


def _unheard(outcome: Skipped, /) -> None:
    del outcome


class Scheduler:
    """One run of a graph. `serve` runs one task to its outcome and never raises but for cancellation and bugs."""

    def __init__(self, serve: Serve, *, skipped: Skip = _unheard) -> None:
        self.outcomes: dict[int, Outcome] = {}
        self._serve = serve
        self._skipped = skipped
        self._tasks: dict[int, Task] = {}
        self._open_needs: dict[int, int] = {}
        self._needed_by: dict[int, list[int]] = {}
        self._ready: list[Task] = []
        self._group: asyncio.TaskGroup | None = None

    def know(self, outcomes: Mapping[int, Outcome]) -> None:
        """Take over what is done already, before the run: these tasks are added but not started."""
        self.outcomes.update(outcomes)

    def add(self, tasks: Iterable[Task]) -> None:
        """Add tasks before or during the run. What they need must be known already or come in the same call."""
        new = list(tasks)
        for task in new:
            if task.id in self._tasks:
                raise ValueError(f"task id {task.id} is taken; ids of a plan are never reused")
            self._tasks[task.id] = task
        for task in new:
            if task.id not in self.outcomes:
                self._count(task)
        self._start_ready()

    async def run(self) -> dict[int, Outcome]:
        """Run until every task has an outcome; returns them by id."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            self._start_ready()
        self._group = None
        return self.outcomes

    def _count(self, task: Task) -> None:
        open_needs = 0
        for need in needs(task):
            if need not in self._tasks:
                raise ValueError(f"task {task.id} needs task {need}, which is not in the plan")
            outcome = self.outcomes.get(need)
            if isinstance(outcome, (Failed, Skipped)):
                self._skip(task.id, because=need)
                return
            if outcome is None:
                open_needs += 1
                self._needed_by.setdefault(need, []).append(task.id)
        self._open_needs[task.id] = open_needs
        if open_needs == 0:
            self._ready.append(task)

    def _start_ready(self) -> None:
        if self._group is None:
            return
        ready, self._ready = self._ready, []
        for task in ready:
            self._group.create_task(self._run_one(task))

    async def _run_one(self, task: Task) -> None:
        outcome = await self._serve(task)
        self.outcomes[task.id] = outcome
        needed_by = self._needed_by.pop(task.id, ())
        if isinstance(outcome, Done):
            self._release(needed_by)
        else:
            for waiting in needed_by:
                self._skip(waiting, because=task.id)

    def _release(self, waiting: Iterable[int]) -> None:
        for task_id in waiting:
            if task_id in self.outcomes:
                continue
            self._open_needs[task_id] -= 1
            if self._open_needs[task_id] == 0:
                self._ready.append(self._tasks[task_id])
        self._start_ready()

    def _skip(self, first: int, *, because: int) -> None:
        """Skip `first` and everything after it that needs it; a loop, since a chain may be long."""
        stack = [(first, because)]
        while stack:
            task_id, cause = stack.pop()
            if task_id in self.outcomes:
                continue
            outcome = Skipped(task=task_id, reason=f"it needs task {cause}, which could not be done")
            self.outcomes[task_id] = outcome
            self._skipped(outcome)
            stack += [(waiting, task_id) for waiting in self._needed_by.pop(task_id, ())]
