"""Missing inputs of a task: filled where there is exactly one candidate, else a fault."""

from __future__ import annotations

from dragoman.planning.draft import Draft, DraftTask
from dragoman.planning.fits import fits_slot, is_instruction
from dragoman.planning.ledger import is_bare_file_name
from dragoman.tasks import Slot
from dragoman.values import Arg, Given, Ref

__all__ = ["fill", "lacks", "not_among"]


def fill(task: DraftTask, draft: Draft) -> bool:
    """Fill every required slot that is empty and can be known; whether one was filled."""
    has_filled = False
    for slot in _empty_slots(task):
        found = _candidate(task, slot, draft)
        if found is not None:
            task.args[slot.name], why = found
            draft.mended(task.id, f"`{task.spec.name}` without its `{slot.name}`", why)
            has_filled = True
    return has_filled


def lacks(task: DraftTask, draft: Draft) -> list[str]:
    """What the task still lacks, one fault each. A name that could not be made good goes back to its place."""
    unknown = [(name, given) for name, given in task.unknown_names.items() if name not in task.args]
    task.args.update(unknown)
    faults = [not_among(task, name, given.name, draft) for name, given in unknown]
    faults += [_lacks(task, slot.name, " or ".join(slot.kinds), says=slot.says) for slot in _empty_slots(task)]
    wanted = [parameter for parameter in task.spec.parameters if parameter.is_required]
    return faults + [_lacks(task, p.name, p.type, says=p.says) for p in wanted if p.name not in task.args]


def not_among(task: DraftTask, slot: str, name: str, draft: Draft) -> str:
    """The fault that a name is no resource's."""
    there = ", ".join(f"`{known}`" for known in list(draft.kinds.resources)[:8]) or "none"
    return (
        f"task {task.id} (`{task.spec.name}`): `{slot}` names `{name[:80]}`, which is not among the resources: {there}"
    )


def _empty_slots(task: DraftTask) -> list[Slot]:
    return [slot for slot in task.spec.slots if slot.is_required and slot.name not in task.args]


def _candidate(task: DraftTask, slot: Slot, draft: Draft) -> tuple[Arg, str] | None:
    """What the slot can be filled with, and in which words that is told; None where it can't be known.

    First what the task waits for anyway; then the one resource that nothing uses, or the only one; then the nearest
    earlier task. Instructions (a question, a description), and what stood there as a file of a certain name, are filled
    only from what the task waits for.
    """
    places = {task_id: at for at, task_id in enumerate(draft.tasks)}
    waited = sorted(task.dep - task.refs(), key=places.__getitem__, reverse=True)
    producer = _producer(waited, slot, draft)
    if producer is not None:
        return Ref(task=producer), f"filled it from task `{producer}`, which it waits for"
    if is_instruction(slot, task.spec) or _is_a_certain_file(task, slot):
        return None
    resource = _resource(slot, draft)
    if resource is not None:
        return Given(name=resource), f"filled it with `{resource}`"
    earlier = [other for other in reversed(draft.tasks) if places[other] < places[task.id]]
    producer = _producer(earlier, slot, draft)
    if producer is not None and producer not in task.refs():
        return Ref(task=producer), f"filled it from the nearest earlier task, `{producer}`"
    return None


def _is_a_certain_file(task: DraftTask, slot: Slot) -> bool:
    """Whether a file of a certain name was wanted there: another one would be a guess."""
    unknown = task.unknown_names.get(slot.name)
    return unknown is not None and is_bare_file_name(unknown.name)


def _producer(task_ids: list[int], slot: Slot, draft: Draft) -> int | None:
    """The first of the tasks that makes what the slot takes; one that makes it directly goes before one by coercion."""
    for directly in (True, False):
        for task_id in task_ids:
            if fits_slot(draft.kinds.of(Ref(task=task_id)), slot, directly=directly):
                return task_id
    return None


def _resource(slot: Slot, draft: Draft) -> str | None:
    """The one resource of the slot's kind that no task uses, else the only one of that kind."""
    of_kind = [resource.name for resource in draft.kinds.resources.values() if resource.kind in slot.kinds]
    used = {
        item.name
        for task in draft.tasks.values()
        for arg in task.args.values()
        for item in (arg if isinstance(arg, list) else [arg])
        if isinstance(item, Given)
    }
    unused = [name for name in of_kind if name not in used]
    for names in (unused, of_kind):
        if len(names) == 1:
            return names[0]
    return None


def _lacks(task: DraftTask, name: str, wanted: str, *, says: str) -> str:
    hint = f" ({says})" if says else ""
    came = f"; {task.left_out[name]} can't be it" if name in task.left_out else ""
    return f"task {task.id} (`{task.spec.name}`): `{name}` is missing, wanted {wanted}{hint}{came}"
