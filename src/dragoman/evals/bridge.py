"""Dragoman's own tasks as tools of another list: for a planner that knows only the catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from dragoman.evals.tools import ToolList
from dragoman.planning.names import meant
from dragoman.tasks import ALIASES, SPECS, TaskSpec
from dragoman.values import REF_PATTERN, Json

__all__ = ["Bridge"]


class Bridge:
    """Translates plans in the paper's template, task by task.

    A tool stands for a task by its name, or an alias of it, or by naming it in its description; of several, the one
    that takes words where the task is given some, and does not where it isn't.
    """

    def __init__(self, tools: ToolList) -> None:
        self._tools: dict[str, list[TaskSpec]] = {}
        for spec in tools.specs.values():
            task = meant(spec.name, specs=SPECS)
            if task is not None:
                self._tools.setdefault(task, []).append(spec)
        for task in SPECS:
            if task not in self._tools:
                self._tools[task] = [spec for spec in tools.specs.values() if _describes(spec, task)]

    def tool_for(self, task: Mapping[str, Json]) -> str | None:
        """The tool for one task of a plan, or None."""
        candidates = self._tools.get(cast("str", task["task"]), [])
        has_words = "text" in task["args"]
        fitting = [spec for spec in candidates if (spec.slot("text") is not None) == has_words]
        return next((spec.name for spec in (*fitting, *candidates)), None)

    def translated(self, template: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
        """The plan in the list's names. A task that no tool stands for is left out.

        What it was made from takes its place.
        """
        tools = {str(task["id"]): self.tool_for(task) for task in template}
        gone = {str(task["id"]): task for task in template if tools[str(task["id"])] is None}
        return [
            {
                "task": tools[str(task["id"])],
                "id": task["id"],
                "dep": [dep for dep in (_kept(str(dep), gone) for dep in cast("list[int]", task["dep"])) if dep],
                "args": _without(task["args"], gone),
            }
            for task in template
            if str(task["id"]) not in gone
        ]


def _describes(spec: TaskSpec, task: str) -> bool:
    """Whether the tool's description names the task, in two words or more, and the tool takes what the task takes."""
    names = [name.replace("-", " ") for name in (task, *ALIASES.get(task, ())) if "-" in name]
    words = re.sub(r"[^a-z0-9]+", " ", spec.description.casefold())
    takes = {kind for slot in spec.slots for kind in slot.kinds}
    return any(f" {name} " in f" {words} " for name in names) and any(
        set(slot.kinds) & takes for slot in SPECS[task].slots
    )


def _kept(task_id: str, gone: Mapping[str, Mapping[str, Json]]) -> str | None:
    """The task itself, or the first of those that it needs and that are still there."""
    while task_id in gone:
        task_id = next((str(dep) for dep in cast("list[int]", gone[task_id]["dep"]) if dep >= 0), "")
    return task_id or None


def _without(value: Json, gone: Mapping[str, Mapping[str, Json]]) -> Json:
    """The arguments with every reference to a task that is gone led on, or taken out."""
    if isinstance(value, dict):
        entries = ((key, _without(item, gone)) for key, item in cast("dict[str, Json]", value).items())
        return {key: item for key, item in entries if item not in ("", [])}
    if isinstance(value, list):
        return [item for item in (_without(item, gone) for item in cast("list[Json]", value)) if item not in ("", [])]
    if not isinstance(value, str):
        return value

    def led_on(mark: str, task_id: str) -> str:
        kept = _kept(task_id, gone)
        return mark if kept == task_id else f"<resource>-{kept}" if kept else ""

    return REF_PATTERN.sub(lambda match: led_on(match[0], match[1]), value)
