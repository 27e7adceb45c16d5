"""What can be asked for: the shape of a task. The catalogue itself is data, in the files beside this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from dragoman.values import Kind, Value

Family = Literal["text", "vision", "audio", "video", "tables", "controls"]
ParameterType = Literal["string", "number", "integer", "language", "list", "data"]


# What a slot of a kind also takes, best first, when nothing of its own kind is there: the words of a document, the text
# form of data and tables, the sound and the frames of a video, a page or a table of a document.
STANDS_IN: Mapping[Kind, tuple[Kind, ...]] = {
    "text": ("document", "data", "table"),
    "audio": ("video",),
    "image": ("video", "document"),
    "table": ("document",),
}


class Slot(Value, frozen=True, kw_only=True):
    """A typed input. `takes_many`: a list of resources goes in together; else a list means one task per element."""

    name: str
    kinds: tuple[Kind, ...]
    takes_many: bool = False
    is_required: bool = True
    says: str = ""


class Parameter(Value, frozen=True, kw_only=True):
    """A named setting of a task (`target`, `labels`, `sentences`)."""

    name: str
    type: ParameterType = "string"
    is_required: bool = False
    says: str = ""


class OutputSpec(Value, frozen=True, kw_only=True):
    """A named output of a task and its kind."""

    name: str
    kind: Kind
    says: str = ""


class TaskSpec(Value, frozen=True, kw_only=True):
    """A kind of task that can be asked for."""

    name: str
    family: Family
    description: str
    slots: tuple[Slot, ...]
    outputs: tuple[OutputSpec, ...]
    parameters: tuple[Parameter, ...] = ()

    def slot(self, name: str) -> Slot | None:
        """The slot of this name, or None."""
        return next((slot for slot in self.slots if slot.name == name), None)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name, or None."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    def makes(self, kind: Kind) -> bool:
        """Whether one of the outputs is of this kind."""
        return any(output.kind == kind for output in self.outputs)


def text(name: str = "text", *, says: str = "", takes_many: bool = False, is_required: bool = True) -> Slot:
    """A slot for words; sound or pictures don't go in, documents go in as their text."""
    return Slot(name=name, kinds=("text",), takes_many=takes_many, is_required=is_required, says=says)


def image(name: str = "image", *, says: str = "", takes_many: bool = False, is_required: bool = True) -> Slot:
    """A slot for one picture, or for several together."""
    return Slot(name=name, kinds=("image",), takes_many=takes_many, is_required=is_required, says=says)


def audio(name: str = "audio") -> Slot:
    """A slot for one recording; of a video its sound goes in."""
    return Slot(name=name, kinds=("audio",))


def video(name: str = "video") -> Slot:
    """A slot for one video."""
    return Slot(name=name, kinds=("video",))


def out(name: str, kind: Kind, says: str = "") -> OutputSpec:
    """An output; short, since the catalogue has many."""
    return OutputSpec(name=name, kind=kind, says=says)
