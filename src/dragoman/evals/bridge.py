"""Dragoman's own tasks as tools of another list, by name and alias: for a planner that knows only the catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from dragoman.evals.tools import ToolList
from dragoman.planning.names import meant
from dragoman.tasks import SPECS
from dragoman.values import REF_PATTERN, Json

__all__ = ["Bridge"]


class Bridge:
    """Translates plans in the paper's template. tool_of: the tool that stands for a task, the one nearest in name."""

    def __init__(self, tools: ToolList) -> None:
        self.tool_of: dict[str, str] = {}
        for name in sorted(tools.names, key=lambda name: _plain(name) not in SPECS):
            task = meant(name, specs=SPECS)
            if task is not None:
                self.tool_of.setdefault(task, name)

    def translated(self, template: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
        """The plan in the list's names. A task that no tool stands for is left out.

        What it was made from takes its place.
        """
        gone = {str(task["id"]): task for task in template if task["task"] not in self.tool_of}
        return [
            {
                "task": self.tool_of[cast("str", task["task"])],
                "id": task["id"],
                "dep": [dep for dep in (_kept(str(dep), gone) for dep in cast("list[int]", task["dep"])) if dep],
                "args": _without(task["args"], gone),
            }
            for task in template
            if str(task["id"]) not in gone
        ]


def _plain(name: str) -> str:
    return name.casefold().replace(" ", "-")


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
