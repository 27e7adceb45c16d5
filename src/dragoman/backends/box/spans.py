"""From chances over time to spans of time: where something starts, lasts and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Span = tuple[float, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """How chances become spans.

    enter, leave: a span begins at `enter` and lasts until the chance is below `leave`. least_s: shorter spans go.
    gap_s: spans that are nearer than this are one. pad_s: what is added at either end.
    """

    enter: float = 0.5
    leave: float = 0.35
    least_s: float = 0.2
    gap_s: float = 0.3
    pad_s: float = 0.08


def spans(chances: Sequence[float], *, step_s: float, duration_s: float, rules: Rules) -> list[Span]:
    """Where `chances` (one every `step_s`) say that it is there, in seconds, in order, apart from one another."""
    found: list[Span] = []
    for start, end in _runs(chances, rules):
        begin_s, end_s = start * step_s, min(end * step_s, duration_s)
        if found and begin_s - found[-1][1] < rules.gap_s:
            found[-1] = (found[-1][0], end_s)
        else:
            found.append((begin_s, end_s))
    kept = [(start, end) for start, end in found if end - start >= rules.least_s]
    return [(max(0.0, start - rules.pad_s), min(duration_s, end + rules.pad_s)) for start, end in kept]


def bounded(found: Sequence[Span], chances: Sequence[float], *, step_s: float, most_s: float) -> list[Span]:
    """`found` with every span longer than `most_s` cut where, in its second half, the chance is least."""
    parts: list[Span] = []
    for start, end in found:
        at = start
        while end - at > most_s:
            first, last = int((at + most_s / 2) / step_s), int((at + most_s) / step_s)
            cut = min(range(first, min(last, len(chances))), key=lambda index: chances[index]) * step_s
            parts.append((at, cut))
            at = cut
        parts.append((at, end))
    return parts


def grouped(found: Sequence[Span], *, most_s: float, gap_s: float) -> list[Span]:
    """`found` joined to longer spans of at most `most_s`, as long as less than `gap_s` lies between."""
    groups: list[Span] = []
    for start, end in found:
        if groups and end - groups[-1][0] <= most_s and start - groups[-1][1] < gap_s:
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((start, end))
    return groups


def as_segments(found: Sequence[Span]) -> list[dict[str, float]]:
    """Spans as `voice-activity-detection` gives them back."""
    return [{"start_s": round(start, 2), "end_s": round(end, 2)} for start, end in found]


def _runs(chances: Sequence[float], rules: Rules) -> list[tuple[int, int]]:
    """Indices (first, behind the last) of the stretches that enter at `enter` and leave below `leave`."""
    runs: list[tuple[int, int]] = []
    begin: int | None = None
    for index, chance in enumerate(chances):
        if begin is None and chance >= rules.enter:
            begin = index
        elif begin is not None and chance < rules.leave:
            runs.append((begin, index))
            begin = None
    return runs if begin is None else [*runs, (begin, len(chances))]
