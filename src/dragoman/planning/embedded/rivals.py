"""Which cues of one clause stand side by side and which are readings of the same words, so that only one may win."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import Hit
from dragoman.planning.embedded.fits import GENERATES, content_slots
from dragoman.planning.embedded.world import BRIDGES
from dragoman.tasks import SPECS

# Verbs and small words that several cues may share: `give me the names and the mood`.
_SHARED = ("@give", "@want", "@find", "@make", "@extract", "@i", "@you", "@polite", "@of", "@to")
# Steps that a clause adds without a conjunction: `… aloud`, `… in French`.
_STEPS = frozenset(("text-to-speech", "translation"))
# Products that the description of something to be made may name: `illustrate the summary`.
_TOLD = frozenset(("summarization", "translation"))
_PAUSES = frozenset((",", "，", "、", "/", "+", "&"))
_LINKS = ("@and", "@then", "@before", "@after", "@with")


def excludes(stronger: Hit, hit: Hit, clause: Clause) -> bool:
    """Whether `hit` can't be asked for beside a stronger cue that was taken."""
    return hit.task == stronger.task or _is_conflict(hit, stronger, clause) or _is_rival(hit, stronger, clause)


def _is_conflict(one: Hit, other: Hit, clause: Clause) -> bool:
    """Whether two cues rest on the same words."""
    if _makes_new(one.task) and _makes_new(other.task):
        return True
    shared = set(one.covers) & set(other.covers)
    if any(not clause.tokens[at].has(*_SHARED) for at in shared):
        return True
    return bool(shared) and shared in (set(one.covers), set(other.covers))


def _is_rival(hit: Hit, stronger: Hit, clause: Clause) -> bool:
    """Whether a weaker cue reads the same part of the clause another way: nothing joins the two."""
    if hit.task in _STEPS or stronger.task in _STEPS or _names_product(hit, clause) or _names_product(stronger, clause):
        return False
    if feeds(hit, stronger) or feeds(stronger, hit):
        return False
    opening, following = (hit, stronger) if hit.at <= stronger.at else (stronger, hit)
    if opening.covers[-1] > following.at or are_kin(hit.task, stronger.task):
        return True
    links = _LINKS if len(opening.covers) == 1 else (*_LINKS, "@wh")
    between = clause.tokens[opening.at + 1 : following.at + 1]
    return not any(token.has(*links) or token.low in _PAUSES for token in between)


def are_kin(one: str, other: str) -> bool:
    """Whether two tasks take and make the same: sorting into its own classes and into given ones."""
    if one == other:
        return True
    first, second = SPECS[one], SPECS[other]
    names = [[output.name for output in spec.outputs] for spec in (first, second)]
    return (
        names[0] == names[1] and names[0] not in (["text"], ["image"]) and content_slots(first) == content_slots(second)
    )


def feeds(helper: Hit, other: Hit) -> bool:
    """Whether one cue reads or hears the text that the other works on: `summarize the text in page.png`."""
    helpers = BRIDGES.values()
    takes_text = any("text" in kinds for kinds in content_slots(SPECS[other.task]))
    return helper.task in helpers and other.task not in helpers and takes_text


def _names_product(hit: Hit, clause: Clause) -> bool:
    """Whether the cue rests on a noun for the task's product: `the transcript`, `a summary`."""
    return any(s[0] == ">" and hit.task in s for at in hit.covers for s in clause.tokens[at].symbols)


def _makes_new(task: str) -> bool:
    return task in GENERATES or task.endswith("-text-to-image")


def is_inside_prompt(hit: Hit, taken: Sequence[Hit]) -> bool:
    """Whether the cue belongs to the description of something that is to be made: `paint a sign that says hello`."""
    if hit.task in _TOLD:
        return False
    return any(other.task in GENERATES and hit.at > other.at and other.pattern.weight >= 1.0 for other in taken)
