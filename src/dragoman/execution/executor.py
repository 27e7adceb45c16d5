"""Choices -> Outcomes: each task resolved, run on its expert, retried, handed to stand-ins, its results kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import cast

from dragoman import events as ev
from dragoman.backends.base import Backend, Call, Item, Produced
from dragoman.errors import DragomanError, ExpertError, FetchError
from dragoman.execution.cache import ResultCache, key_of
from dragoman.execution.downloads import Downloads
from dragoman.execution.fanout import Fan, many_in
from dragoman.execution.outputs import Keeper
from dragoman.execution.resolve import Resolver
from dragoman.execution.retry import delay_s, is_worth_a_retry
from dragoman.execution.scheduler import Scheduler
from dragoman.journal.stream import Stream
from dragoman.models.card import ModelCard
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import Arg, Choice, Done, Failed, Outcome, Output, Plan, Skipped, Task

__all__ = ["Executor"]

_SHOW_EVERY_S = 0.2
_BASE_S, _CAP_S = 0.5, 8.0


@dataclass(kw_only=True)
class Executor:
    """Runs one plan. `refusals`: why a task has no expert, by task id. `out`: the folder for the run's files.

    cache: results of earlier runs; is_fresh: don't look there, only write. first_id: ids below it are taken.
    """

    backends: Mapping[str, Backend]
    cards: Mapping[tuple[str, str], ModelCard]
    choices: dict[int, Choice]
    refusals: Mapping[int, str]
    resolver: Resolver
    downloads: Downloads
    stream: Stream
    out: Path
    task_timeout_s: float
    cache: ResultCache | None = None
    is_fresh: bool = False
    first_id: int = 0
    rng: Random = field(default_factory=Random)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    specs: Mapping[str, TaskSpec] = field(default_factory=lambda: SPECS)
    _limits: dict[str, asyncio.Semaphore] = field(default_factory=dict[str, asyncio.Semaphore])

    async def run(self, plan: Plan, *, done: Mapping[int, Done] | None = None) -> tuple[Plan, dict[int, Outcome]]:
        """The plan with what it grew, and the outcome of every task in it. `done`: what need not be run again."""
        self._scheduler = Scheduler(self._serve, skipped=self._skipped)
        self._fan = Fan(scheduler=self._scheduler, stream=self.stream, first_id=max(self.first_id, _next_id(plan)))
        self._keeper = Keeper(store=self.resolver.store, out=self.out)
        self._scheduler.know(done or {})
        self._scheduler.add(plan.tasks)
        outcomes = await self._scheduler.run()
        return Plan(tasks=(*plan.tasks, *self._fan.grown)), outcomes

    def _skipped(self, outcome: Skipped) -> None:
        self._fan.ended(outcome)
        self.stream.emit(ev.TaskSkipped, outcome=outcome)

    async def _serve(self, task: Task) -> Outcome:
        started = monotonic()
        try:
            outcome = await self._outcome(task, started=started)
        except DragomanError as error:
            outcome = Failed(task=task.id, reason=error.says, attempts=0, seconds=_since(started))
        self._fan.ended(outcome)
        self.stream.emit(ev.TaskDone if isinstance(outcome, Done) else ev.TaskFailed, outcome=outcome)
        return outcome

    async def _outcome(self, task: Task, *, started: float) -> Outcome:
        if (choice := self.choices.get(task.id)) is None:
            return Failed(task=task.id, reason=self.refusals.get(task.id, f"no expert for {task.task} here"))
        spec = self.specs[task.task]
        args = await self.resolver.arguments(task, spec, outcomes=self._scheduler.outcomes)
        if (name := many_in(args, spec=spec)) is not None:
            count = len(cast("list[Arg]", args[name]))
            return await self._fan.out(task, slot=name, count=count, choice=choice, choices=self.choices)
        return await self._on_experts(task, args=args, choice=choice, started=started)

    async def _on_experts(self, task: Task, *, args: dict[str, Arg], choice: Choice, started: float) -> Outcome:
        """The first expert that does it: the chosen one, then its stand-ins."""
        reasons: dict[str, str] = {}
        attempts = 0
        for backend_name, model in ((choice.backend, choice.model), *choice.stand_ins):
            backend, card = self.backends[backend_name], self.cards[backend_name, model]
            key = key_of(card, task.task, args)
            if (known := await self._remembered(task, key)) is not None:
                return Done(
                    task=task.id, model=model, backend=backend_name, outputs=known, cached=True, attempts=attempts
                )
            try:
                produced, tries = await self._attempts(task, args=args, backend=backend, card=card, before=attempts)
            except _GaveUpError as gave_up:
                attempts += gave_up.attempts
                reasons[model] = _by_name(gave_up.reason, args)
                continue
            outputs = await asyncio.to_thread(self._keeper.keep, task, produced)
            if self.cache is not None:
                await asyncio.to_thread(self.cache.put, key, outputs)
            return Done(
                task=task.id,
                model=model,
                backend=backend_name,
                outputs=outputs,
                attempts=attempts + tries,
                seconds=_since(started),
            )
        return Failed(
            task=task.id,
            reason=_together(reasons),
            attempts=attempts,
            model=choice.model,
            backend=choice.backend,
            seconds=_since(started),
        )

    async def _remembered(self, task: Task, key: str) -> tuple[Output, ...] | None:
        if self.cache is None or self.is_fresh:
            return None
        known = await asyncio.to_thread(self.cache.get, key)
        return await asyncio.to_thread(self._keeper.again, task, known) if known else None

    async def _attempts(
        self, task: Task, *, args: dict[str, Arg], backend: Backend, card: ModelCard, before: int
    ) -> tuple[tuple[Produced, ...], int]:
        """What the expert produced, and after how many tries. Raises `_GaveUp`."""
        try:
            await self.downloads.prepare(backend, card)
        except FetchError as error:
            raise _GaveUpError(error.says, attempts=0) from error
        call = self._call(task, args=args, card=card)
        attempt = 0
        while True:
            attempt += 1
            try:
                async with self._limit(backend):
                    self.stream.emit(
                        ev.TaskStarted, task=task.id, model=card.id, backend=backend.name, attempt=before + attempt
                    )
                    return await backend.run(call), attempt
            except ExpertError as error:
                if not is_worth_a_retry(error, attempt=attempt):
                    raise _GaveUpError(error.says, attempts=attempt) from error
                await self.sleep(delay_s(attempt - 1, base_s=_BASE_S, cap_s=_CAP_S, rng=self.rng))
            except DragomanError as error:
                raise _GaveUpError(error.says, attempts=attempt) from error

    def _call(self, task: Task, *, args: dict[str, Arg], card: ModelCard) -> Call:
        shown_at = monotonic()

        def tell(fraction: float, says: str) -> None:
            nonlocal shown_at
            if monotonic() - shown_at >= _SHOW_EVERY_S:
                shown_at = monotonic()
                self.stream.emit(ev.TaskProgress, task=task.id, fraction=fraction, says=says)

        return Call(
            run=self.stream.run,
            task_id=task.id,
            task=task.task,
            card=card,
            args=args,
            deadline_s=self.task_timeout_s,
            tell=tell,
        )

    def _limit(self, backend: Backend) -> asyncio.Semaphore:
        return self._limits.setdefault(backend.name, asyncio.Semaphore(backend.limit))


class _GaveUpError(Exception):
    """One expert gave up; the next may try."""

    def __init__(self, reason: str, *, attempts: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.attempts = attempts


def _by_name(reason: str, args: Mapping[str, Arg]) -> str:
    """`reason` with the person's names for files in place of the hashes that experts see."""
    for arg in args.values():
        for item in cast("list[Arg]", arg) if isinstance(arg, list) else [arg]:
            if isinstance(item, Item):
                reason = reason.replace(item.resource.sha256, item.resource.name)
    return reason


def _together(reasons: Mapping[str, str]) -> str:
    """Why all experts gave up, by model where they differ."""
    if len(set(reasons.values())) == 1:
        return next(iter(reasons.values()))
    return "; ".join(f"{model}: {reason.rstrip('.')}" for model, reason in reasons.items())


def _since(started: float) -> float:
    return round(monotonic() - started, 3)


def _next_id(plan: Plan) -> int:
    return max((task.id for task in plan.tasks), default=-1) + 1
