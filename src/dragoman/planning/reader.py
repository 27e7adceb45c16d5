"""A mind's words -> a plan. Lenient: whatever can be understood is, and each repair is named. Never raises."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from dragoman.planning.arguments import Arguments
from dragoman.planning.fits import Kinds
from dragoman.planning.ledger import Ledger
from dragoman.planning.limits import MAX_FAULTS, bounded
from dragoman.planning.names import meant
from dragoman.planning.nearjson import find_json
from dragoman.planning.references import Ids, marks_in
from dragoman.planning.shapes import RawPlan, RawTask, looks_like_a_plan, raw_plan
from dragoman.planning.strings import Strings
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import Json, Plan, Repair, Resource, Task, Value

__all__ = ["ReadPlan", "read_plan"]


class ReadPlan(Value, frozen=True, kw_only=True):
    """What was read: the plan, unchecked; words for the person, where the mind wrote some; repairs and faults.

    A task that is not in the catalogue keeps its written name and has no arguments.
    """

    plan: Plan = Plan()
    reply: str | None = None
    repairs: tuple[Repair, ...] = ()
    faults: tuple[str, ...] = ()


def read_plan(text: str, *, ledger: Sequence[Resource], specs: Mapping[str, TaskSpec] = SPECS) -> ReadPlan:
    """The plan that stands in `text`. `ledger`: the resources it may name; `specs`: the tasks it may ask for."""
    found = find_json(text, is_wanted=looks_like_a_plan)
    if found.fault:
        return ReadPlan(repairs=found.repairs, faults=(found.fault,))
    raw = raw_plan(found.value)
    reading = _Reading(raw, ledger=Ledger(ledger), specs=specs)
    tasks = tuple(reading.task(task) for task in raw.tasks)
    return ReadPlan(
        plan=Plan(tasks=tasks),
        reply=raw.reply,
        repairs=bounded((*found.repairs, *raw.repairs, *reading.repairs)),
        faults=(*raw.faults, *reading.faults)[:MAX_FAULTS],
    )


class _Reading:
    """One plan being read: names first, then ids, then arguments, since each needs the one before."""

    def __init__(self, raw: RawPlan, *, ledger: Ledger, specs: Mapping[str, TaskSpec]) -> None:
        self.repairs: list[Repair] = []
        self.faults: list[str] = []
        self._ledger = ledger
        self._specs = specs
        self._names = [self._meant(task.name) or task.name.strip()[:80] for task in raw.tasks]
        self._ids = Ids(raw.tasks, names=self._names)
        self._note_names(raw.tasks)
        self._note_ids(raw.tasks)
        producers = {
            task_id: specs[name] for task_id, name in zip(self._ids.of, self._names, strict=True) if name in specs
        }
        self._kinds = Kinds(resources=ledger.resources.values(), producers=producers)
        self._links = _Links(raw, ids=self._ids, names=self._names, meant=self._meant)

    def mended(self, found: str, did: str, *, task: int | None = None) -> None:
        self.repairs.append(Repair(task=task, found=found, did=did))

    def task(self, raw: RawTask) -> Task:
        """The task with its arguments in the slots of its spec."""
        task_id = self._ids.of[raw.position]
        dep = [*self._dep(raw.dep, raw.position), *self._links.into(raw.position)]
        spec = self._kinds.producers.get(task_id)
        if spec is None:
            return Task(id=task_id, task=self._names[raw.position], dep=_unique(dep, but=task_id))
        strings = Strings(
            place=raw.position,
            task_id=task_id,
            ids=self._ids,
            ledger=self._ledger,
            kinds=self._kinds,
            meant=self._meant,
            tell=lambda found, did: self.mended(found, did, task=task_id),
            faults=self.faults,
        )
        arguments = Arguments(spec=spec, task_id=task_id, strings=strings, kinds=self._kinds)
        arguments.read(raw.args)
        self.repairs.extend(arguments.repairs)
        return Task(id=task_id, task=spec.name, args=arguments.args, dep=_unique((*dep, *arguments.dep), but=task_id))

    def _meant(self, name: str) -> str | None:
        return meant(name.strip()[:80], specs=self._specs)

    def _note_names(self, tasks: Sequence[RawTask]) -> None:
        for task, name in zip(tasks, self._names, strict=True):
            if name != task.name:
                self.mended(f"task `{task.name[:80]}`", f"read it as `{name}`", task=self._ids.of[task.position])

    def _note_ids(self, tasks: Sequence[RawTask]) -> None:
        if not tasks or self._ids.are_kept:
            plain = all(type(task.id) is int for task in tasks)
            if not plain:
                self.mended("ids that are no numbers", "read the numbers in them")
        elif self._ids.are_missing:
            self.mended("tasks without ids", "numbered them in order")
            if self._ids.count_from_one:
                self.mended("references that count the tasks from one", "counted them so")
        else:
            self.mended(
                f"ids that repeat or are none: {[task.id for task in tasks][:8]}"[:120], "numbered anew, in order"
            )

    def _dep(self, dep: Json, place: int) -> list[int]:
        """The ids that `dep` means: a list, one number, numbers or references in a string, or names of tasks."""
        items = cast("list[Json]", dep) if isinstance(dep, list) else [dep]
        found: list[int] = []
        for item in items:
            if item is None or isinstance(item, (bool, dict, list)) or item in (-1, "-1", "", "none", "None"):
                continue
            labels = self._labels(item)
            ids = [self._ids.find(label, at=place) for label in labels]
            if type(item) is not int:
                self.mended("a dependency that is no number", "read the number in it", task=self._ids.of[place])
            if None in ids or self._ids.of[place] in ids:
                self.mended(f"a dependency on `{str(item)[:40]}`", "left it out", task=self._ids.of[place])
            found.extend(task_id for task_id in ids if task_id is not None)
        return found

    def _labels(self, item: int | float | str) -> list[str]:
        if not isinstance(item, str):
            return [f"{item:.0f}" if abs(item) < 1e9 else "none"]
        marks = [mark.label for mark in marks_in(item)]
        if marks:
            return marks
        pieces = [piece for piece in re.split(r"[\s,;\[\]]+", item.strip()) if piece]
        if all(re.fullmatch(r"-?\d{1,9}", piece) for piece in pieces):
            return [piece for piece in pieces if piece != "-1"]
        return [item]


class _Links:
    """Links between tasks by name, as some minds write beside the tasks, as pairs of places."""

    def __init__(self, raw: RawPlan, *, ids: Ids, names: Sequence[str], meant: Callable[[str], str | None]) -> None:
        self._ids = ids
        self._before: dict[int, list[int]] = {}
        places: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            places.setdefault(name, []).append(place)
        for source, target in raw.links:
            pair = _joined(*(places.get(meant(end) or end.strip(), []) for end in (source, target)))
            if pair is not None:
                self._before.setdefault(pair[1], []).append(pair[0])
            elif source.casefold() not in ("none", "start", "-1"):
                raw.mended(f"a link from `{source[:40]}` to `{target[:40]}`, where a task is missing", "left it out")

    def into(self, place: int) -> list[int]:
        return [self._ids.of[source] for source in self._before.get(place, [])]


def _joined(sources: Sequence[int], targets: Sequence[int]) -> tuple[int, int] | None:
    """The nearest pair in which the source stands before the target, else the first with it after."""
    before = [(source, target) for source in sources for target in targets if source < target]
    if before:
        return min(before, key=lambda pair: pair[1] - pair[0])
    return next(((source, target) for source in sources for target in targets if source != target), None)


def _unique(ids: Sequence[int], *, but: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(task_id for task_id in ids if task_id != but))
