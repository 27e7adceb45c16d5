"""Which of several things that are compared is the one compared to: it goes first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dragoman.planning.embedded.mentions import Mention
from dragoman.planning.embedded.references import Group
from dragoman.planning.embedded.words import Token
from dragoman.planning.embedded.world import Entity


def reference_first(tokens: Sequence[Token], found: Sequence[tuple[Mention, Group]]) -> Group:
    """All the entities of the mentions, the reference first: the lone one beside `like`, `to`, `with`, `than`."""
    union: Group = []
    for _, group in found:
        union += [entity for entity in group if entity not in union]
    reference = _reference(tokens, found)
    if reference is None or reference not in union:
        return union
    return [reference, *(entity for entity in union if entity != reference)]


def _reference(tokens: Sequence[Token], found: Sequence[tuple[Mention, Group]]) -> Entity | None:
    singles = [(mention, group[0]) for mention, group in found if len(group) == 1]
    for at in range(len(tokens)):
        if not tokens[at].has("@beside"):
            continue
        after = [entity for mention, entity in singles if mention.at > at]
        before = [entity for mention, entity in singles if mention.at < at]
        if len(after) == 1:
            return after[0]
        if len(after) > 1 and tokens[-1].low in ("does", "do") and any(token.has("@than") for token in tokens):
            return after[0]  # `does b resemble a more than c does?`
        if len(before) == 1 and len(after) > 1:
            return before[0]
    return _alone(tokens, singles)


def _alone(tokens: Sequence[Token], singles: Sequence[tuple[Mention, Entity]]) -> Entity | None:
    """The one thing that no conjunction joins to another: `which of b and c is a most like`."""
    joined: set[int] = set()
    places = [mention.at for mention, _ in singles]
    for first, second in pairwise(places):
        if (
            any(token.has("@and", "@or") or token.low in ("/", ",") for token in tokens[first + 1 : second])
            and second - first <= 3
        ):
            joined |= {first, second}
    lone = [entity for mention, entity in singles if mention.at not in joined]
    return lone[0] if len(lone) == 1 and joined else None
