"""What a metric counts, case by case, and how sure its value is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import mul

from dragoman.values import Value

__all__ = [
    "Estimate",
    "Tally",
    "estimates",
    "f1_of",
    "mean_of",
    "plain_sums_of",
    "precision_of",
    "recall_of",
    "sums_of",
]

Row = tuple[float, ...]
_AT_ONCE = 100  # resamples: 100 x 7,500 cases take 6 MB


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """One row of counts a case, and how the sums of the rows become the metric's value (None: nothing to tell).

    A case that the metric passes over has a row of zeros, so that all tallies of a group have the same cases.
    """

    rows: Sequence[Row]
    finish: Callable[[Sequence[float]], float | None]

    def value(self) -> float | None:
        """The metric over all cases."""
        return self.finish([sum(column) for column in zip(*self.rows, strict=True)]) if self.rows else None


class Estimate(Value, frozen=True, kw_only=True):
    """A metric's value and its 95 % bootstrap interval; None where there is nothing to tell."""

    value: float | None
    low: float | None = None
    high: float | None = None


def precision_of(sums: Sequence[float]) -> float | None:
    """Of (right, wrong, missed): the share of what was said that is right."""
    return sums[0] / (sums[0] + sums[1]) if sums[0] + sums[1] else _of_nothing(sums)


def recall_of(sums: Sequence[float]) -> float | None:
    """Of (right, wrong, missed): the share of what was wanted that was said."""
    return sums[0] / (sums[0] + sums[2]) if sums[0] + sums[2] else _of_nothing(sums)


def f1_of(sums: Sequence[float]) -> float | None:
    """Of (right, wrong, missed): the harmonic mean of precision and recall."""
    return 2 * sums[0] / (2 * sums[0] + sums[1] + sums[2]) if any(sums) else None


def mean_of(sums: Sequence[float]) -> float | None:
    """Of (sum, count): the mean."""
    return sums[0] / sums[1] if sums[1] else None


def _of_nothing(sums: Sequence[float]) -> float | None:
    """Nothing was said, or nothing was wanted: 0 as scikit-learn has it, unless there was neither."""
    return 0.0 if any(sums) else None


def estimates(tallies: Mapping[str, Tally], *, resamples: int, seed: int) -> dict[str, Estimate]:
    """Each tally's value with a 95 % interval: percentiles over cases drawn again with replacement.

    The same draws serve all tallies. Source: B. Efron, "Bootstrap methods: another look at the jackknife", 1979.
    """
    cases = max((len(tally.rows) for tally in tallies.values()), default=0)
    draws = _draws(cases, resamples=resamples if cases > 1 else 0, seed=seed)
    drawn: dict[str, list[float]] = {name: [] for name in tallies}
    for sums in sums_of(tallies, draws, cases=cases):
        for name, tally in tallies.items():
            value = tally.finish(sums[name])
            if value is not None:
                drawn[name].append(value)
    return {name: _estimate(tally.value(), sorted(drawn[name])) for name, tally in tallies.items()}


def _draws(cases: int, *, resamples: int, seed: int) -> Iterator[list[int]]:
    """The places of the cases that were drawn, for every resample."""
    rng = random.Random(seed)  # noqa: S311 - not a secret: repeatable on purpose
    for _ in range(resamples):
        yield rng.choices(range(cases), k=cases)


def sums_of(
    tallies: Mapping[str, Tally], draws: Iterable[list[int]], *, cases: int
) -> Iterator[dict[str, Sequence[float]]]:
    """The sums of each tally's columns, for every draw."""
    try:
        import numpy as np
    except ImportError:
        yield from plain_sums_of(tallies, draws, cases=cases)
        return
    counts = (
        np.hstack([np.asarray(tally.rows, dtype=float) for tally in tallies.values()]) if tallies else np.zeros((0, 0))
    )
    widths = [len(tally.rows[0]) if tally.rows else 0 for tally in tallies.values()]
    while places := list(islice(draws, _AT_ONCE)):
        weights = np.asarray([np.bincount(row, minlength=cases) for row in places], dtype=float)
        for sums in (weights @ counts).tolist():
            at = iter(sums)
            yield {name: list(islice(at, width)) for name, width in zip(tallies, widths, strict=True)}


def plain_sums_of(
    tallies: Mapping[str, Tally], draws: Iterable[list[int]], *, cases: int
) -> Iterator[dict[str, Sequence[float]]]:
    """The same without numpy, which no core install has: slower by far where there are thousands of cases."""
    columns = {name: [list(column) for column in zip(*tally.rows, strict=True)] for name, tally in tallies.items()}
    for places in draws:
        weights = [0] * cases
        for at in places:
            weights[at] += 1
        yield {name: [sum(map(mul, weights, column)) for column in columns[name]] for name in tallies}


def _estimate(value: float | None, drawn: Sequence[float]) -> Estimate:
    if value is None or not drawn:
        return Estimate(value=value)
    return Estimate(value=value, low=drawn[int(0.025 * (len(drawn) - 1))], high=drawn[round(0.975 * (len(drawn) - 1))])
