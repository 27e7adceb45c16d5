"""Whether a clause asks, wants, or only tells: what is only told is no task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dragoman.planning.embedded.words import Token

Mood = Literal["request", "question", "statement"]
_LEADING = (
    "@and",
    "@but",
    "@then",
    "@also",
    "@polite",
    "@please",
    "@only",
    "@first_of_all",
    "@finally",
    "@hello",
    "@ok",
    "@thanks",
)


def mood_of(run: Sequence[Token], *, is_asked: bool, after: Mood | None) -> Mood:
    """The mood of a clause. is_asked: its sentence ends in a question mark; after: the mood of the clause before."""
    opening = _opening(run)
    if not opening:
        return "request"
    first, following = opening[0], (opening[1] if len(opening) > 1 else None)
    if any(token.has("@please") for token in run) or _offers(run):
        return "request"
    if first.has("@wh", "@how_many"):
        return "question"
    if first.has("@aux", "@be") and is_asked:
        return "question"
    if _wishes(run):
        return "request"
    if _tells(opening, following):
        return "statement"
    if after == "statement" and not first.has("%verb", "@not"):
        return "statement"
    return "request"


def _opening(run: Sequence[Token]) -> list[Token]:
    """The run without what only leads in; a helping verb before a subject stays."""
    at = 0
    while at < len(run):
        token, following = run[at], (run[at + 1] if at + 1 < len(run) else None)
        is_question = token.has("@aux", "@be") and following is not None and not following.has("@aux", "%verb", "@you")
        if token.kind == "mark" or (token.has(*_LEADING) and not is_question and not token.has("@wh", "@want")):
            at += max(token.reach.values(), default=1)
        else:
            break
    return list(run[at:])


def _offers(run: Sequence[Token]) -> bool:
    """`could you …`, `if you can …`, `you should …`: the listener is to do it."""
    for at in range(len(run) - 1):
        pair = (run[at], run[at + 1])
        if any(t.has("@you") for t in pair) and any(t.has("@aux") and not t.has("@be") for t in pair):
            return True
    return False


def _wishes(run: Sequence[Token]) -> bool:
    """`I want …`, `I'd like …`, `this needs …`, `it would be great …`."""
    return any(token.has("@want") for token in run[:8])


def _is_third_person(token: Token) -> bool:
    return token.has("%actions") and not token.has("%verb", "%things") and token.low.endswith("s")


def _tells(opening: Sequence[Token], following: Token | None) -> bool:
    first = opening[0]
    if first.has("@i") and not first.has("@its"):
        return True
    if first.has("@there", "@it", "@they") and not first.has("@det"):
        return following is not None and (following.has("@be", "@aux", "@cannot") or "'" in first.low)
    if first.has("%verb"):
        return False
    if (
        first.kind in ("file", "url")
        or first.has("@det", "@its")
        or first.symbols <= {first.low, "%guess", "%plural"}
        or first.has("%things")
    ):
        return any(t.has("@be", "@cannot") or _is_third_person(t) for t in opening[1:8]) or any(
            t.low.endswith("ed") and t.symbols == frozenset((t.low,)) for t in opening[1:5]
        )
    return False
