"""Pictures made along a map: `paint a fox along the edges`, `an astronaut in the pose of p.jpg`, `… from it`."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.findings import Finding
from dragoman.planning.embedded.maps import MAP_SYMBOLS, family_of, is_map_name
from dragoman.planning.embedded.vetoes import object_of
from dragoman.planning.embedded.words import Token

# Tasks whose cues name what a map shows; beside a picture that follows the map they ask for nothing else.
_MAPLIKE = ("depth-estimation", "keypoint-detection", "image-segmentation")
# What is found by these tasks serves as a map when made by those.
MADE_ALIKE = {
    "depth-estimation": "depth-control",
    "keypoint-detection": "openpose-control",
    "image-segmentation": "seg-control",
}
_SURE, _LIKELY = 1.2, 1.0


def along_maps(
    clause: Clause, here: Sequence[Finding], *, before: Sequence[str], previous: Clause | None
) -> list[Finding]:
    """The clause's findings; a picture that is to follow a map becomes the task that draws along it.

    before: the tasks of the conversation and of the plan so far. previous: the clause ahead.
    """
    is_handed = hands_over_map(clause) or calls_this_map(clause)
    kept = [finding for finding in here if not (is_handed and _reads_map(finding))]
    pointed = _pointed_at(clause, before, previous)
    painting = next((finding for finding in kept if finding.task == "text-to-image"), None)
    if painting is None and all(_reads_map(finding) for finding in kept):
        painting = _unnamed_picture(clause, is_free=not kept and (is_handed or pointed is not None))
    family = (family_of(_beside(clause, painting)) or pointed) if painting else None
    if painting is None or family is None or _draws_map(clause):
        return kept
    score = max(painting.score, _SURE)
    along = Finding(task=f"{family}-text-to-image", clause=clause, score=score, covers=painting.covers)
    return [*(finding for finding in kept if finding is not painting and not _reads_map(finding)), along]


def _reads_map(finding: Finding) -> bool:
    return finding.task.endswith("-control") or finding.task in _MAPLIKE


def _draws_map(clause: Clause) -> bool:
    """`draw the people as stick figures`: the map is what is to be drawn."""
    tokens = clause.tokens
    places = (at for at, token in enumerate(tokens) if token.has(*MAP_SYMBOLS))
    return any(before.low in ("as", "into") for at in places for before in tokens[max(0, at - 2) : at])


def _beside(clause: Clause, painting: Finding) -> list[Token]:
    """The clause without what is to be painted."""
    start, end = object_of(clause.tokens, painting.at)
    return [token for at, token in enumerate(clause.tokens) if not start <= at < end]


def _unnamed_picture(clause: Clause, *, is_free: bool) -> Finding | None:
    """`generate a marble bust from the map`: making something that isn't called a picture.

    is_free: whether the clause asks for nothing else and points at a map, so that any verb will do.
    """
    for at, token in enumerate(clause.tokens):
        is_making = token.has("%verb") and (is_free or token.has("@make", "@paint"))
        is_handed = hands_over_map(clause) or calls_this_map(clause)
        is_turned = at > 0 and clause.has("@convert") and is_handed
        is_turning = (token.has("@to") and is_turned) or (token.low == "become" and calls_this_map(clause))
        if (is_making or is_turning) and at not in clause.negated and _names_subject(clause, at):
            return Finding(task="text-to-image", clause=clause, score=_SURE, covers=(at,))
    return _drawn_on(clause) if is_free else None


def _names_subject(clause: Clause, verb: int) -> bool:
    """Whether the verb's object is something to be drawn, and neither a map nor a file."""
    start, end = object_of(clause.tokens, verb)
    return end > start and not any(token.has("%file", *MAP_SYMBOLS) for token in clause.tokens[start:end])


def _drawn_on(clause: Clause) -> Finding | None:
    """`now a cathedral on those lines`: no verb, something on a map."""
    tokens = clause.tokens
    start = next((at for at, token in enumerate(tokens) if not token.has("@and", "@then", "@polite")), 0)
    has_predicate = any(token.has("%verb", "@wh", "@be") for token in tokens)
    if has_predicate or not tokens[start].has("@det"):
        return None
    return Finding(task="text-to-image", clause=clause, score=_LIKELY, covers=(start,))


def hands_over_map(clause: Clause) -> bool:
    """Whether a file is called a map: `the edge map e.png`, `the pose in pose.png`, `stick.png is a pose`."""
    return any(
        token.kind in ("file", "url") and _is_called_map(clause.tokens, at) for at, token in enumerate(clause.tokens)
    )


def _is_called_map(tokens: Sequence[Token], at: int) -> bool:
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    is_told = after is not None and (after.has("@be") or after.low in ("holds", "contains", "shows"))
    if is_told and not any(token.has("@make", "@paint", "@find") for token in tokens):
        return family_of(tokens[at + 1 :]) is not None
    end = at - 1 if at and tokens[at - 1].has("@picture", "@file") else at
    if any(_ends_at(tokens, place, end) for place in range(max(0, end - 3), end)):
        return True
    before = tokens[at - 1] if at else None
    is_in = before is not None and before.has("@in") and before.low != "on"
    is_inside = is_in and family_of(tokens[max(0, at - 3) : at]) is not None
    # Maps are made as PNG, photographs hardly ever: `along the lines in walls.png`.
    is_found = any(token.has("@find", "@extract", "@trace", "@outline") for token in tokens)
    return is_inside and not is_found and (is_map_name(tokens[at].text) or tokens[at].text.casefold().endswith(".png"))


def _ends_at(tokens: Sequence[Token], place: int, end: int) -> bool:
    """Whether a word for a map that begins at `place` ends right before `end`."""
    reach = max((tokens[place].reach.get(symbol, 1) for symbol in MAP_SYMBOLS), default=1)
    return tokens[place].has(*MAP_SYMBOLS) and place + reach == end


def tells_map(clause: Clause) -> bool:
    """Whether the clause says that what came is a map: `here are canny edges`, `this is a depth map`."""
    tokens = clause.tokens
    at = next((at for at, token in enumerate(tokens[:4]) if token.has("@be")), 0)
    is_telling = at > 0 and tokens[at - 1].low in ("this", "these", "here", "it", "that") and not clause.is_asked
    return is_telling and not clause.has("@wh", "%verb") and _opens_with_map(tokens[at + 1 : at + 5])


def calls_this_map(clause: Clause) -> bool:
    """`from this normal map`, `this scribble should become`: what came is called a map in passing."""
    tokens = clause.tokens
    return any(
        token.low in ("this", "these") and not tokens[at - 1 if at else 0].has("@along") and _is_map_after(tokens, at)
        for at, token in enumerate(tokens)
    )


def _is_map_after(tokens: Sequence[Token], at: int) -> bool:
    following = tokens[at + 1 : at + 4]
    return bool(following) and not following[0].has("@picture") and _opens_with_map(following)


def _opens_with_map(tokens: Sequence[Token]) -> bool:
    """Whether a map is named before any preposition; a pose alone is none, a person in a picture may strike it."""
    end = next((at for at, token in enumerate(tokens) if token.has("@of", "@with", "@that", "%verb")), len(tokens))
    named = tokens[:end]
    is_seen_only = {token.low for token in named if token.has("@map_openpose")} <= {"pose", "posture", "stance"}
    family = family_of(named)
    return family is not None and not (family == "openpose" and is_seen_only)


def _pointed_at(clause: Clause, before: Sequence[str], previous: Clause | None) -> str | None:
    """The family of the map made or handed over last, where the clause points back at it."""
    if previous is not None and tells_map(previous):
        return family_of(previous.tokens)
    points = ("@them", "@it", "@map", "@result", "@these")
    is_along = clause.has("@along") and family_of(clause.tokens) is not None
    if not is_along and not any(token.has(*points) and not token.has("@det") for token in clause.tokens):
        return None
    if previous is not None and hands_over_map(previous):
        return family_of(previous.tokens)
    made = next((task for task in reversed(before) if task.endswith("-control") or task in MADE_ALIKE), None)
    return MADE_ALIKE.get(made, made).removesuffix("-control") if made else None
