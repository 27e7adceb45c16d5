"""The HuggingGPT paper's metrics of planning (section 4.3, tables 3 to 7): only the tasks' names are looked at.

No program was published; how the figures were computed is read off them. In table 3 GPT-3.5's recall equals its
accuracy, the others' is higher, and Alpaca-7b's F1 lies below precision and recall: so these are averages over tasks,
weighted by how often gold has them, over the plans that could be read, and accuracy is over all. In tables 4 and 5 F1
is the harmonic mean of precision and recall: totals. Edit distance is that of the paper's source, Marzal and Vidal.
Strict: totals everywhere, and a plan that can't be read is an empty one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from dragoman.evals.graphs import Case, Graph, Shape
from dragoman.evals.readings import Form
from dragoman.evals.sequences import normalized_edit_distance
from dragoman.evals.tallies import Row, Tally, f1_of, mean_of, precision_of, recall_of

__all__ = ["paper_tallies"]

_Finish = Callable[[Sequence[float]], float | None]


def paper_tallies(
    cases: Sequence[Case], predictions: Sequence[Graph | None], *, shape: Shape, form: Form
) -> dict[str, Tally]:
    """The metrics of the paper for requests of one shape, by name; scores are from 0 to 1.

    Accuracy: the very task (single), the very sequence (chain), the same tasks with the same links (dag).
    """
    pairs = list(zip(cases, predictions, strict=True))
    tallies = {"accuracy": Tally(rows=[(_is_right(case, said, shape), 1) for case, said in pairs], finish=mean_of)}
    if shape == "single" and form == "published":
        tallies |= _weighted(pairs)
    else:
        rows = [_counts(case.gold, said, form=form) for case, said in pairs]
        tallies |= {name: Tally(rows=rows, finish=finish) for name, finish in _FINISHES.items()}
    if shape == "chain":
        tallies["edit distance"] = Tally(
            rows=[_distance(case, said, form=form) for case, said in pairs], finish=mean_of
        )
    return tallies


_FINISHES: dict[str, _Finish] = {"precision": precision_of, "recall": recall_of, "F1": f1_of}


def _is_right(case: Case, said: Graph | None, shape: Shape) -> bool:
    if said is None:
        return False
    if shape == "dag":
        return Counter(said.names) == Counter(case.gold.names) and set(said.links) == set(case.gold.links)
    return said.names == case.gold.names


def _counts(gold: Graph, said: Graph | None, *, form: Form) -> Row:
    """(right, wrong, missed) tasks, each counted as often as it stands there."""
    if said is None and form == "published":
        return (0, 0, 0)
    wanted, found = Counter(gold.names), Counter(said.names if said else ())
    return ((wanted & found).total(), (found - wanted).total(), (wanted - found).total())


def _distance(case: Case, said: Graph | None, *, form: Form) -> Row:
    if said is None:
        return (0, 0) if form == "published" else (1, 1)
    return (normalized_edit_distance(said.names, case.gold.names), 1)


def _weighted(pairs: Sequence[tuple[Case, Graph | None]]) -> dict[str, Tally]:
    """Averages over the tasks that gold has, weighted by how often it has them, over the plans that could be read."""
    tasks = sorted({name for case, _ in pairs for name in case.gold.names})
    rows: list[Row] = []
    for case, said in pairs:
        gold, found = (set(case.gold.names), set(said.names)) if said is not None else (set[str](), set[str]())
        counts = ((t in gold and t in found, t in found and t not in gold, t in gold and t not in found) for t in tasks)
        rows.append(tuple(int(count) for three in counts for count in three))
    return {name: Tally(rows=rows, finish=partial(_weighted_mean, of=finish)) for name, finish in _FINISHES.items()}


def _weighted_mean(sums: Sequence[float], *, of: _Finish) -> float | None:
    threes = [sums[at : at + 3] for at in range(0, len(sums), 3)]
    support = sum(right + missed for right, _, missed in threes)
    if not support:
        return None
    return sum((of(three) or 0.0) * (three[0] + three[2]) for three in threes) / support
