"""Boxes around found things: which say the same, how many there are, how they are written down. Pure Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dragoman.values import Json

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels of the upright picture


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One found thing."""

    label: str
    score: float
    box: Box


def area(box: Box) -> float:
    """Square pixels, 0 for a box turned inside out."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def shared_area(one: Box, other: Box) -> float:
    """Square pixels that lie in both."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return area((left, top, right, bottom))


def overlap(one: Box, other: Box) -> float:
    """Shared area over joined area, 0..1."""
    shared = shared_area(one, other)
    return shared / max(area(one) + area(other) - shared, 1e-9)


def covered(one: Box, other: Box) -> float:
    """How much of the smaller box lies in the larger one, 0..1."""
    return shared_area(one, other) / max(min(area(one), area(other)), 1e-9)


def best_apart(found: Iterable[Found], *, same: float = 0.5, any_label: float = 0.7) -> list[Found]:
    """The found things without repeats, best first.

    Of boxes that overlap more than `same` under one label, or more than `any_label` under two, the best stays: one
    thing, one label.
    """
    kept: list[Found] = []
    for thing in sorted(found, key=lambda thing: -thing.score):
        limits = ((same if thing.label == other.label else any_label, other) for other in kept)
        if all(overlap(thing.box, other.box) <= limit for limit, other in limits):
            kept.append(thing)
    return kept


def clipped(found: Iterable[Found], *, width_px: int, height_px: int) -> list[Found]:
    """The found things inside the picture, in whole pixels; what keeps no area goes."""
    inside: list[Found] = []
    for thing in found:
        left, right = (float(round(min(max(x, 0), width_px))) for x in thing.box[::2])
        top, bottom = (float(round(min(max(y, 0), height_px))) for y in thing.box[1::2])
        if right > left and bottom > top:
            inside.append(replace(thing, box=(left, top, right, bottom)))
    return inside


def counts(found: Iterable[Found]) -> dict[str, int]:
    """How many there are of each label, most first."""
    return dict(Counter(thing.label for thing in found).most_common())


def boxes_data(found: Sequence[Found]) -> Json:
    """`{boxes: [{label, score, box}], counts: {label: n}}`."""
    boxes = [
        {"label": thing.label, "score": round(thing.score, 4), "box": [int(edge) for edge in thing.box]}
        for thing in found
    ]
    return {"boxes": boxes, "counts": counts(found)}
