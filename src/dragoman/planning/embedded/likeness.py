"""Which of several things that are compared is the one compared to: it goes first."""

from __future__ import annotations

from collections.abc import Sequence

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
    for at in range(len(tokens) - 1, -1, -1):
        if not tokens[at].has("@beside"):
            continue
        after = [entity for mention, entity in singles if mention.at > at]
        before = [entity for mention, entity in singles if mention.at < at]
        if len(after) == 1:
            return after[0]
        if len(before) == 1 and after:
            return before[0]
    return None
