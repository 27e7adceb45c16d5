"""Cues that ask for nothing: negated ones, and nouns that only name what is there already."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import Hit
from dragoman.planning.embedded.maps import MAP_SYMBOLS
from dragoman.planning.embedded.rivals import feeds
from dragoman.planning.embedded.words import Token
from dragoman.planning.embedded.world import BRIDGES, World

_HEARING = ("@aloud", "@read", "@say", "@listen", "hear")
_CLEAR = 0.95


def is_asked(hit: Hit, hits: Sequence[Hit], clause: Clause, *, world: World, seen: set[str]) -> bool:
    """Whether the cue asks for its task. seen: tasks whose products the words may only refer to."""
    if _is_negated(hit, clause) or _draws_findings(hit, clause) or _is_past(hit, clause):
        return False
    return hit.task not in seen or not _is_reference(hit, hits, clause, world=world)


def _is_negated(hit: Hit, clause: Clause) -> bool:
    """Whether the cue stands in a negation's scope and doesn't itself hold the negation (`no noise`)."""
    holds_negation = any(clause.tokens[at].has("@not") for at in hit.covers)
    return not holds_negation and any(at in clause.negated for at in hit.covers)


def _is_past(hit: Hit, clause: Clause) -> bool:
    """`the text you just read`: the verb tells which thing is meant and asks for nothing."""
    at = hit.covers[0]
    tokens = clause.tokens
    before = at - 2 if at and tokens[at - 1].low in ("just", "already", "have", "had") else at - 1
    is_told = before > 0 and tokens[before].low in ("you", "we", "i") and tokens[before - 1].has("%things")
    return is_told and len(hit.covers) == 1 and tokens[at].has("%actions")


def object_of(tokens: Sequence[Token], verb: int) -> tuple[int, int]:
    """Where the object of the verb at `verb` stands: up to a preposition that leads away from it, or the end."""
    start = verb + max(tokens[verb].reach.values(), default=1)
    while start < len(tokens) and tokens[start].has("@i", "@polite", "@please", "@det"):
        start += 1
    ends = ("@of", "@along", "@to", "@that", "@and", "@with", "@from")
    end = start
    while end < len(tokens) and tokens[end].kind != "mark" and not tokens[end].has(*ends):
        end += 1
    return start, end


def _draws_findings(hit: Hit, clause: Clause) -> bool:
    """`draw the edges`, `make a depth map`: what is drawn is found in a picture and not made up."""
    if hit.task != "text-to-image":
        return False
    verb = next((at for at in hit.covers if clause.tokens[at].has("%actions")), hit.covers[0])
    start, end = object_of(clause.tokens, verb)
    shown = clause.tokens[end + 1 : end + 4] if end < len(clause.tokens) and clause.tokens[end].has("@with") else ()
    found = any(token.has("@box", "@maskthing", *MAP_SYMBOLS) for token in clause.tokens[start:end])
    return found or any(token.has("@box", "@maskthing") for token in shown)


def _is_reference(hit: Hit, hits: Sequence[Hit], clause: Clause, *, world: World) -> bool:
    """Whether the cue only names what is there already: `the summary`, `the cleaned sound`, `what he says`."""
    covered = [clause.tokens[at] for at in hit.covers]
    if (
        hit.task == "translation"
        and any(t.has("hear", "@aloud", "@listen") for t in clause.tokens)
        and not any(t.has("@translate") for t in covered)
    ):
        return True
    is_hearing = any(token.has(*_HEARING) for token in clause.tokens)
    if hit.task == "token-classification" and not any(t.has("@wh", "@find", "@extract") for t in covered):
        verbs = [t for t in covered if t.has("@give", "@label", "@count") and not t.has("%plural")]
        return is_hearing or not verbs
    has_verb = any(token.has("%verb") and not token.has("@give", "@find", "@know") for token in covered)
    if not has_verb and (_is_heard(hit, hits, world) or _is_participle(covered)):
        return True
    if any(_is_telling_verb(token, is_hearing=is_hearing) for token in covered):
        return False
    nouns = [at for at in hit.covers if any(s[0] == ">" and hit.task in s for s in clause.tokens[at].symbols)]
    return bool(nouns) and not any(t.low in ("a", "an") for t in clause.tokens[max(0, nouns[0] - 3) : nouns[0]])


def _is_heard(hit: Hit, hits: Sequence[Hit], world: World) -> bool:
    """Whether the text was read or heard in an earlier turn, nothing new came, and the clause wants something of it."""
    if hit.task not in BRIDGES.values() or world.resources:
        return False
    is_old = any(entity.made_by == hit.task for entity in world.past)
    return is_old and any(feeds(hit, other) and other.score >= _CLEAR for other in hits)


def _is_participle(covered: Sequence[Token]) -> bool:
    """`the enhanced audio`: the verb stands as an adjective."""
    return any(token.has("%actions") and token.low.endswith("ed") for token in covered)


def _is_telling_verb(token: Token, *, is_hearing: bool) -> bool:
    """Whether a verb of the cue asks for the task anew, and not just to hear its product."""
    if not token.has("%actions") or token.has("%things"):
        return False
    return not (is_hearing and token.has("@give", "@read", "@listen"))
