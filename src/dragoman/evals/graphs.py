"""A plan as data sets write it: nodes by tool name, links by name, steps in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from dragoman.values import Json, Resource, Turn, Value

__all__ = ["SHAPES", "Case", "Graph", "Node", "Shape", "has_cycle", "shape_of"]

Shape = Literal["single", "chain", "dag"]
SHAPES: tuple[Shape, ...] = ("single", "chain", "dag")


class Node(Value, frozen=True, kw_only=True):
    """One use of a tool. arguments: as they were written, of any type; None where the record has no place for them."""

    tool: str
    arguments: tuple[Json, ...] | None = None


class Graph(Value, frozen=True, kw_only=True):
    """A plan, as it was read from a record.

    links: (source, target) by tool name. steps: None where the record has none. flaws: what makes a record irregular,
    such as a number for a name; TaskBench's own program passes over such predictions.
    """

    nodes: tuple[Node, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    steps: tuple[str, ...] | None = None
    flaws: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The tools in the order of the plan."""
        return [node.tool for node in self.nodes]

    @property
    def has_arguments(self) -> bool:
        """Whether the record tells what its nodes are given."""
        return any(node.arguments is not None for node in self.nodes)


class Case(Value, frozen=True, kw_only=True):
    """One request of a data set with its gold plan. shape: as the data set calls it, else as the links make it."""

    id: str
    words: str
    gold: Graph
    shape: Shape
    resources: tuple[Resource, ...] = ()
    history: tuple[Turn, ...] = ()


def shape_of(names: Sequence[str], links: Sequence[tuple[str, str]]) -> Shape:
    """`single` for at most one node, `chain` where the links join all nodes in one line, else `dag`."""
    if len(names) < 2:
        return "single"
    pairs = set(links)
    out, into = Counter(source for source, _ in pairs), Counter(target for _, target in pairs)
    is_line = len(pairs) == len(names) - 1 and max((*out.values(), *into.values()), default=0) <= 1
    return "chain" if is_line and not has_cycle(links) else "dag"


def has_cycle(links: Sequence[tuple[str, str]]) -> bool:
    """Whether following the links can lead back to where one was; a tool that stands twice counts as one."""
    after: dict[str, set[str]] = {}
    for source, target in links:
        after.setdefault(source, set()).add(target)
    done: set[str] = set()
    for start in after:
        waiting: list[tuple[str, bool]] = [(start, False)]
        above: set[str] = set()
        while waiting:
            name, is_left = waiting.pop()
            if is_left:
                above.discard(name)
                done.add(name)
            elif name in above:
                return True
            elif name not in done:
                above.add(name)
                waiting.append((name, True))
                waiting.extend((other, False) for other in after.get(name, ()))
    return False
