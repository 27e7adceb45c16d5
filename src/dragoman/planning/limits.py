"""How many repairs and faults of one plan are told: enough for any honest one."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.values import Repair

__all__ = ["MAX_FAULTS", "MAX_REPAIRS", "bounded"]

MAX_FAULTS = 100
MAX_REPAIRS = 400


def bounded(repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """The repairs; past a number that no honest plan needs, only how many more there were."""
    more = len(repairs) - MAX_REPAIRS
    if more <= 0:
        return tuple(repairs)
    return (*repairs[:MAX_REPAIRS], Repair(task=None, found=f"{more} more of such", did="mended them alike"))
