"""What TaskBench's metrics look at in a plan: names, links, and arguments by type and value.

The published form follows TaskBench's program (JARVIS, `taskbench/evaluate.py`), its quirks included: in resource
domains links are read from `<node-j>` in the arguments; an argument that can't be read counts as the one read before;
a node that refers to itself is passed over there; a prediction with an irregular node is left out. The strict form
leaves nothing out and lets nothing that can't be read pass for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, cast

from dragoman.evals.graphs import Graph, Node
from dragoman.evals.tools import ToolList
from dragoman.values import Json

__all__ = ["FORMS", "Form", "Reading", "readings_of"]

Form = Literal["published", "strict"]
FORMS: tuple[Form, ...] = ("published", "strict")

_ENDINGS = (
    ("image", "jpg png jpeg gif bmp tiff svg ico"),
    ("audio", "mp3 wav wma ogg aac flac aiff au"),
    ("video", "mp4 avi mov flv wmv mkv webm m4v mpg mpeg"),
)
_UNREADABLE = ("unreadable", "unreadable")


@dataclass(kw_only=True, slots=True)
class Reading:
    """names: in the order of the plan. types: `tool-type` of each argument; values: `tool-type-value`."""

    names: list[str]
    links: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    types: set[str] = field(default_factory=set[str])
    values: set[str] = field(default_factory=set[str])


class _Irregular(Exception):
    """TaskBench's program passes over this prediction."""


def readings_of(gold: Graph, predicted: Graph | None, *, tools: ToolList, form: Form) -> tuple[Reading, Reading] | None:
    """The readings of the gold and of the predicted plan; None where the published program leaves the case out.

    predicted: None where there is no plan that could be read; strictly, that is an empty one.
    """
    if form == "published" and (predicted is None or predicted.flaws):
        return None
    reader = _Reader(tools=tools, form=form)
    try:
        return reader.read(gold), reader.read(predicted or Graph())
    except _Irregular:
        return None


@dataclass(kw_only=True, slots=True)
class _Reader:
    """Reads the gold first: the argument `carried` over an unreadable one may come from there."""

    tools: ToolList
    form: Form
    carried: tuple[str, str] | None = None

    def read(self, graph: Graph) -> Reading:
        is_resource = self.tools.dependency == "resource"
        names = [name.replace("_", " ") for name in graph.names] if is_resource else graph.names
        reading = Reading(names=names)
        for at, node in enumerate(graph.nodes):
            for kind, value in self._by_type(node, at, reading) if is_resource else self._by_name(node, names):
                reading.types.add(f"{names[at]}-{kind}")
                reading.values.add(f"{names[at]}-{kind}-{value}")
        if not is_resource or not graph.has_arguments:
            reading.links.update(graph.links)
        return reading

    def _by_type(self, node: Node, at: int, reading: Reading) -> Iterator[tuple[str, str]]:
        """(type, value) of each argument; for a reference the tool's output type and its name, noting the link."""
        for argument in node.arguments or ():
            try:
                text = _text(argument)
                if "<node-" not in text:
                    self.carried = (_type_by_ending(text), text)
                elif (other := self._place(text)) == at:
                    continue
                else:
                    source = reading.names[other]
                    # The target keeps its spelling, as in the published program.
                    reading.links.add((source, node.tool if self.form == "published" else reading.names[at]))
                    self.carried = (self.tools.makes.get(source, "other"), source)
            except (ValueError, IndexError, TypeError):
                if self.form == "strict":
                    yield _UNREADABLE
                    continue
            if self.carried is not None:
                yield self.carried

    def _place(self, text: str) -> int:
        """The number in the first `<node-j>`. Raises `ValueError`, strictly also for places before the first."""
        place = int(text[text.index("<node-") + 6 : text.index(">")])
        if place < 0 and self.form == "strict":
            raise ValueError
        return place

    def _by_name(self, node: Node, names: list[str]) -> Iterator[tuple[str, str]]:
        for argument in node.arguments or ():
            entry = cast("dict[str, Json]", argument) if isinstance(argument, dict) else {}
            if "name" in entry and "value" in entry:
                yield str(entry["name"]), self._value(entry["value"], names)
            elif self.form == "published" and self.tools.dependency == "temporal":
                raise _Irregular
            else:
                yield _UNREADABLE

    def _value(self, value: Json, names: list[str]) -> str:
        """Our own plans number their tasks freely: there a reference counts as the name of what it refers to."""
        if self.tools.dependency != "catalogue":
            return str(value)
        return re.sub(
            r"<node-(\d+)>",
            lambda match: f"<{names[int(match[1])]}>" if int(match[1]) < len(names) else match[0],
            str(value),
        )


def _text(argument: Json) -> str:
    """An argument as text. Raises `TypeError` where TaskBench's program fails, too."""
    if isinstance(argument, dict):
        argument = next(iter(cast("dict[str, Json]", argument).values()), None)
    if isinstance(argument, list):
        argument = " ".join(cast("list[str]", argument))
    if not isinstance(argument, str):
        raise TypeError
    return argument


def _type_by_ending(text: str) -> str:
    """By the first ending that stands anywhere in the text, else `text`."""
    plain = text.strip("'")
    return next((kind for kind, endings in _ENDINGS for ending in endings.split() if f".{ending}" in plain), "text")
