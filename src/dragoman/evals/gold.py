"""Gold plans of a data set, joined with the requests' words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from dragoman.errors import UsageError
from dragoman.evals.graphs import SHAPES, Case, Graph, Shape, shape_of
from dragoman.evals.requests import resource_of, resources_named, turns_of
from dragoman.evals.rows import Row, rows_of
from dragoman.evals.taskbench import graph_of, id_of, words_of
from dragoman.evals.templates import graph_of_template
from dragoman.evals.tools import ToolList
from dragoman.values import Json, Resource

__all__ = ["DataSet", "read_gold", "read_requests"]


@dataclass(kw_only=True, slots=True)
class DataSet:
    """The cases in the order of the gold file, and what was odd in the files (`notes`)."""

    cases: list[Case] = field(default_factory=list[Case])
    notes: list[str] = field(default_factory=list[str])


def read_requests(path: Path | None, *, notes: list[str]) -> dict[str, str]:
    """The words by id. An id that stands twice has the last words."""
    found: dict[str, str] = {}
    for row in rows_of(path) if path is not None else ():
        fields = row.fields or {}
        name, words = id_of(fields), words_of(fields)
        if name is None or words is None:
            notes.append(f"{row.where}: {row.fault or ('no id' if name is None else 'no words')}; passed over")
            continue
        if found.get(name, words) != words:
            notes.append(f"{row.where}: id {name} stands there twice with other words; the last count")
        found[name] = words
    return found


def read_gold(path: Path, *, requests: Path | None, tools: ToolList) -> DataSet:
    """The data set of a gold file in any of the formats. Raises `UsageError` where nothing in it can be used."""
    found = DataSet()
    words = read_requests(requests, notes=found.notes)
    cases: dict[str, Case] = {}
    for row in rows_of(path):
        case = _case(row, words=words, tools=tools, notes=found.notes)
        if case is None:
            continue
        if case.id in cases:
            found.notes.append(f"{row.where}: id {case.id} stands there twice; the last counts")
        cases[case.id] = case
    found.cases = list(cases.values())
    if not found.cases:
        first = f" First: {found.notes[0]}." if found.notes else ""
        raise UsageError(
            f"`{path}` holds no gold plan that can be used.{first}",
            helps="each record wants an id, its nodes or plan, and words, here or in --requests.",
        )
    return found


def _case(row: Row, *, words: Mapping[str, str], tools: ToolList, notes: list[str]) -> Case | None:
    fields = row.fields or {}
    is_own = isinstance(fields.get("plan"), list) and "nodes" not in fields and "task_nodes" not in fields
    name = id_of(fields) or (row.where if is_own else None)
    graph = _own_graph(fields, tools) if is_own else graph_of(fields)
    said = words.get(name or "", words_of(fields))
    if name is None or graph is None or said is None:
        lacks = "no id" if name is None else "no plan" if graph is None else f"no words for id {name}"
        notes.append(f"{row.where}: {row.fault or lacks}; passed over")
        return None
    notes.extend(f"{row.where}: {flaw}" for flaw in graph.flaws)
    return Case(
        id=name,
        words=said,
        gold=graph,
        shape=_shape(fields, graph),
        resources=_handed_over(fields, said, tools=tools),
        history=turns_of(fields.get("history")),
    )


def _own_graph(fields: Mapping[str, Json], tools: ToolList) -> Graph:
    tasks = [cast("dict[str, Json]", entry) for entry in cast("list[Json]", fields["plan"]) if isinstance(entry, dict)]
    return graph_of_template(tasks, dependency=tools.dependency)


def _shape(fields: Mapping[str, Json], graph: Graph) -> Shape:
    """As the record calls it, else as its links make it."""
    called = fields.get("type", fields.get("method"))
    known: list[Shape] = [shape for shape in SHAPES if shape == called]
    return known[0] if known else shape_of(graph.names, graph.links)


def _handed_over(fields: Mapping[str, Json], words: str, *, tools: ToolList) -> tuple[Resource, ...]:
    files = fields.get("files")
    if not isinstance(files, list):
        return resources_named(words, tools=tools)
    entries = [cast("dict[str, Json]", entry) for entry in cast("list[Json]", files) if isinstance(entry, dict)]
    return tuple(resource for entry in entries if (resource := resource_of(entry)) is not None)
