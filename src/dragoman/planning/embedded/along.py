"""Pictures made along a map: `paint a fox along the edges`, `an astronaut in the pose of p.jpg`, `… from it`."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.findings import Finding, object_of
from dragoman.planning.embedded.words import Token
from dragoman.planning.embedded.world import is_map_name

# The soft and straight kinds of edge ahead of plain edges.
_MAPLIKE = ("depth-estimation", "keypoint-detection", "image-segmentation")
_FAMILIES = ("hed", "mlsd", "normal", "openpose", "depth", "seg", "scribble", "canny")


def family_of(tokens: Sequence[Token]) -> str | None:
    """The family of condition map that the words name, or None."""
    return next((family for family in _FAMILIES if any(t.has(f"@map_{family}") for t in tokens)), None)


def along_maps(
    clause: Clause, here: Sequence[Finding], before: Sequence[str], previous: Clause | None
) -> list[Finding]:
    """The clause's findings; a picture that is to follow a map becomes the task that draws along it."""
    here = [f for f in here if not (f.task.endswith("-control") or f.task in _MAPLIKE) or not hands_over_map(clause)]
    painting = next((f for f in here if f.task == "text-to-image"), None) or _unnamed_picture(
        clause, here, points_back=hands_over_map(clause) or _made_before(clause, before, previous) is not None
    )
    if painting is None:
        return list(here)
    family = family_of(_beside(clause, painting)) or _made_before(clause, before, previous)
    if family is None:
        return list(here)
    along = Finding(
        task=f"{family}-text-to-image", clause=clause, score=max(painting.score, 1.2), covers=painting.covers
    )
    others = [f for f in here if f is not painting and not f.task.endswith("-control") and f.task not in _MAPLIKE]
    return [*others, along]


def _beside(clause: Clause, painting: Finding) -> list[Token]:
    """The clause without what is to be painted."""
    start, end = object_of(clause.tokens, painting.at)
    return [token for at, token in enumerate(clause.tokens) if not start <= at < end]


def _unnamed_picture(clause: Clause, here: Sequence[Finding], *, points_back: bool) -> Finding | None:
    """`generate a marble bust from the map`: making something that isn't called a picture."""
    if any(not f.task.endswith("-control") and f.task not in _MAPLIKE for f in here):
        return None
    for at, token in enumerate(clause.tokens):
        is_making = token.has("@make", "@paint") and token.has("%verb")
        is_turning = token.has("@to") and at > 0 and clause.has("@convert") and hands_over_map(clause)
        is_putting = token.has("%verb") and not here and points_back
        if (is_making or is_turning or is_putting) and at not in clause.negated:
            start, end = object_of(clause.tokens, at)
            if (
                end > start
                and family_of(clause.tokens[start:end]) is None
                and not any(t.has("@map", "%file") for t in clause.tokens[start:end])
            ):
                return Finding(task="text-to-image", clause=clause, score=1.2, covers=(at,))
    return _drawn_on(clause) if points_back and not here else None


def _drawn_on(clause: Clause) -> Finding | None:
    """`now a cathedral on those lines`: no verb, something on a map."""
    tokens = clause.tokens
    start = next((at for at, t in enumerate(tokens) if not t.has("@and", "@then", "@polite")), 0)
    is_named = (
        start < len(tokens) and tokens[start].has("@det") and not any(t.has("%verb", "@wh", "@be") for t in tokens)
    )
    return Finding(task="text-to-image", clause=clause, score=1.0, covers=(start,)) if is_named else None


def hands_over_map(clause: Clause) -> bool:
    """Whether a file is called a map and nothing is to be found in it: `the edge map e.png`, `the pose in pose.png`."""
    tokens = clause.tokens
    for at, token in enumerate(tokens):
        if token.kind in ("file", "url") and not any(t.has("@make", "@paint", "@find") for t in tokens):
            if at + 1 < len(tokens) and (
                tokens[at + 1].has("@be") or tokens[at + 1].low in ("holds", "contains", "shows")
            ):
                return family_of(tokens[at + 1 :]) is not None
        if token.kind not in ("file", "url") or not at:
            continue
        before = tokens[at - 1]
        if any(_ends_at(tokens, place, at) for place in range(max(0, at - 3), at)):
            return True
        if before.has("@in") and family_of(tokens[max(0, at - 3) : at]) and is_map_name(token.low):
            return True
    return False


def _ends_at(tokens: Sequence[Token], place: int, end: int) -> bool:
    """Whether a word for a map that begins at `place` ends right before `end`."""
    symbols = ("@map", *(f"@map_{family}" for family in _FAMILIES))
    return (
        tokens[place].has(*symbols) and place + max((tokens[place].reach.get(s, 1) for s in symbols), default=1) == end
    )


def _made_before(clause: Clause, before: Sequence[str], previous: Clause | None) -> str | None:
    """The family of the map made or handed over last, where the clause points back at it."""
    points_back = any(t.has("@them", "@it", "@map", "@result", "@these") and not t.has("@det") for t in clause.tokens)
    if points_back and previous is not None and hands_over_map(previous):
        return family_of(previous.tokens)
    made = next((task for task in reversed(before) if task.endswith("-control")), None)
    return made.removesuffix("-control") if made and points_back else None
