"""One task per element, where a slot that takes one is given a list: the plan grows while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import cast

from msgspec.structs import replace

from dragoman import events as ev
from dragoman.execution.scheduler import Scheduler
from dragoman.journal.stream import Stream
from dragoman.tasks import TaskSpec
from dragoman.values import Arg, Choice, Done, Failed, Outcome, Output, Plan, Ref, Task, plan_to_json

__all__ = ["Fan", "many_in"]

_MAX_ELEMENTS = 200


def many_in(args: Mapping[str, Arg], *, spec: TaskSpec) -> str | None:
    """The slot that takes one and was given a list, or None."""
    for slot in spec.slots:
        if not slot.takes_many and isinstance(args.get(slot.name), list):
            return slot.name
    return None


class Fan:
    """Grows element tasks and gathers what they made. Element outputs are named `annotated-1`, `annotated-2`, …"""

    def __init__(self, *, scheduler: Scheduler, stream: Stream, first_id: int) -> None:
        self._scheduler = scheduler
        self._stream = stream
        self._next_id = first_id
        self._waited_for: dict[int, asyncio.Future[Outcome]] = {}
        self.grown: list[Task] = []

    async def out(self, task: Task, *, slot: str, count: int, choice: Choice, choices: dict[int, Choice]) -> Outcome:
        """One task per element of `slot`; returns their results gathered, done if any element was."""
        if not 0 < count <= _MAX_ELEMENTS:
            return Failed(task=task.id, reason=f"wanted 1 to {_MAX_ELEMENTS} for `{slot}`; got {count}")
        elements = [self._element(task, slot=slot, index=index, count=count) for index in range(count)]
        loop = asyncio.get_running_loop()
        self._waited_for |= {element.id: loop.create_future() for element in elements}
        choices |= {element.id: replace(choice, task=element.id) for element in elements}
        self._stream.emit(
            ev.PlanGrew,
            added=plan_to_json(Plan(tasks=tuple(elements))),
            because=f"task {task.id} was given {count} for `{slot}`",
        )
        self.grown += elements
        futures = [self._waited_for[element.id] for element in elements]
        self._scheduler.add(elements)
        return _gathered(task, await asyncio.gather(*futures), choice=choice)

    def ended(self, outcome: Outcome) -> None:
        """Hand an outcome to the task that waits for it, if any does."""
        if (future := self._waited_for.pop(outcome.task, None)) is not None:
            future.set_result(outcome)

    def _element(self, task: Task, *, slot: str, index: int, count: int) -> Task:
        element = Task(
            id=self._next_id,
            task=task.task,
            args={**task.args, slot: _nth(task.args[slot], index=index, count=count)},
            dep=task.dep,
        )
        self._next_id += 1
        return element


def _nth(arg: Arg, *, index: int, count: int) -> Arg:
    if isinstance(arg, (list, tuple)) and len(cast("Sequence[Arg]", arg)) == count:
        return cast("Sequence[Arg]", arg)[index]
    if isinstance(arg, Ref) and arg.pick is None:
        return replace(arg, pick=str(index + 1))
    raise ValueError(f"an argument of {count} elements can't be told apart: {arg!r}")


def _gathered(task: Task, outcomes: Sequence[Outcome], *, choice: Choice) -> Outcome:
    done = [outcome for outcome in outcomes if isinstance(outcome, Done)]
    if not done:
        return Failed(task=task.id, reason="none of its parts could be done", attempts=0)
    return Done(
        task=task.id,
        model=choice.model,
        backend=choice.backend,
        outputs=tuple(
            Output(name=f"{output.name}-{number}", resource=output.resource)
            for number, outcome in enumerate(done, start=1)
            for output in outcome.outputs
        ),
        attempts=sum(outcome.attempts for outcome in done),
        seconds=max(outcome.seconds for outcome in done),
    )
