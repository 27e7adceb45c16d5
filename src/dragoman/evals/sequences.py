"""Distances between sequences of task names."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

__all__ = ["common_length", "indel_distance", "normalized_edit_distance"]


def common_length(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence.

    A row of the table of differences is one number, a bit for each place in `one`.
    Source: H. Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA, 2004.
    """
    places: dict[Hashable, int] = {}
    for at, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << at
    row = every = (1 << len(one)) - 1
    for item in other:
        here = row & places.get(item, 0)
        row = ((row + here) | (row - here)) & every
    return len(one) - row.bit_count()


def indel_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """1 minus the Levenshtein ratio: insertions and deletions between the two, over the sum of their lengths.

    Two empty sequences are equal. This is what TaskBench calls edit distance.
    """
    total = len(one) + len(other)
    return 0.0 if total == 0 else 1 - 2 * common_length(one, other) / total


def normalized_edit_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """The least weight of an editing path from `one` to `other` per step of the path, from 0 to 1.

    Each insertion, deletion and change weighs 1, each match 0; all are steps.
    Source: A. Marzal, E. Vidal, "Computation of normalized edit distance and applications", IEEE TPAMI 15(9), 1993.
    """
    if not one and not other:
        return 0.0
    # weights[j][k]: the least weight of a path of k steps to here; None where no path has k steps.
    above: list[list[int | None]] = [_first(j, len(one) + len(other)) for j in range(len(other) + 1)]
    for i, a in enumerate(one, 1):
        row = [_first(i, len(one) + len(other))]
        for j, b in enumerate(other, 1):
            row.append(_stepped((above[j - 1], int(a != b)), (above[j], 1), (row[j - 1], 1)))
        above = row
    return float(min(Fraction(weight, steps) for steps, weight in enumerate(above[-1]) if weight is not None and steps))


def _first(steps: int, longest: int) -> list[int | None]:
    """Along an edge of the table there is one path: `steps` insertions or deletions."""
    return [steps if at == steps else None for at in range(longest + 1)]


def _stepped(*ways: tuple[list[int | None], int]) -> list[int | None]:
    """The least weights one step further, by any of the ways (weights before it, the step's own)."""
    found: list[int | None] = [None]
    for at in range(len(ways[0][0]) - 1):
        reached = [weight + cost for weights, cost in ways if (weight := weights[at]) is not None]
        found.append(min(reached) if reached else None)
    return found
