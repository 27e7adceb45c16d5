"""Which demonstrations a mind is shown, so many and of so many tasks: for the paper's table 7 and figure 3."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.demonstrations import Demonstration, demonstrations, nearest
from dragoman.values import Request

__all__ = ["shown"]

_DEFAULT_COUNT = 4


def shown(request: Request, *, count: int | None, variety: int | None) -> tuple[Demonstration, ...]:
    """The demonstrations nearest to the request, most like it last.

    count: how many; with a variety, by default as many as it takes. variety: how many tasks they show together: one
    more is taken only while that number isn't passed, until it is reached.
    """
    if variety is None:
        return nearest(request, count=_DEFAULT_COUNT if count is None else count)
    ordered = nearest(request, count=len(demonstrations()))[::-1]
    return tuple(reversed(_varied(ordered, count=count, variety=variety)))


def _varied(ordered: Sequence[Demonstration], *, count: int | None, variety: int) -> list[Demonstration]:
    """The first ones whose tasks stay within the variety."""
    chosen: list[Demonstration] = []
    tasks: set[str] = set()
    for demonstration in ordered:
        if len(chosen) == count or (count is None and len(tasks) == variety):
            break
        if len(tasks | set(demonstration.tasks())) <= variety:
            chosen.append(demonstration)
            tasks |= set(demonstration.tasks())
    return chosen
