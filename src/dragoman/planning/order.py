"""The order of a draft's tasks: cycles broken at their weakest link, then each task after those it needs."""

from __future__ import annotations

import heapq

from dragoman.planning.draft import Draft, DraftTask, leads
from dragoman.values import Arg, Ref, Template, refs_in

__all__ = ["break_cycles", "in_order"]


def break_cycles(draft: Draft) -> None:
    """Leave out the weakest links of every cycle: bare order before references, backward ones before forward ones."""
    place = {task_id: at for at, task_id in enumerate(draft.tasks)}
    if all(place[other] < place[task.id] for task in draft.tasks.values() for other in task.needs()):
        return
    wanted = {task.id: (task.refs(), task.dep - task.refs()) for task in draft.tasks.values()}
    kept: dict[int, set[int]] = {task_id: set() for task_id in draft.tasks}
    for kind in (0, 1):  # references, then bare order
        for forward in (True, False):
            for task_id, links in wanted.items():
                for other in sorted(links[kind], key=place.__getitem__):
                    if (place[other] < place[task_id]) is forward:
                        _keep(task_id, other, kept=kept, draft=draft)


def _keep(task_id: int, other: int, *, kept: dict[int, set[int]], draft: Draft) -> None:
    """Keep the link unless it closes a cycle over those kept already."""
    if not leads(other, task_id, kept.__getitem__):
        kept[task_id].add(other)
        return
    task = draft.tasks[task_id]
    task.dep.discard(other)
    for name, arg in list(task.args.items()):
        if any(ref.task == other for ref in refs_in(arg)):
            left = _without(arg, other)
            if left is None:
                del task.args[name]
            else:
                task.args[name] = left
            task.left_out.setdefault(name, f"`{name}` came from task {other}, which needs task {task_id} itself")
    draft.mended(
        task_id, f"a cycle: tasks {other} and {task_id} need each other", f"left out that {task_id} needs {other}"
    )


def _without(arg: Arg, other: int) -> Arg:
    """The argument without its Refs to `other`; None where nothing is left."""
    if isinstance(arg, Template):
        parts = tuple(part for part in arg.parts if not (isinstance(part, Ref) and part.task == other))
        if any(isinstance(part, Ref) for part in parts):
            return Template(parts=parts)
        return "".join(map(str, parts)).strip() or None
    if isinstance(arg, list):
        left = [item for item in arg if not (isinstance(item, Ref) and item.task == other)]
        return left or None
    return None


def in_order(draft: Draft) -> list[DraftTask]:
    """The tasks so that each stands after those that it needs, else as they were written."""
    place = {task_id: at for at, task_id in enumerate(draft.tasks)}
    waits = {task.id: len(task.needs()) for task in draft.tasks.values()}
    needed_by: dict[int, list[int]] = {task_id: [] for task_id in draft.tasks}
    for task in draft.tasks.values():
        for other in task.needs():
            needed_by[other].append(task.id)
    ready = [(place[task_id], task_id) for task_id, count in waits.items() if count == 0]
    heapq.heapify(ready)
    ordered: list[DraftTask] = []
    while ready:
        _, task_id = heapq.heappop(ready)
        ordered.append(draft.tasks[task_id])
        for follower in needed_by[task_id]:
            waits[follower] -= 1
            if waits[follower] == 0:
                heapq.heappush(ready, (place[follower], follower))
    return ordered
