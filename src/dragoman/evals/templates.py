"""Plans in the paper's template, as TaskBench writes them: `<node-j>` is what the task at place j makes, from 0."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from dragoman.evals.graphs import Graph, Node
from dragoman.evals.tools import Dependency
from dragoman.values import REF_PATTERN, Json

__all__ = ["graph_of_template"]


def graph_of_template(tasks: Sequence[Mapping[str, Json]], *, dependency: Dependency) -> Graph:
    """The graph of `[{"task", "id", "dep", "args"}]`.

    In resource domains arguments are plain strings; elsewhere `{"name", "value"}`. Steps are the plan said in words.
    """
    places = {str(task.get("id", at)): at for at, task in enumerate(tasks)}
    names = [str(task.get("task")) for task in tasks]
    nodes = tuple(
        Node(tool=name, arguments=tuple(_arguments(task, places, is_named=dependency != "resource")))
        for name, task in zip(names, tasks, strict=True)
    )
    links = tuple(
        dict.fromkeys(
            (names[source], name) for name, task in zip(names, tasks, strict=True) for source in _needs(task, places)
        )
    )
    return Graph(nodes=nodes, links=links, steps=tuple(_step(at, node, names) for at, node in enumerate(nodes, 1)))


def _needs(task: Mapping[str, Json], places: Mapping[str, int]) -> list[int]:
    """The places of the tasks that must be done first: its `dep` and every reference in its arguments."""
    dep = task.get("dep")
    ids = [str(item) for item in cast("list[Json]", dep)] if isinstance(dep, list) else []
    ids += [match[1] for match in REF_PATTERN.finditer(json.dumps(task.get("args")))]
    return [places[task_id] for task_id in dict.fromkeys(ids) if task_id in places]


def _arguments(task: Mapping[str, Json], places: Mapping[str, int], *, is_named: bool) -> Iterator[Json]:
    args = task.get("args")
    for name, value in cast("dict[str, Json]", args).items() if isinstance(args, dict) else ():
        texts = [_text(item, places) for item in (cast("list[Json]", value) if isinstance(value, list) else [value])]
        if is_named:
            yield {"name": name, "value": texts[0] if len(texts) == 1 else ", ".join(texts)}
        else:
            yield from texts


def _text(value: Json, places: Mapping[str, int]) -> str:
    """A value as text, its references as TaskBench writes them."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return REF_PATTERN.sub(lambda match: f"<node-{places.get(match[1], match[1])}>", text)


def _step(number: int, node: Node, names: Sequence[str]) -> str:
    said = [_said(argument, names) for argument in node.arguments or ()]
    return f"Step {number}: Use {node.tool}" + (f" on {' and '.join(said)}" if said else "")


def _said(argument: Json, names: Sequence[str]) -> str:
    value = str(cast("dict[str, Json]", argument)["value"] if isinstance(argument, dict) else argument)
    for at, name in enumerate(names):
        value = value.replace(f"<node-{at}>", f"the output of {name}")
    return value[:200]
