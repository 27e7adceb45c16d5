"""docs/contracts.md says what the code does: the table of tasks, the events, the shapes of JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman import events as ev
from dragoman.config import Settings
from dragoman.journal.report import Report, report_to_json
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import KINDS

ROOT = Path(__file__).parents[2]
CONTRACTS = (ROOT / "docs" / "contracts.md").read_text(encoding="utf-8")


def catalogue_rows() -> Iterator[tuple[list[str], str, str]]:
    """Names, args and outputs of every row of section 2; a row with semicolons is as many rows."""
    for row in re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", CONTRACTS.split("## 3. JSON")[0], re.MULTILINE)[1:]:
        groups = [cell.split(";") for cell in row]
        count = len(groups[0])
        names, args, outputs = ([*group, *group[-1:] * (count - len(group))][:count] for group in groups)
        for one in zip(names, args, outputs, strict=True):
            yield [name.strip() for name in one[0].split(",")], one[1], one[2]


def expanded(names: list[str], last: list[str]) -> list[str]:
    """`canny-, hed-control` in full; "the same with -text-to-image" by the row before."""
    if names[0].startswith("the same with"):
        ending = names[0].split()[-1]
        return [re.sub(r"-control$", ending, name) for name in last]
    ending = "-control" if names[-1].endswith("-control") else ""
    return [name + ending.removeprefix("-") if name.endswith("-") else name for name in names]


def documented() -> dict[str, tuple[str, str]]:
    """Args and outputs by task."""
    found: dict[str, tuple[str, str]] = {}
    last: list[str] = []
    for names, args, outputs in catalogue_rows():
        if names[0].startswith("`"):
            continue
        last = expanded(names, last)
        found |= dict.fromkeys(last, (args, outputs))
    return found


def test_the_table_of_tasks_is_the_catalogue():
    """Contracts, section 2: every task, and no other."""
    assert sorted(documented()) == sorted(SPECS)


@pytest.mark.parametrize("spec", SPECS.values(), ids=lambda spec: spec.name)
def test_the_table_of_tasks_says_what_each_takes_and_makes(spec: TaskSpec):
    """The names of its arguments, the kinds of its outputs."""
    args, outputs = documented()[spec.name]
    for one in (*spec.slots, *spec.parameters):
        assert re.search(rf"\b{one.name}\b", args), f"{spec.name} takes {one.name}"
    plain = re.sub(r"\(.*?\)", "", outputs)
    assert {kind for kind in KINDS if re.search(rf"\b{kind}\b", plain)} == {out.kind for out in spec.outputs}


def test_the_events_are_those_of_the_code():
    """Contracts, section 4, in their order."""
    listed = re.search(r"`(run_started,.*?run_ended)`", CONTRACTS, re.DOTALL)
    tags = [kind.__struct_config__.tag for kind in ev.Event.__args__]
    assert listed is not None
    assert re.findall(r"\w+", listed[1]) == tags


def paths(value: Any, path: str = "") -> set[str]:
    """The path to every key; of a list, in its first element; what `data` holds is the expert's."""
    if isinstance(value, dict):
        inner = (paths(one, f"{path}.{key}") for key, one in value.items() if key != "data")
        return {f"{path}.{key}" for key in value}.union(*inner)
    return paths(value[0], path) if isinstance(value, list) and value else set()


def test_the_object_of_ask_has_the_keys_of_the_report():
    """Contracts, section 3; the golden file of `ask` has every part of it, too."""
    block = re.search(r"```json\n(.*?)```", CONTRACTS, re.DOTALL)
    assert block is not None
    written, golden = json.loads(block[1]), json.loads((ROOT / "tests/golden/ask.json").read_text(encoding="utf-8"))
    assert list(written) == list(report_to_json(Report(run="r", session="s"), out=ROOT)) == list(golden)
    for key in ("choices", "outcomes", "usage"):
        assert paths(golden[key]) >= paths(written[key]), key
    assert paths(golden["answer"]["resources"]) == paths(written["answer"]["resources"])


@pytest.mark.parametrize("command", ["tasks", "models", "runs", "doctor", "sample --list"])
def test_the_listings_have_the_keys_that_are_written_down(command: str):
    """Contracts, section 3, against the golden file."""
    row = re.search(rf"^\| `{command}`.*? \| (.+?) \|$", CONTRACTS, re.MULTILINE)
    assert row is not None
    named = re.findall(r"\w+", re.sub(r"\(.*?\)", "", row[1]))
    golden = json.loads((ROOT / f"tests/golden/{command.split()[0]}.json").read_text(encoding="utf-8"))
    assert list(golden[0]) == named


def test_the_settings_that_are_named_exist():
    """Contracts, section 9."""
    named = re.search(r"fields of `Settings` \((.*?)\)", CONTRACTS, re.DOTALL)
    assert named is not None
    assert set(re.findall(r"`(\w+)`", named[1])) <= set(Settings.__dataclass_fields__)
