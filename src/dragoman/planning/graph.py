"""The check of a plan: known tasks, producers of the right kind, nothing missing, no cycle, no duplicate.

What can be mended here is, and each repair is named; the rest is a fault, said exactly enough to be put right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from dragoman.planning.arguments import place
from dragoman.planning.draft import Draft, DraftTask
from dragoman.planning.filling import fill, lacks, not_among
from dragoman.planning.fits import fits_parameter, fits_slot
from dragoman.planning.ledger import is_address, is_bare_file_name
from dragoman.planning.limits import MAX_FAULTS, bounded
from dragoman.planning.names import nearest_name
from dragoman.planning.order import break_cycles, in_order
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import Arg, Given, Plan, Ref, Repair, Resource, Task, Template, Value, refs_in

__all__ = ["Checked", "check"]

_MAX_NEAREST = 8  # the search for the nearest name takes 70 ms


class Checked(Value, frozen=True, kw_only=True):
    """The plan as far as it can be kept, in an order in which it can run; what was mended, and what can't be.

    Whatever the faults, ids are unique, there is no cycle, and each Ref goes to a task that makes what the slot takes.
    """

    plan: Plan
    repairs: tuple[Repair, ...] = ()
    faults: tuple[str, ...] = ()


def check(plan: Plan, *, ledger: Sequence[Resource], specs: Mapping[str, TaskSpec] = SPECS) -> Checked:
    """The plan checked against the run's resources and the catalogue. Never raises; checking twice changes nothing."""
    draft = Draft(ledger=ledger)
    for task in plan.tasks:
        _add(task, draft, specs)
    written = list(draft.tasks)
    for task in draft.tasks.values():
        _check_references(task, draft)
    break_cycles(draft)
    while _settle(draft):
        pass
    draft.faults.extend(fault for task in draft.tasks.values() for fault in lacks(task, draft))
    tasks = tuple(
        Task(id=task.id, task=task.spec.name, args=task.args, dep=tuple(sorted(task.needs())))
        for task in draft.tasks.values()
    )
    if [task.id for task in tasks] != [task_id for task_id in written if task_id in draft.tasks]:
        draft.mended(None, "tasks before the tasks that they need", "moved them after these")
    return Checked(plan=Plan(tasks=tasks), repairs=bounded(draft.repairs), faults=tuple(draft.faults[:MAX_FAULTS]))


def _settle(draft: Draft) -> bool:
    """Order the tasks, fill what is missing, merge what is double; whether that changed anything."""
    draft.tasks.update([(task.id, draft.tasks.pop(task.id)) for task in in_order(draft)])
    has_filled = [fill(task, draft) for task in draft.tasks.values()]
    return _merge_duplicates(draft) or any(has_filled)


def _add(task: Task, draft: Draft, specs: Mapping[str, TaskSpec]) -> None:
    spec = specs.get(task.task)
    if spec is None:
        says = f"task {task.id}: there is no task `{task.task[:60]}`"
        if len(draft.faults) < _MAX_NEAREST:
            says += f"; the nearest is `{nearest_name(task.task, specs=specs)}`"
        draft.faults.append(says)
        return
    task_id = task.id
    if task_id in draft.tasks or task_id < 0:
        task_id = max((*draft.tasks, -1)) + 1
        draft.mended(task_id, f"the id {task.id} again", f"numbered it {task_id}")
    draft.tasks[task_id] = DraftTask(id=task_id, spec=spec, args=dict(task.args), dep=set(task.dep))


def _check_references(task: DraftTask, draft: Draft) -> None:
    """Keep of each argument what is there and fits; what fits another slot goes there; the rest is left out."""
    missing = {other for other in task.dep if other not in draft.tasks or other == task.id}
    if missing:
        draft.mended(task.id, f"a dependency on {sorted(missing)}, which is not there", "left it out")
        task.dep -= missing
    for name, arg in list(task.args.items()):
        kept = _kept(arg, name=name, task=task, draft=draft)
        if kept is None:
            del task.args[name]
        elif kept is not arg:
            task.args[name] = kept
    for name, arg in task.misfits:
        _move(name, arg, task, draft)
    task.misfits.clear()


def _kept(arg: Arg, *, name: str, task: DraftTask, draft: Draft) -> Arg:
    """The argument, or what of it can stay under this name; None where nothing can."""
    if isinstance(arg, list):
        items = cast("list[Arg]", arg)
        mended = [_kept(item, name=name, task=task, draft=draft) for item in items]
        if all(new is old for new, old in zip(mended, items, strict=True)):
            return arg
        return [item for item in mended if item is not None] or None
    if isinstance(arg, Template):
        arg = _kept_template(arg, task=task, draft=draft)
    if isinstance(arg, Given) and arg.name not in draft.kinds.resources:
        return _kept_name(arg, name=name, task=task, draft=draft)
    if arg is None or (isinstance(arg, Ref) and not _is_there(arg, name=name, task=task, draft=draft)):
        return None
    slot, parameter = task.spec.slot(name), task.spec.parameter(name)
    kinds = draft.kinds.of(arg)
    if slot is not None and fits_slot(kinds, slot):
        return arg
    if parameter is not None and fits_parameter(arg, parameter, kinds=kinds):
        return arg
    task.misfits.append((name, arg))
    return None


def _is_there(ref: Ref, *, name: str, task: DraftTask, draft: Draft) -> bool:
    """Whether the reference goes to another task of the plan."""
    if ref.task in draft.tasks and ref.task != task.id:
        return True
    draft.mended(task.id, f"`{name}` from task {ref.task}, which is not there", "left it out")
    return False


def _kept_name(given: Given, *, name: str, task: DraftTask, draft: Draft) -> Given | None:
    """A name that is no resource's: a fault if an address or one of several; else None, to be filled."""
    is_one_of_several = isinstance(task.args.get(name), list)
    if is_one_of_several or (is_address(given.name) and not is_bare_file_name(given.name)):
        draft.faults.append(not_among(task, name, given.name, draft))
        return given
    task.unknown_names[name] = given
    return None


def _kept_template(arg: Template, *, task: DraftTask, draft: Draft) -> Arg:
    """The words; a reference inside them that has no text form is a fault."""
    parts: list[str | Ref] = []
    for part in arg.parts:
        if isinstance(part, str) or (part.task in draft.tasks and part.task != task.id and _has_words(part, draft)):
            parts.append(part)
        else:
            draft.faults.append(
                f"task {task.id} (`{task.spec.name}`): its words take in the text of task {part.task}, which makes none"
            )
    if len(parts) == len(arg.parts):
        return arg
    return Template(parts=tuple(parts)) if any(isinstance(p, Ref) for p in parts) else "".join(map(str, parts)) or None


def _has_words(ref: Ref, draft: Draft) -> bool:
    return bool(draft.kinds.of(ref) & {"text", "data", "table", "document"})


def _move(name: str, arg: Arg, task: DraftTask, draft: Draft) -> None:
    """Put an argument that does not fit its place where it does; else leave it out, and keep the order."""
    target = place(arg, spec=task.spec, taken=task.args, kinds=draft.kinds)
    kinds = "/".join(sorted(draft.kinds.of(arg))) or type(arg).__name__
    found = f"{kinds} as `{name}` of `{task.spec.name}`"
    if target is not None and target != name:
        task.args[target] = arg
        draft.mended(task.id, found, f"moved it to `{target}`")
        return
    task.dep.update(ref.task for ref in refs_in(arg))
    did = "left it out, kept the order" if refs_in(arg) else "left it out"
    draft.mended(task.id, found, did)
    task.left_out.setdefault(name, found)


def _merge_duplicates(draft: Draft) -> bool:
    """One task in place of several that are asked for the same with the same arguments; whether there were such."""
    before = len(draft.tasks)
    seen: dict[tuple[str, str], int] = {}
    for task in in_order(draft):
        key = (task.spec.name, repr(sorted(task.args.items(), key=lambda item: item[0])))
        first = seen.setdefault(key, task.id)
        if first != task.id and task.args:
            draft.mended(task.id, f"the same `{task.spec.name}` as task {first}", f"merged it into task {first}")
            draft.merge(task.id, into=first)
    return len(draft.tasks) < before
