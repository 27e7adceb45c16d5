"""A plan back out of the paper's JSON template, as our own journal wrote it."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import cast

from dragoman.values import REF_PATTERN, Arg, Given, Json, Plan, Ref, Task, Template

__all__ = ["plan_from_json"]


def plan_from_json(tasks: list[dict[str, Json]], *, names: Collection[str]) -> Plan:
    """The plan that `plan_to_json` wrote; `names` are the resources that an argument may mean."""
    return Plan(
        tasks=tuple(
            Task(
                id=task["id"],
                task=task["task"],
                args={key: _arg(arg, names=names) for key, arg in task["args"].items()},
                dep=tuple(id_ for id_ in task["dep"] if id_ >= 0),
            )
            for task in tasks
        )
    )


def _arg(arg: Json, *, names: Collection[str]) -> Arg:
    if isinstance(arg, str):
        return _words(arg, names=names)
    if isinstance(arg, list):
        return [_arg(item, names=names) for item in cast("list[Json]", arg)]
    return arg


def _words(words: str, *, names: Collection[str]) -> Arg:
    if words in names:
        return Given(name=words)
    name, _, pick = words.rpartition("#")
    if name in names:
        return Given(name=name, pick=pick)
    if whole := REF_PATTERN.fullmatch(words):
        return _ref(whole)
    parts: list[str | Ref] = []
    end = 0
    for found in REF_PATTERN.finditer(words):
        parts += [words[end : found.start()], _ref(found)]
        end = found.end()
    return Template(parts=(*parts, words[end:])) if parts else words


def _ref(found: re.Match[str]) -> Ref:
    return Ref(task=int(found[1]), pick=found[2])
