"""TaskBench's metrics: node, edge, argument-type and argument-value F1, edit distance, step ROUGE.

Published: as `taskbench/evaluate.py` of JARVIS computes them (see `readings`): plans that can't be read are left out,
and invented tool names don't count. Strict: they score zero and count against.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence, Set
from functools import partial

from dragoman.evals.graphs import Case, Graph
from dragoman.evals.readings import Form, Reading, readings_of
from dragoman.evals.rouge import ROUGES, rouge
from dragoman.evals.sequences import indel_distance
from dragoman.evals.tallies import Row, Tally, f1_of, mean_of, precision_of, recall_of
from dragoman.evals.tools import ToolList

__all__ = ["taskbench_tallies"]

_Pair = tuple[Reading, Reading] | None
_NOTHING: Row = (0, 0, 0)


def taskbench_tallies(
    cases: Sequence[Case], predictions: Sequence[Graph | None], *, tools: ToolList, form: Form
) -> dict[str, Tally]:
    """The metrics by name. predictions: one a case, None where no plan could be read. Scores are from 0 to 1."""
    pairs = [readings_of(c.gold, p, tools=tools, form=form) for c, p in zip(cases, predictions, strict=True)]
    known = frozenset(tools.names) if form == "published" else None
    nodes = _counted(pairs, lambda reading: frozenset(reading.names), among=known)
    links = _counted(pairs, lambda reading: reading.links)
    tallies = {
        "node F1": Tally(rows=nodes, finish=f1_of),
        "node precision": Tally(rows=nodes, finish=precision_of),
        "node recall": Tally(rows=nodes, finish=recall_of),
        "node F1, mean over tools": Tally(rows=_by_tool(pairs, tools.names), finish=_mean_f1),
        "edge F1": Tally(rows=links, finish=f1_of),
    }
    if any(case.gold.has_arguments for case in cases):
        tallies["argument-type F1"] = Tally(rows=_counted(pairs, lambda reading: reading.types), finish=f1_of)
        tallies["argument-value F1"] = Tally(rows=_counted(pairs, lambda reading: reading.values), finish=f1_of)
    distance = partial(_distance, known=known)
    tallies["edit distance"] = Tally(rows=[(distance(*pair), 1) if pair else (0, 0) for pair in pairs], finish=mean_of)
    if any(case.gold.steps for case in cases):
        tallies |= _step_tallies(cases, predictions, form=form)
    return tallies


def _counted(
    pairs: Sequence[_Pair], of: Callable[[Reading], Set[Hashable]], *, among: Collection[Hashable] | None = None
) -> list[Row]:
    """(right, wrong, missed) a case, over sets; `among`: only these count."""
    rows: list[Row] = []
    for pair in pairs:
        if pair is None:
            rows.append(_NOTHING)
            continue
        gold, said = of(pair[0]), of(pair[1])
        if among is not None:
            gold, said = gold & frozenset(among), said & frozenset(among)
        rows.append((len(gold & said), len(said - gold), len(gold - said)))
    return rows


def _by_tool(pairs: Sequence[_Pair], names: Sequence[str]) -> list[Row]:
    """(right, wrong, missed) of each tool in turn."""
    rows: list[Row] = []
    for pair in pairs:
        gold, said = (set(pair[0].names), set(pair[1].names)) if pair else (set[str](), set[str]())
        counts = ((n in gold and n in said, n in said and n not in gold, n in gold and n not in said) for n in names)
        rows.append(tuple(int(count) for three in counts for count in three))
    return rows


def _mean_f1(sums: Sequence[float]) -> float | None:
    """The mean over all tools of the list, those that nobody used counting 0, as in the published program."""
    scores = [f1_of(sums[at : at + 3]) or 0.0 for at in range(0, len(sums), 3)]
    return sum(scores) / len(scores) if scores and any(sums) else None


def _distance(gold: Reading, said: Reading, *, known: Collection[str] | None) -> float:
    """Published, all names that the list doesn't hold are one and the same."""
    if known is None:
        return indel_distance(said.names, gold.names)
    return indel_distance([n if n in known else "" for n in said.names], [n if n in known else "" for n in gold.names])


def _step_tallies(cases: Sequence[Case], predictions: Sequence[Graph | None], *, form: Form) -> dict[str, Tally]:
    columns: list[list[Row]] = [[] for _ in ROUGES]
    for case, prediction in zip(cases, predictions, strict=True):
        is_out = not case.gold.steps or (form == "published" and (prediction is None or prediction.steps is None))
        said = "\n".join(prediction.steps or ()) if prediction else ""
        scores = (0.0,) * len(ROUGES) if is_out else rouge(said, "\n".join(case.gold.steps or ()))
        for column, score in zip(columns, scores, strict=True):
            column.append((score, 0 if is_out else 1))
    return {f"step {name}": Tally(rows=rows, finish=mean_of) for name, rows in zip(ROUGES, columns, strict=True)}
