"""A data set's tool list as task specs, so that whatever plans for Dragoman's catalogue can plan for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, cast

from dragoman.errors import UsageError
from dragoman.evals.rows import parsed, text_of
from dragoman.tasks import SPECS, OutputSpec, Parameter, Slot, TaskSpec
from dragoman.tasks.spec import Family, ParameterType
from dragoman.values import KINDS, Json, Kind, Value

__all__ = ["CATALOGUE", "Dependency", "ToolList", "read_tools"]

# resource: links are read from the arguments. temporal: links are given, arguments have names. catalogue: our own.
Dependency = Literal["resource", "temporal", "catalogue"]

_FAMILIES: Mapping[Kind, Family] = {"image": "vision", "audio": "audio", "video": "video", "table": "tables"}
_PARAMETER_TYPES: Mapping[str, ParameterType] = {
    "number": "number",
    "float": "number",
    "integer": "integer",
    "int": "integer",
    "list": "list",
    "array": "list",
    "object": "data",
}


class ToolList(Value, frozen=True, kw_only=True):
    """The tools that a planner may use. makes: the type that TaskBench calls a tool's output, the first one listed."""

    specs: dict[str, TaskSpec]
    dependency: Dependency
    makes: dict[str, str] = {}

    @property
    def names(self) -> list[str]:
        """The tools' names in the order of the list."""
        return list(self.specs)


CATALOGUE = ToolList(specs=dict(SPECS), dependency="catalogue")


def read_tools(path: Path | None) -> ToolList:
    """The tool list of a `tool_desc.json`; None: Dragoman's own catalogue. Raises `UsageError`."""
    if path is None:
        return CATALOGUE
    value = parsed(text_of(path), where=str(path))
    held = cast("dict[str, Json]", value).get("nodes") if isinstance(value, dict) else value
    entries = cast("list[Json]", held) if isinstance(held, list) else []
    tools = [cast("dict[str, Json]", entry) for entry in entries if isinstance(entry, dict)]
    named = {str(tool.get("id") or tool.get("name")): tool for tool in tools if tool.get("id") or tool.get("name")}
    if not named:
        raise UsageError(
            f"`{path}` lists no tools.",
            helps='wanted {"nodes": [{"id": "…", "desc": "…", "input-type": […], "output-type": […]}]}',
        )
    is_typed = any("input-type" in tool or "output-type" in tool for tool in named.values())
    return ToolList(
        specs={name: _spec(name, tool) for name, tool in named.items()},
        dependency="resource" if is_typed else "temporal",
        makes={name: next(iter(_types(tool, "output-type")), "none") for name, tool in named.items()}
        if is_typed
        else {},
    )


def _spec(name: str, tool: Mapping[str, Json]) -> TaskSpec:
    slots = _slots(_types(tool, "input-type"))
    outputs = [_kind(word) for word in _types(tool, "output-type")] if "output-type" in tool else ["data"]
    families: list[Family] = [_FAMILIES[kind] for slot in slots for kind in slot.kinds if kind in _FAMILIES]
    return TaskSpec(
        name=name,
        family=families[0] if families else "text",
        description=str(tool.get("desc") or tool.get("description") or name),
        slots=slots,
        outputs=tuple(OutputSpec(name=kind, kind=cast("Kind", kind)) for kind in dict.fromkeys(outputs)),
        parameters=_parameters(tool.get("parameters")),
    )


def _types(tool: Mapping[str, Json], key: str) -> list[str]:
    types = tool.get(key)
    if isinstance(types, str):
        return [types]
    return [str(word) for word in cast("list[Json]", types)] if isinstance(types, list) else []


def _slots(types: Sequence[str]) -> tuple[Slot, ...]:
    """One slot a type; a type that stands twice is one slot that takes several."""
    counted = Counter(types)
    return tuple(
        Slot(
            name=word.casefold(), kinds=(_kind(word),), takes_many=count > 1, says="" if word in KINDS else f"a {word}"
        )
        for word, count in counted.items()
    )


def _kind(word: str) -> Kind:
    """The kind that a data set's type is nearest to. An address is data: words don't do where one is wanted."""
    plain = word.casefold()
    return plain if plain in KINDS else "data"


def _parameters(value: Json) -> tuple[Parameter, ...]:
    entries = cast("list[Json]", value) if isinstance(value, list) else []
    rows = [cast("dict[str, Json]", entry) for entry in entries if isinstance(entry, dict)]
    return tuple(
        Parameter(
            name=str(row["name"]),
            type=_PARAMETER_TYPES.get(str(row.get("type", "string")).casefold(), "string"),
            is_required=row.get("required") is not False,
            says=str(row.get("desc") or row.get("description") or ""),
        )
        for row in rows
        if row.get("name")
    )
