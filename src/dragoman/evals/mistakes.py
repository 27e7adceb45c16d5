"""What a planner gets wrong, by kind, with examples. For what is tuned on: who reads this has seen the gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from dragoman.evals.graphs import Case, Graph
from dragoman.evals.predictions import Prediction
from dragoman.values import Value

__all__ = ["Kind", "Mistake", "mistakes_of"]

Kind = Literal[
    "no plan",
    "refused",
    "taken for talk",
    "one tool for another",
    "a tool too few",
    "a tool too many",
    "the right tools in another order",
    "the right tools, a link too few",
    "the right tools, a link too many",
]


class Mistake(Value, frozen=True, kw_only=True):
    """One thing that is wrong in one plan. about: the tools that it is about (`A` missing; `A -> B`; `B for A`)."""

    kind: Kind
    about: str
    id: str
    words: str
    gold: str
    said: str


def mistakes_of(cases: Sequence[Case], predictions: Mapping[str, Prediction]) -> list[Mistake]:
    """Every mistake, in the order of the cases; a plan may have several."""
    return [
        Mistake(
            kind=kind, about=about, id=case.id, words=case.words, gold=_shown(case.gold), said=_said(predictions, case)
        )
        for case in cases
        for kind, about in _found(case, predictions.get(case.id))
    ]


def _found(case: Case, prediction: Prediction | None) -> Iterator[tuple[Kind, str]]:
    graph = prediction.graph if prediction else None
    if prediction is None or graph is None:
        yield "no plan", prediction.unreadable or "" if prediction else "missing"
    elif not graph.nodes and case.gold.nodes:
        if prediction.fault:
            yield "refused", ""
        else:
            yield "taken for talk", ""
    else:
        yield from _compared(case.gold, graph)


def _compared(gold: Graph, said: Graph) -> Iterator[tuple[Kind, str]]:
    wanted, found = Counter(gold.names), Counter(said.names)
    few, many = sorted((wanted - found).elements()), sorted((found - wanted).elements())
    if len(few) == 1 and len(many) == 1:
        yield "one tool for another", f"{many[0]} for {few[0]}"
        return
    for name in few:
        yield "a tool too few", name
    for name in many:
        yield "a tool too many", name
    if not few and not many:
        yield from _joined(gold, said)


def _joined(gold: Graph, said: Graph) -> Iterator[tuple[Kind, str]]:
    """What is wrong between the right tools. Out of order: before a task whose result the gold joins to it."""
    # The gold's own order says little: some data sets list a graph's tasks by the alphabet.
    places = {name: at for at, name in enumerate(said.names)}
    if any(places.get(target, len(places)) < places.get(source, -1) for source, target in gold.links):
        yield "the right tools in another order", " > ".join(said.names)
    for link in dict.fromkeys(gold.links):
        if link not in said.links:
            yield "the right tools, a link too few", " -> ".join(link)
    for link in dict.fromkeys(said.links):
        if link not in gold.links:
            yield "the right tools, a link too many", " -> ".join(link)


def _said(predictions: Mapping[str, Prediction], case: Case) -> str:
    prediction = predictions.get(case.id)
    if prediction is None:
        return ""
    return _shown(prediction.graph) if prediction.graph and prediction.graph.nodes else prediction.fault or ""


def _shown(graph: Graph) -> str:
    links = ", ".join(f"{source} -> {target}" for source, target in graph.links)
    return ", ".join(graph.names) + (f"; {links}" if links else "")
