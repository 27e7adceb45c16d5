"""What a sentence of the answer may look at: the request, the plan, and what became of each task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from dragoman.values import (
    FILE_KINDS,
    Arg,
    Choice,
    Done,
    Given,
    Json,
    Outcome,
    Plan,
    Ref,
    Request,
    Resource,
    Task,
    Template,
    needs,
)

__all__ = ["Scene", "data_of", "file_of", "text_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """One run at its end. `out`: the folder that holds the run's files."""

    request: Request
    plan: Plan
    choices: Mapping[int, Choice]
    outcomes: Mapping[int, Outcome]
    out: Path

    def done(self, *names: str) -> list[tuple[Task, Done]]:
        """Tasks that were done, in the order of the plan; those of `names` only, if any are given.

        A task that was split into one per element is left out: its elements speak for themselves.
        """
        found: list[tuple[Task, Done]] = []
        for task in self.plan.tasks:
            outcome = self.outcomes.get(task.id)
            if isinstance(outcome, Done) and (not names or task.task in names) and not _is_gathered(outcome):
                found.append((task, outcome))
        return found

    def source(self, task: Task, slot: str | None = None) -> str:
        """The name of the file that a task goes back to, through earlier tasks; empty if it goes back to words."""
        args = [task.args[slot]] if slot and slot in task.args else list(task.args.values())
        for arg in args:
            if name := self._origin(arg):
                return name
        return ""

    def given(self, task: Task) -> list[str]:
        """The names of the files that stand in the task's own arguments, each once."""
        args = [item for arg in task.args.values() for item in (arg if isinstance(arg, (list, tuple)) else [arg])]
        return list(dict.fromkeys(arg.name for arg in cast("list[Arg]", args) if isinstance(arg, Given)))

    def path(self, resource: Resource) -> str:
        """The whole path of a file that the run made."""
        return str(self.out / resource.name)

    def files(self) -> tuple[Resource, ...]:
        """Every file that the run made, in order."""
        return tuple(
            output.resource
            for _, outcome in self.done()
            for output in outcome.outputs
            if output.resource.kind in FILE_KINDS and not (output.name == "annotated" and _found_nothing(outcome))
        )

    def is_final(self, task: Task) -> bool:
        """Whether no other task was made from this one's result."""
        return not any(task.id in needs(other) for other in self.plan.tasks)

    def _origin(self, arg: Arg) -> str:
        match arg:
            case Given():
                return arg.name
            case Ref():
                return self.source(self.plan.task(arg.task))
            case Template():
                return next((name for part in arg.parts if (name := self._origin(part))), "")
            case list() | tuple():
                return next((name for item in cast("list[Arg]", arg) if (name := self._origin(item))), "")
            case _:
                return ""


def _found_nothing(outcome: Done) -> bool:
    """Whether a detector drew nothing into its picture."""
    boxes = data_of(outcome, "boxes")
    return isinstance(boxes, dict) and not cast("dict[str, Json]", boxes).get("boxes")


def _is_gathered(outcome: Done) -> bool:
    return bool(outcome.outputs) and all(output.name.rpartition("-")[2].isdigit() for output in outcome.outputs)


def data_of(outcome: Done, name: str) -> Json:
    """The data of the output `name`, or None."""
    return next((output.resource.data for output in outcome.outputs if output.name == name), None)


def text_of(outcome: Done) -> str:
    """The words of the first text output, or empty."""
    return next((output.resource.text or "" for output in outcome.outputs if output.resource.kind == "text"), "")


def file_of(outcome: Done) -> Resource | None:
    """The first file among the outputs."""
    return next((output.resource for output in outcome.outputs if output.resource.kind in FILE_KINDS), None)
