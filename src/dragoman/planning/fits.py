"""Which kinds go into which slot, what a slot can be given without a task (contracts, section 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dragoman.tasks import TaskSpec
from dragoman.tasks.spec import STANDS_IN, Parameter, Slot
from dragoman.values import Arg, Given, Kind, Ref, Resource, Template

__all__ = ["Kinds", "fits_parameter", "fits_slot", "is_instruction"]

_WORDS: frozenset[Kind] = frozenset({"text"})
_DATA: frozenset[Kind] = frozenset({"data"})
_NONE: frozenset[Kind] = frozenset()


class Kinds:
    """What kinds an argument can be, given the run's resources and the specs of the tasks that it refers to."""

    def __init__(self, *, resources: Iterable[Resource], producers: Mapping[int, TaskSpec]) -> None:
        self.resources = {resource.name: resource for resource in resources}
        self.producers = producers

    def of(self, arg: Arg) -> frozenset[Kind]:
        """The kinds that a single argument is offered in; empty for a name or a task that is not there."""
        if isinstance(arg, Given):
            resource = self.resources.get(arg.name)
            return frozenset((resource.kind,)) if resource else _NONE
        if isinstance(arg, Ref):
            return self._of_output(arg)
        if isinstance(arg, (str, int, float, bool, Template)):
            return _WORDS
        return _NONE

    def _of_output(self, ref: Ref) -> frozenset[Kind]:
        spec = self.producers.get(ref.task)
        if spec is None:
            return _NONE
        picked: frozenset[Kind] = frozenset(output.kind for output in spec.outputs if output.name == ref.pick)
        if picked:
            return picked
        kinds: frozenset[Kind] = frozenset(output.kind for output in spec.outputs)
        # A pick that is neither an output's name nor a number is a label inside data.
        return kinds if ref.pick is None or ref.pick.isdigit() else kinds & _DATA


def fits_slot(kinds: frozenset[Kind], slot: Slot, *, directly: bool = False) -> bool:
    """Whether something of these kinds can go into the slot; `directly`: as it is, with no coercion."""
    if kinds & set(slot.kinds):
        return True
    return not directly and any(kind in STANDS_IN.get(into, ()) for into in slot.kinds for kind in kinds)


def fits_parameter(arg: Arg, parameter: Parameter, *, kinds: frozenset[Kind]) -> bool:
    """Whether this can be the value of a named parameter: a plain value, or a Ref to data or words."""
    if isinstance(arg, (Ref, Given)):
        return bool(kinds & {"data", "text"})
    if isinstance(arg, Template):
        return parameter.type in ("string", "list")
    return parameter.type != "integer" or isinstance(arg, int)


def is_instruction(slot: Slot, spec: TaskSpec) -> bool:
    """Whether the slot's words say what is wanted (a question, a description) rather than being the content."""
    others = [other for other in spec.slots if other.name != slot.name and other.is_required]
    return slot.kinds == ("text",) and slot.name == "text" and bool(others)
