"""The JSON Schema of a plan: one alternative per task, so that a mind that is held to it can only fill real slots."""

from __future__ import annotations

from collections.abc import Mapping

from dragoman.tasks import Parameter, TaskSpec
from dragoman.values import Json

__all__ = ["plan_schema"]

_TYPES: Mapping[str, Json] = {
    "string": {"type": "string"},
    "language": {"type": "string"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "list": {"$ref": "#/$defs/many"},
    "data": {"$ref": "#/$defs/value"},
}


def plan_schema(specs: Mapping[str, TaskSpec]) -> Json:
    """The schema of `{"tasks": […], "reply": …}`.

    It keeps to what endpoints with strict schemas take: every property required, optional ones nullable, no others.
    """
    return {
        "type": "object",
        "properties": {
            "tasks": {"type": "array", "items": {"anyOf": [_task(spec) for spec in specs.values()]}},
            "reply": {"type": ["string", "null"]},
        },
        "required": ["tasks", "reply"],
        "additionalProperties": False,
        "$defs": {
            "many": {"type": "array", "items": {"type": "string"}},
            "value": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/many"}]},
        },
    }


def _task(spec: TaskSpec) -> Json:
    args: dict[str, Json] = {
        slot.name: _optional({"$ref": "#/$defs/value"}, is_required=slot.is_required) for slot in spec.slots
    }
    args |= {parameter.name: _parameter(parameter) for parameter in spec.parameters}
    fields = {
        "task": {"type": "string", "enum": [spec.name]},
        "id": {"type": "integer"},
        "dep": {"type": "array", "items": {"type": "integer"}},
        "args": _object(args),
    }
    return _object(fields)


def _parameter(parameter: Parameter) -> Json:
    return _optional(_TYPES[parameter.type], is_required=parameter.is_required)


def _optional(schema: Json, *, is_required: bool) -> Json:
    return schema if is_required else {"anyOf": [schema, {"type": "null"}]}


def _object(properties: Mapping[str, Json]) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
