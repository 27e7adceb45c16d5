"""Work on many requests: several at a time, resumable, within a budget, past single failures."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from dragoman.errors import MindRefused, MindUnavailable
from dragoman.evals.graphs import Case

__all__ = ["Kept", "Runner"]

T = TypeVar("T")
_FAILURES_IN_A_ROW = 3  # One timeout is chance; three in a row, and whoever answers is gone.


class Kept(Protocol[T]):
    """Results by id, on disk before they count. tokens: what all of them cost."""

    done: dict[str, T]
    tokens: int

    def add(self, made: T, case: Case) -> None:
        """Keep one more."""
        ...


@dataclass(kw_only=True)
class Runner(Generic[T]):
    """Does `work` for each case. stopped: why it ended before all was done, else None.

    work: raises `MindUnavailable` and `MindRefused`; such a case is left for the next run and does not count.
    max_tokens: what all results together may cost, those of earlier runs included.
    """

    work: Callable[[Case], Awaitable[T]]
    kept: Kept[T]
    parallel: int = 1
    max_tokens: int | None = None
    tell: Callable[[int, int], None] = lambda _done, _all: None
    stopped: str | None = None
    failed: dict[str, str] = field(default_factory=dict[str, str])
    _in_a_row: int = 0

    async def run(self, cases: Sequence[Case]) -> None:
        """Do what isn't done yet. Raises what `work` or `kept` raise on the way: a full disk, say."""
        waiting = iter([case for case in cases if case.id not in self.kept.done])
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, self.parallel)):
                    group.create_task(self._work(waiting, len(cases)))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures
        if self.failed and self.stopped is None:
            self.stopped = f"{len(self.failed)} requests failed; the first: {next(iter(self.failed.values()))}"

    async def _work(self, waiting: Iterator[Case], total: int) -> None:
        for case in waiting:
            if self._is_over():
                return
            try:
                made = await self.work(case)
            except MindUnavailable as error:
                self._note_failure(case, error.says)
            except MindRefused as error:
                self._note_failure(case, error.says)
                self.stopped = f"the mind refused: {error.says}"
            else:
                self._in_a_row = 0
                self.kept.add(made, case)
                self.tell(len(self.kept.done), total)

    def _is_over(self) -> bool:
        if self.stopped is None and self.max_tokens is not None and self.kept.tokens >= self.max_tokens:
            self.stopped = f"the budget of {self.max_tokens} tokens is spent ({self.kept.tokens})"
        return self.stopped is not None

    def _note_failure(self, case: Case, says: str) -> None:
        self.failed[case.id] = says
        self._in_a_row += 1
        if self._in_a_row >= _FAILURES_IN_A_ROW and self.stopped is None:
            self.stopped = f"the mind failed {self._in_a_row} times in a row; the last time: {says}"
