"""The last turn's tasks once more, on what came now: `and in this one?`, `the same for b.jpg`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.questions import own_words
from dragoman.values import Arg, Given, Plan, Ref, Request, Resource, Task, Template, Turn


def repeated(clauses: Sequence[Clause], request: Request) -> Plan | None:
    """The last plan of the conversation on the resources that came now; None if the words ask for no repeat."""
    turn = next((turn for turn in reversed(request.history) if turn.plan.tasks), None)
    if turn is None or not request.resources or not _asks_again(clauses):
        return None
    old = _given_names(turn)
    kinds = {resource.name: resource.kind for resource in turn.asked}
    new = [r for r in request.resources if not kinds or r.kind in kinds.values()]
    if not new or not old:
        return None
    if len(old) == len(new):
        return _mapped(turn.plan, [dict(zip(old, new, strict=True))])
    return _mapped(turn.plan, [{old[0]: resource} for resource in new]) if len(old) == 1 else None


def _asks_again(clauses: Sequence[Clause]) -> bool:
    """Whether the words hold nothing of their own but `again`, `same`, `this one`, `what about`."""
    points = any(clause.has("@again", "one", "this", "these", "%file") for clause in clauses)
    return points and not any(own_words(clause) for clause in clauses)


def _given_names(turn: Turn) -> list[str]:
    names = [arg.name for task in turn.plan.tasks for arg in _flat(task.args) if isinstance(arg, Given)]
    return list(dict.fromkeys(names))


def _flat(args: dict[str, Arg]) -> list[Arg]:
    return [item for arg in args.values() for item in (arg if isinstance(arg, list) else [arg])]


def _mapped(plan: Plan, rows: Sequence[dict[str, Resource]]) -> Plan:
    """The plan once for each row of replacements, with ids of its own."""
    made: list[Task] = []
    for row in rows:
        ids = {task.id: len(made) + at for at, task in enumerate(plan.tasks)}
        for task in plan.tasks:
            args = {key: _changed(arg, row, ids) for key, arg in task.args.items()}
            made.append(
                Task(id=ids[task.id], task=task.task, args=args, dep=tuple(ids[d] for d in task.dep if d in ids))
            )
    return Plan(tasks=tuple(made))


def _changed(arg: Arg, row: dict[str, Resource], ids: dict[int, int]) -> Arg:
    if isinstance(arg, Given):
        return replace(arg, name=row[arg.name].name) if arg.name in row else arg
    if isinstance(arg, Ref):
        return replace(arg, task=ids[arg.task])
    if isinstance(arg, Template):
        return Template(parts=tuple(_changed(part, row, ids) for part in arg.parts))
    if isinstance(arg, list):
        return [_changed(item, row, ids) for item in arg]
    return arg
