"""Small data sets for the tests of this folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dragoman.evals.graphs import Case, Graph, Node, Shape
from dragoman.evals.tools import ToolList
from dragoman.tasks import OutputSpec, Slot, TaskSpec
from dragoman.values import Kind

TYPES: dict[str, tuple[tuple[Kind, ...], tuple[Kind, ...]]] = {
    "Speech Recognition": (("audio",), ("text",)),
    "Summarization": (("text",), ("text",)),
    "Text-to-Speech": (("text",), ("audio",)),
    "Image Editing": (("text", "image"), ("image",)),
    "Object Detection": (("image",), ("text",)),
}
RESOURCE = ToolList(
    specs={
        name: TaskSpec(
            name=name,
            family="text",
            description=name,
            slots=tuple(Slot(name=kind, kinds=(kind,)) for kind in takes),
            outputs=tuple(OutputSpec(name=kind, kind=kind) for kind in makes),
        )
        for name, (takes, makes) in TYPES.items()
    },
    dependency="resource",
    makes={name: makes[0] for name, (_, makes) in TYPES.items()},
)
TEMPORAL = ToolList(
    specs={
        name: TaskSpec(
            name=name,
            family="text",
            description=name,
            slots=(),
            outputs=(OutputSpec(name="data", kind="data"),),
        )
        for name in ("get_weather", "book_flight", "send_email")
    },
    dependency="temporal",
)


def graph(*nodes: str | tuple[str, *tuple[Any, ...]], links: Any = (), steps: tuple[str, ...] | None = None) -> Graph:
    """A graph of names, or of (name, argument, …)."""
    return Graph(
        nodes=tuple(
            Node(tool=node) if isinstance(node, str) else Node(tool=node[0], arguments=node[1:]) for node in nodes
        ),
        links=tuple(links),
        steps=steps,
    )


def case(name: str, gold: Graph, *, shape: Shape = "chain", words: str = "Do it.") -> Case:
    """A case with these gold tasks."""
    return Case(id=name, words=words, gold=gold, shape=shape)


def write_lines(path: Path, *records: Any) -> Path:
    """The records as JSON lines; strings as they are."""
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records) + "\n", encoding="utf-8")
    return path


TOOL_FILE = {
    "nodes": [
        {"id": name, "desc": f"{name} does it.", "input-type": list(takes), "output-type": list(makes)}
        for name, (takes, makes) in TYPES.items()
    ]
}
