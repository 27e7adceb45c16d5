"""A plan while it is being checked: the only place where its tasks can change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from dragoman.planning.fits import Kinds
from dragoman.tasks import TaskSpec
from dragoman.values import Arg, Given, Ref, Repair, Resource, Template, refs_in

__all__ = ["Draft", "DraftTask", "leads"]


def leads(start: int, goal: int, links: Callable[[int], Iterable[int]]) -> bool:
    """Whether a walk along `links` from `start` comes to `goal`. A loop, since a chain may be long."""
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        task_id = waiting.pop()
        if task_id == goal:
            return True
        if task_id not in seen:
            seen.add(task_id)
            waiting.extend(links(task_id))
    return False


@dataclass(kw_only=True, slots=True)
class DraftTask:
    """A task of a draft. `dep`: other ids than its Refs that must be done first, and maybe some of these too.

    misfits: arguments that wait for another place. left_out, unknown_names: by slot, what stood there, for a fault.
    """

    id: int
    spec: TaskSpec
    args: dict[str, Arg]
    dep: set[int]
    misfits: list[tuple[str, Arg]] = field(default_factory=list[tuple[str, Arg]])
    left_out: dict[str, str] = field(default_factory=dict[str, str])
    unknown_names: dict[str, Given] = field(default_factory=dict[str, Given])

    def refs(self) -> set[int]:
        """The ids that its arguments read from."""
        return {ref.task for arg in self.args.values() for ref in refs_in(arg)}

    def needs(self) -> set[int]:
        """Every id that must be done first."""
        return self.dep | self.refs()


class Draft:
    """The tasks by id in the order they were written, the kinds of everything, repairs and faults so far."""

    def __init__(self, *, ledger: Sequence[Resource]) -> None:
        self.tasks: dict[int, DraftTask] = {}
        self.kinds = Kinds(resources=ledger, producers=_Specs(self.tasks))
        self.repairs: list[Repair] = []
        self.faults: list[str] = []

    def mended(self, task: int | None, found: str, did: str) -> None:
        """Note a repair."""
        self.repairs.append(Repair(task=task, found=found, did=did))

    def reaches(self, start: int, goal: int) -> bool:
        """Whether `start` needs `goal`, directly or through others."""
        return leads(start, goal, lambda task_id: self.tasks[task_id].needs() & self.tasks.keys())

    def merge(self, task_id: int, *, into: int) -> None:
        """Let everything that needs `task_id` need `into`; drop the task."""
        gone = self.tasks.pop(task_id)
        self.tasks[into].dep |= {other for other in gone.dep if not self.reaches(other, into)}
        for task in self.tasks.values():
            if task_id in task.dep:
                task.dep = (task.dep - {task_id}) | {into}
            task.args = {name: _renamed(arg, task_id, into) for name, arg in task.args.items()}


class _Specs(Mapping[int, TaskSpec]):
    """The specs of a draft's tasks by id, always as they stand now."""

    def __init__(self, tasks: Mapping[int, DraftTask]) -> None:
        self._tasks = tasks

    def __getitem__(self, task_id: int) -> TaskSpec:
        return self._tasks[task_id].spec

    def __iter__(self) -> Iterator[int]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)


def _renamed(arg: Arg, old: int, new: int) -> Arg:
    """The argument with every Ref to `old` going to `new`."""
    if isinstance(arg, Ref):
        return Ref(task=new, pick=arg.pick) if arg.task == old else arg
    if isinstance(arg, Template):
        return Template(parts=tuple(part if isinstance(part, str) else _renamed(part, old, new) for part in arg.parts))
    if isinstance(arg, list):
        return [_renamed(item, old, new) for item in cast("list[Arg]", arg)]
    return arg
