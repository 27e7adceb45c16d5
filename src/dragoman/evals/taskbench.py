"""Records of plans: TaskBench's older and newer schema, the compact one, lists inside strings, flaws and all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from dragoman.evals.graphs import Graph, Node
from dragoman.evals.rows import opened
from dragoman.values import Json

__all__ = ["graph_of", "id_of", "words_of"]

_NODES = ("task_nodes", "tool_nodes", "nodes")
_LINKS = ("task_links", "tool_links", "links")
_STEPS = ("task_steps", "tool_steps", "steps")
_NAMES = ("task", "tool", "id", "name")
_ARGUMENTS = ("arguments", "parameters", "args")
_WORDS = ("user_request", "instruction", "request", "query")
_STEP_WORDS = ("task", "step", "id", "step_name", "description")  # in the order in which TaskBench's program tries them


def id_of(fields: Mapping[str, Json]) -> str | None:
    """The record's id as text; numbers are as good as words."""
    value = fields.get("id")
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) and value != "" else None


def words_of(fields: Mapping[str, Json]) -> str | None:
    """The person's words, under any of the names that the schemas give them."""
    return next((fields[key] for key in _WORDS if isinstance(fields.get(key), str)), None)


def graph_of(fields: Mapping[str, Json]) -> Graph | None:
    """The plan of a record, or None where it holds none. Never raises; what is irregular is named in `flaws`."""
    inner = opened(fields.get("result"))
    if isinstance(inner, dict) and not _has(fields, _NODES):
        fields = cast("dict[str, Json]", inner)
    if not _has(fields, _NODES):
        return None
    flaws: list[str] = []
    nodes = tuple(_nodes(_value(fields, _NODES), flaws))
    names = [node.tool for node in nodes]
    return Graph(
        nodes=nodes,
        links=tuple(_links(_value(fields, _LINKS), names)),
        steps=_steps(_value(fields, _STEPS)) if _has(fields, _STEPS) else None,
        flaws=tuple(flaws),
    )


def _has(fields: Mapping[str, Json], keys: Sequence[str]) -> bool:
    return any(key in fields for key in keys)


def _value(fields: Mapping[str, Json], keys: Sequence[str]) -> Json:
    return opened(next((fields[key] for key in keys if key in fields), None))


def _nodes(value: Json, flaws: list[str]) -> Iterator[Node]:
    if not isinstance(value, list):
        flaws.append(f"nodes are no list but {type(value).__name__}")
        return
    for at, entry in enumerate(cast("list[Json]", value)):
        if isinstance(entry, str):
            yield Node(tool=entry)
            continue
        fields = cast("dict[str, Json]", entry) if isinstance(entry, dict) else {}
        name = next((fields[key] for key in _NAMES if key in fields), None)
        if not isinstance(name, str):
            flaws.append(f"node {at} has {name!r:.40} for a name")
            if name is None or isinstance(name, (list, dict)):
                continue
        yield Node(tool=str(name), arguments=_arguments(fields, flaws, at))


def _arguments(fields: Mapping[str, Json], flaws: list[str], at: int) -> tuple[Json, ...] | None:
    key = next((key for key in _ARGUMENTS if key in fields), None)
    if key is None:
        return None
    value = opened(fields[key])
    if isinstance(value, list):
        return tuple(cast("list[Json]", value))
    if isinstance(value, dict):
        return tuple({"name": name, "value": held} for name, held in cast("dict[str, Json]", value).items())
    flaws.append(f"node {at} has {type(value).__name__} for its arguments")
    return () if value is None else (value,)


def _links(value: Json, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The links by name. A number is a place in the list of nodes; a link that joins nothing is passed over."""
    for link in cast("list[Json]", value) if isinstance(value, list) else ():
        if isinstance(link, dict):
            entry = cast("dict[str, Json]", link)
            ends = (entry.get("source"), entry.get("target"))
        else:
            pair = cast("list[Json]", link) if isinstance(link, list) else []
            ends = (pair[0], pair[1]) if len(pair) == 2 else (None, None)
        for source in _ends(ends[0], names):
            yield from ((source, target) for target in _ends(ends[1], names))


def _ends(value: Json, names: Sequence[str]) -> list[str]:
    items = cast("list[Json]", value) if isinstance(value, list) else [value]
    found = (_end(item, names) for item in items)
    return [name for name in found if name is not None]


def _end(item: Json, names: Sequence[str]) -> str | None:
    if isinstance(item, str):
        return item
    if isinstance(item, int) and not isinstance(item, bool) and 0 <= item < len(names):
        return names[item]
    return None


def _steps(value: Json) -> tuple[str, ...]:
    if not isinstance(value, list):
        return (str(value),) if value else ()
    return tuple(_step(entry) for entry in cast("list[Json]", value))


def _step(entry: Json) -> str:
    if isinstance(entry, dict):
        fields = cast("dict[str, Json]", entry)
        return str(next((fields[key] for key in _STEP_WORDS if key in fields), fields))
    return str(entry)
