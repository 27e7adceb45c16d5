"""The many shapes in which minds write a list of tasks, brought to one: name, id, dep, args."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from dragoman.values import Json, Repair

__all__ = ["MAX_TASKS", "RawPlan", "RawTask", "looks_like_a_plan", "raw_plan"]

MAX_TASKS = 200

_LISTS = ("tasks", "plan", "task_nodes", "nodes", "task_list", "steps", "actions", "tool_calls", "calls", "result")
_NAMES = ("task", "task_name", "tool", "tool_name", "name", "type", "action", "function")
_IDS = ("id", "task_id", "step", "node")
_DEPS = ("dep", "deps", "depends_on", "dependencies", "dependency", "depends", "after", "requires")
_ARGS = ("args", "arguments", "argument", "parameters", "params", "inputs", "input", "kwargs", "arg")
_LINKS = ("task_links", "links", "edges")
_REPLIES = ("reply", "message", "answer")


@dataclass(frozen=True, kw_only=True, slots=True)
class RawTask:
    """A task as it was written. `args`: pairs of a key (None: by place only) and a value."""

    position: int
    name: str
    id: Json = None
    dep: Json = None
    args: tuple[tuple[str | None, Json], ...] = ()


@dataclass(kw_only=True, slots=True)
class RawPlan:
    """The tasks as they were written, the links between them by name, and words for the person."""

    tasks: list[RawTask] = field(default_factory=list[RawTask])
    links: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    reply: str | None = None
    repairs: list[Repair] = field(default_factory=list[Repair])
    faults: list[str] = field(default_factory=list[str])

    def mended(self, found: str, did: str, *, task: int | None = None) -> None:
        """Note a repair."""
        self.repairs.append(Repair(task=task, found=found, did=did))


def looks_like_a_plan(value: Json) -> bool:
    """Whether tasks could be read from this: an object with a task's name, a list of them, or one that holds such."""
    if isinstance(value, dict):
        entry = cast("dict[str, Json]", value)
        return _names_a_task(entry) or any(isinstance(entry.get(key), list) for key in _LISTS)
    if isinstance(value, list):
        return any(isinstance(item, (dict, list)) and looks_like_a_plan(item) for item in cast("list[Json]", value))
    return False


def raw_plan(value: Json) -> RawPlan:
    """The tasks in `value`. What can't be read as a task is a fault; never raises."""
    plan = RawPlan()
    for entry in _entries(value, plan):
        if len(plan.tasks) == MAX_TASKS:
            plan.faults.append(f"the plan has more than {MAX_TASKS} tasks; the rest was not read")
            break
        _add_task(entry, plan)
    return plan


def _names_a_task(entry: Mapping[str, Json]) -> bool:
    return any(key in entry for key in _NAMES[:4]) or ("name" in entry and any(key in entry for key in _ARGS))


def _entries(value: Json, plan: RawPlan) -> Iterator[Json]:
    if value is None or value in ("", [], {}):
        return
    if isinstance(value, list):
        for item in cast("list[Json]", value):
            if isinstance(item, list):
                plan.mended("a list of tasks inside the list", "read them in order")
                yield from cast("list[Json]", item)
            else:
                yield item
    elif isinstance(value, dict):
        yield from _entries_of_object(cast("dict[str, Json]", value), plan)
    else:
        plan.faults.append(f"a list of tasks was wanted, and {json.dumps(value)[:80]} came")


def _entries_of_object(entry: dict[str, Json], plan: RawPlan) -> Iterator[Json]:
    words = next((entry[key] for key in _REPLIES if isinstance(entry.get(key), str)), None)
    if not _names_a_task(entry):
        plan.reply = words or None
    held = next((key for key in _LISTS if isinstance(entry.get(key), (list, dict))), None)
    if held is not None:
        plan.links.extend(_links(next((entry[key] for key in _LINKS if key in entry), None), plan))
        yield from _entries(entry[held], plan)
    elif _names_a_task(entry):
        plan.mended("one object where a list of tasks was wanted", "read it as a list of one")
        yield entry
    elif entry and all(isinstance(item, dict) and _names_a_task(item) for item in entry.values()):
        plan.mended("tasks as an object by id", "read them as a list")
        yield from ({"id": key, **item} for key, item in entry.items())
    elif plan.reply is None and not any(key in entry for key in _LISTS):
        plan.faults.append(f"a list of tasks was wanted, and an object with {', '.join(list(entry)[:5])} came"[:200])


def _add_task(entry: Json, plan: RawPlan) -> None:
    position = len(plan.tasks)
    if isinstance(entry, str) and entry.strip():
        plan.mended(f"only a name, `{entry[:60]}`, for a task", "read it as a task without arguments", task=position)
        entry = {"task": entry}
    if not isinstance(entry, dict):
        plan.faults.append(f"entry {position} of the plan is no task: {json.dumps(entry)[:80]}")
        return
    fields = cast("dict[str, Json]", entry)
    if isinstance(fields.get("function"), dict):  # a tool call: {"type": "function", "function": {…}}
        fields = cast("dict[str, Json]", fields["function"])
    name_key = next((key for key in _NAMES if isinstance(fields.get(key), str)), None)
    if name_key is None:
        plan.faults.append(f"entry {position} of the plan names no task: {json.dumps(fields)[:80]}")
        return
    if name_key != "task":
        plan.mended(f"the task's name under `{name_key}`", "read it as `task`", task=position)
    taken = {name_key}
    task_id, dep = _pick(fields, _IDS, taken), _pick(fields, _DEPS, taken)
    pairs = _args(fields, taken, plan, position)
    plan.tasks.append(RawTask(position=position, name=fields[name_key], id=task_id, dep=dep, args=tuple(pairs)))


def _pick(fields: Mapping[str, Json], keys: tuple[str, ...], taken: set[str]) -> Json:
    key = next((key for key in keys if key in fields and key not in taken), None)
    if key is not None:
        taken.add(key)
    return fields.get(key) if key is not None else None


def _args(fields: Mapping[str, Json], taken: set[str], plan: RawPlan, position: int) -> list[tuple[str | None, Json]]:
    key = next((key for key in _ARGS if key in fields and key not in taken), None)
    if key is not None:
        return list(_pairs(fields[key], plan, position))
    beside = [
        (key, value)
        for key, value in fields.items()
        if key not in taken and key not in (*_NAMES, *_REPLIES, "reason", "description", "metadata")
    ]
    if beside:
        plan.mended("arguments beside `task`", "read them as `args`", task=position)
    return list(beside)


def _pairs(args: Json, plan: RawPlan, position: int) -> Iterator[tuple[str | None, Json]]:
    if isinstance(args, str) and args.strip():
        args = _opened(args, plan, position)
    if isinstance(args, dict):
        yield from cast("dict[str, Json]", args).items()
    elif isinstance(args, list):
        plan.mended("arguments as a list", "gave each the slot it fits", task=position)
        for item in cast("list[Json]", args):
            yield from _pairs_of_item(item)
    elif args is not None and args != "":
        plan.mended("one argument without a name", "gave it the slot it fits", task=position)
        yield None, args


def _opened(args: str, plan: RawPlan, position: int) -> Json:
    """The object that stood inside a string, or the string."""
    if not args.lstrip().startswith(("{", "[")):
        return args
    from dragoman.planning.nearjson import find_json

    found = find_json(args, is_wanted=lambda value: isinstance(value, (dict, list)))
    if found.fault or not isinstance(found.value, (dict, list)):
        return args
    plan.mended("the arguments as JSON inside a string", "opened them", task=position)
    return cast("Json", found.value)


def _pairs_of_item(item: Json) -> Iterator[tuple[str | None, Json]]:
    if not isinstance(item, dict):
        yield None, item
        return
    entry = cast("dict[str, Json]", item)
    named = next((entry[key] for key in ("name", "key", "argument") if isinstance(entry.get(key), str)), None)
    if named is not None:
        yield named, entry.get("value")
    else:
        yield from entry.items()


def _links(links: Json, plan: RawPlan) -> Iterator[tuple[str, str]]:
    for link in cast("list[Json]", links) if isinstance(links, list) else ():
        entry = cast("dict[str, Json]", link) if isinstance(link, dict) else {}
        source = entry.get("source", entry.get("from"))
        target = entry.get("target", entry.get("to"))
        ends = [(a, b) for a in _texts(source) for b in _texts(target)]
        if not ends:
            plan.mended(f"a link that joins nothing: {json.dumps(link)[:60]}", "left it out")
        yield from ends


def _texts(value: Json) -> list[str]:
    items = cast("list[Json]", value) if isinstance(value, list) else [value]
    return [str(item) for item in items if isinstance(item, (str, int)) and not isinstance(item, bool)]
