"""Requests in many wordings and the plans that a careful person would make of them (`requests/*.txt`)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dragoman.tasks import find

FOLDER = Path(__file__).parent / "requests"
FILES = ("english", "more_english", "styles", "tasks", "languages")


def rows(stem: str) -> list[tuple[str, list[str], str]]:
    """(words, files, plan) of every line."""
    lines = (FOLDER / f"{stem}.txt").read_text("utf-8").splitlines()
    split = (line.rsplit("|", 2) for line in lines if line.strip() and not line.startswith("#"))
    return [(words.strip(), files.split(), wanted.strip()) for words, files, wanted in split]


def name_of(part: str) -> tuple[str, int]:
    """The task of `asr` or `object-det * 3`, and how many."""
    alias, _, times = part.partition("*")
    spec = find(alias.strip())
    assert spec is not None, f"no task `{alias}`"
    return spec.name, int(times or 1)


def wanted_shape(wanted: str) -> tuple[Counter[str], set[tuple[str, str]]]:
    """Tasks and edges of `a > b, a > c, d`."""
    tasks: Counter[str] = Counter()
    edges: set[tuple[str, str]] = set()
    for chain in wanted.split(","):
        links = [name_of(part) for part in chain.split(">")]
        for name, times in links:
            tasks[name] = max(tasks[name], times)
        edges |= {(first[0], second[0]) for first, second in pairwise(links)}
    return tasks, edges


@pytest.mark.parametrize("stem", FILES)
def test_each_request_becomes_the_plan_that_a_person_would_make(stem: str, kit: Any):
    """All of a file's lines; the misses are listed together."""
    missed: list[str] = []
    for words, files, wanted in rows(stem):
        planned = kit.ask(words, *files)
        if wanted in ("CHAT", "REFUSE"):
            right = not planned.plan.tasks and bool(planned.reply if wanted == "CHAT" else planned.fault)
        else:
            right = (Counter(kit.tasks_of(planned)), kit.edges_of(planned)) == wanted_shape(wanted)
        if not right:
            missed.append(f"{words}  wanted {wanted}, got {kit.tasks_of(planned)} {planned.fault or ''}")

    assert missed == []


def test_what_is_not_read_right_yet_is_no_crash(kit: Any):
    """`open.txt` keeps the requests that are still misread; a plan or a refusal comes of each."""
    for words, files, _ in rows("open"):
        planned = kit.ask(words, *files)
        assert planned.plan.tasks or planned.reply or planned.fault
