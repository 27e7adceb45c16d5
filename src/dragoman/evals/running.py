"""Plans for many requests: several at a time, resumable, within a budget, past single failures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dragoman.errors import MindRefused, MindUnavailable
from dragoman.evals.graphs import Case
from dragoman.evals.predictions import Checkpoint, Prediction
from dragoman.values import Json

__all__ = ["Planner", "Runner"]

_FAILURES_IN_A_ROW = 3  # One timeout is chance; three in a row, and whoever answers is gone.


class Planner(Protocol):
    """Whatever plans. `settings` says all that its plans depend on. Raises `MindUnavailable` and `MindRefused`."""

    name: str
    settings: dict[str, Json]

    async def plan(self, case: Case) -> Prediction:
        """The plan for one request."""
        ...

    async def aclose(self) -> None:
        """Close what is open."""
        ...


@dataclass(kw_only=True)
class Runner:
    """Runs a planner over cases. stopped: why it ended before all were planned, else None.

    max_tokens: what all predictions together may cost, those of earlier runs included. A request whose mind fails is
    left for the next run; it is not counted as a plan.
    """

    planner: Planner
    checkpoint: Checkpoint
    parallel: int = 1
    max_tokens: int | None = None
    tell: Callable[[int, int], None] = lambda _done, _all: None
    stopped: str | None = None
    failed: dict[str, str] = field(default_factory=dict[str, str])
    _in_a_row: int = 0

    async def run(self, cases: Sequence[Case]) -> None:
        """Plan what isn't planned yet."""
        waiting = iter([case for case in cases if case.id not in self.checkpoint.done])
        self.tell(len(self.checkpoint.done), len(cases))
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, self.parallel)):
                group.create_task(self._work(waiting, len(cases)))
        if self.failed and self.stopped is None:
            self.stopped = f"{len(self.failed)} requests got no plan; the first: {next(iter(self.failed.values()))}"

    async def _work(self, waiting: Iterator[Case], total: int) -> None:
        for case in waiting:
            if self._is_over():
                return
            try:
                prediction = await self.planner.plan(case)
            except MindUnavailable as error:
                self._note_failure(case, error.says)
            except MindRefused as error:
                self._note_failure(case, error.says)
                self.stopped = f"the mind refused: {error.says}"
            else:
                self._in_a_row = 0
                self.checkpoint.add(prediction, case)
                self.tell(len(self.checkpoint.done), total)

    def _is_over(self) -> bool:
        spent = self.checkpoint.tokens
        if self.stopped is None and self.max_tokens is not None and spent >= self.max_tokens:
            self.stopped = f"the budget of {self.max_tokens} tokens is spent ({spent})"
        return self.stopped is not None

    def _note_failure(self, case: Case, says: str) -> None:
        self.failed[case.id] = says
        self._in_a_row += 1
        if self._in_a_row >= _FAILURES_IN_A_ROW and self.stopped is None:
            self.stopped = f"the mind failed {self._in_a_row} times in a row; the last time: {says}"
