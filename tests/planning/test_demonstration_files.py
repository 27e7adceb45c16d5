"""The demonstrations that prompts are built from, held against the task catalogue."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dragoman.planning
from dragoman.tasks import SPECS, Parameter, Slot, TaskSpec
from dragoman.values import KINDS, REF_PATTERN

FOLDER = Path(dragoman.planning.__file__).parent / "demonstrations"
PARAPHRASES = Path(__file__).parent / "paraphrases"
FAMILIES = ("audio", "chains", "controls", "dialogue", "graphs", "refusals", "tables", "text", "video", "vision")
# What goes into a slot beside its own kinds, by the coercions of the contracts: a video's sound, a document's text.
ALSO_FITS = {"text": {"document", "data"}, "audio": {"video"}}


@cache
def lines(family: str) -> list[dict[str, Any]]:
    """The demonstrations of one family."""
    return [json.loads(line) for line in (FOLDER / f"{family}.jsonl").read_text("utf-8").splitlines()]


def everything() -> list[dict[str, Any]]:
    """The demonstrations of all families."""
    return [line for family in FAMILIES for line in lines(family)]


def plans() -> list[tuple[list[dict[str, Any]], dict[str, str]]]:
    """Every plan, those of earlier turns included, with the kinds of the resources that it may name."""
    found: list[tuple[list[dict[str, Any]], dict[str, str]]] = []
    for line in everything():
        known: dict[str, str] = {}
        for turn in line.get("history", []):
            known |= {row["name"]: row["kind"] for row in turn["asked"]}
            found.append((turn["plan"], dict(known)))
            known |= {row["name"]: row["kind"] for row in turn["made"]}
        found.append((line["plan"], known | {row["name"]: row["kind"] for row in line["files"]}))
    return found


def items(value: Any) -> list[Any]:
    """One value or several as a list."""
    return value if isinstance(value, list) else [value]


def refs(task: dict[str, Any]) -> list[int]:
    """The ids that a task's arguments point at, in rising order."""
    return sorted({int(match[1]) for match in REF_PATTERN.finditer(json.dumps(task["args"]))})


def fits_slot(value: Any, slot: Slot, plan: list[dict[str, Any]], known: dict[str, str]) -> bool:
    """Whether a resource, a Ref or literal words may go into the slot."""
    kinds = {*slot.kinds, *(kind for own in slot.kinds for kind in ALSO_FITS.get(own, ()))}
    name = str(value).partition("#")[0]
    if name in known:
        return known[name] in kinds
    if match := re.fullmatch(REF_PATTERN, str(value)):
        return any(output.kind in kinds for output in SPECS[plan[int(match[1])]["task"]].outputs)
    return isinstance(value, str) and "text" in slot.kinds and bool(value.strip())


def fits_parameter(value: Any, parameter: Parameter) -> bool:
    """Whether a setting is of its type; data may be a Ref."""
    match parameter.type:
        case "string":
            return isinstance(value, str)
        case "language":
            return isinstance(value, str) and re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]+)*", value) is not None
        case "integer":
            return isinstance(value, int)
        case "number":
            return isinstance(value, int | float)
        case "list":
            return isinstance(value, list) and bool(value)
        case "data":
            return isinstance(value, list) or re.fullmatch(REF_PATTERN, str(value)) is not None


def fault(task: dict[str, Any], plan: list[dict[str, Any]], known: dict[str, str]) -> str | None:
    """What is wrong with one task's arguments, or None."""
    spec: TaskSpec = SPECS[task["task"]]
    required = {part.name for part in (*spec.slots, *spec.parameters) if part.is_required}
    if missing := required - set(task["args"]):
        return f"lacks {missing}"
    for key, value in task["args"].items():
        if slot := spec.slot(key):
            if isinstance(value, list) and not slot.takes_many:
                return f"a list in {key}"
            if not all(fits_slot(item, slot, plan, known) for item in items(value)):
                return f"{key} can't be {value!r}"
        elif not (parameter := spec.parameter(key)):
            return f"has no argument {key}"
        elif not fits_parameter(value, parameter):
            return f"{key} can't be {value!r}"
    return None


def test_the_families_are_these_and_nothing_else():
    """One JSONL a family; each line has a request, files and a plan, and perhaps a history."""
    assert sorted(path.stem for path in FOLDER.glob("*.jsonl")) == sorted(FAMILIES)
    for line in everything():
        assert set(line) - {"history"} == {"request", "files", "plan"}, line
        assert all(set(row) == {"name", "kind"} and row["kind"] in KINDS for row in line["files"]), line


def test_there_are_enough_and_every_task_is_shown_twice():
    """At least 150 in all; each spec of the catalogue in two demonstrations or more."""
    shown = Counter(name for line in everything() for name in {task["task"] for task in line["plan"]})

    assert len(everything()) >= 150
    assert not [name for name in SPECS if shown[name] < 2]


def test_ids_count_up_and_dep_says_what_the_arguments_say():
    """Tasks are numbered from 0, point at earlier ones only, and `dep` lists exactly those, or -1."""
    for plan, _ in plans():
        for place, task in enumerate(plan):
            assert set(task) == {"task", "id", "dep", "args"}, task
            assert task["id"] == place, plan
            assert all(ref < place for ref in refs(task)), plan
            assert task["dep"] == (refs(task) or [-1]), plan


def test_arguments_are_those_of_the_catalogue():
    """Known tasks; no argument that the spec lacks, none missing; resources and Refs of a kind that fits."""
    for plan, known in plans():
        for task in plan:
            assert task["task"] in SPECS, task
            assert (found := fault(task, plan, known)) is None, f"{task}: {found}"


def test_every_file_handed_over_is_used():
    """A plan that does something leaves none of its request's files aside."""
    for line in everything():
        said = json.dumps(line["plan"], ensure_ascii=False)
        assert not line["plan"] or all(json.dumps(row["name"], ensure_ascii=False) in said for row in line["files"]), (
            line
        )


def test_only_talk_and_refusals_have_an_empty_plan():
    """Every other demonstration shows at least one task; refusals show none."""
    assert not [line for line in lines("refusals") if line["plan"]]
    assert not [
        line
        for family in FAMILIES
        if family not in {"refusals", "dialogue"}
        for line in lines(family)
        if not line["plan"]
    ]


def test_all_shapes_are_there():
    """Chains, fan-out, fan-in, tasks side by side, and turns that build on what earlier ones made."""
    fan_in = [plan for plan, _ in plans() if any(len(task["dep"]) > 1 for task in plan)]
    fan_out = [
        plan
        for plan, _ in plans()
        if any(n > 1 for dep, n in Counter(d for t in plan for d in t["dep"]).items() if dep >= 0)
    ]
    parallel = [plan for plan, _ in plans() if len(plan) > 1 and all(task["dep"] == [-1] for task in plan)]

    assert all(len(line["plan"]) > 1 and all(t["dep"] != [-1] for t in line["plan"][1:]) for line in lines("chains"))
    assert len(fan_in) >= 2
    assert len(fan_out) >= 5
    assert len(parallel) >= 5
    assert sum("history" in line for line in lines("dialogue")) >= 15


def test_no_plan_is_shown_twice_for_the_same_request():
    """No two demonstrations share request, files and history."""
    seen = Counter(json.dumps([line["request"], line["files"], line.get("history")]) for line in everything())

    assert not [key for key, count in seen.items() if count > 1]


@pytest.mark.parametrize("family", FAMILIES)
def test_demonstrations_are_not_what_the_planner_is_tested_on(family: str):
    """No request is, word for word, one of the paraphrases."""
    asked = {
        json.loads(line)["words"].casefold()
        for path in PARAPHRASES.glob("*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    }

    assert not [line["request"] for line in lines(family) if line["request"].casefold() in asked]
