"""Which of a clause's cues become tasks: types decide between readings, stronger cues beat those that overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import Hit
from dragoman.planning.embedded.world import BRIDGES, World
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import KINDS, Kind

_ENOUGH = 0.95
_GENERATES = frozenset(("text-to-image", "text-to-video", "text-generation"))
_COERCED = {("video", "audio"), ("video", "image"), ("document", "text"), ("data", "text")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One task that the request asks for, found in `clause`."""

    task: str
    clause: Clause
    score: float
    covers: tuple[int, ...] = ()

    @property
    def at(self) -> int:
        """Where its cue begins in the clause."""
        return self.covers[0] if self.covers else 0


def content_slots(spec: TaskSpec) -> tuple[tuple[Kind, ...], ...]:
    """The kinds of each slot that a task works on: required ones, without the question that the words themselves are."""
    return tuple(slot.kinds for slot in spec.slots if slot.is_required and "question" not in slot.says)


def level(spec: TaskSpec, kinds: set[Kind]) -> float:
    """How well things of these kinds serve the task: 1 directly, 0.7 as they can be read, 0.2 by a helper, -1 not at all."""
    levels: list[float] = []
    for wanted in content_slots(spec):
        if kinds & set(wanted):
            levels.append(1.0)
        elif any((have, want) in _COERCED for have in kinds for want in wanted):
            levels.append(0.7)
        elif any((have, want) in BRIDGES for have in kinds for want in wanted):
            levels.append(0.2)
        else:
            levels.append(-1.0)
    return min(levels, default=0.0)


def mentioned_kinds(clause: Clause, world: World) -> tuple[set[Kind], set[Kind]]:
    """The kinds of the files that the clause names, and of its nouns."""
    files: set[Kind] = set()
    nouns: set[Kind] = set()
    for token in clause.tokens:
        if token.kind in ("file", "url"):
            entity = world.named(token.text)
            files |= {entity.kinds[0]} if entity else ({token.file_kind} if token.file_kind else set[Kind]())
        elif token.kind == "quote":
            nouns.add("text")
        elif token.has("%things"):
            nouns |= {cast("Kind", s[1:]) for s in token.symbols if s[0] == "#" and s[1:] in KINDS}
    return files, nouns


def fitted(hit: Hit, clause: Clause, world: World, made: set[Kind]) -> float:
    """The hit's score with how well its task fits what the clause names and what there is."""
    spec = SPECS[hit.task]
    files, nouns = mentioned_kinds(clause, world)
    there: set[Kind] = {e.kinds[0] for e in world.resources} | made
    there |= set[Kind]() if there - {"text"} else {e.kinds[0] for e in world.past}
    score = hit.score
    if hit.task in _GENERATES or hit.task == "conversational":
        return score + 0.1
    if files:
        score += 0.5 * level(spec, files)
    elif nouns:
        score += 0.25 * level(spec, nouns)
    if there:
        score += 0.35 * max(level(spec, there), -1.0)
    return score


def chosen(hits: Sequence[Hit], clause: Clause, world: World, made: set[Kind]) -> list[Finding]:
    """The findings of a clause in the order of its words. made: kinds that earlier tasks of the plan make."""
    scored = sorted(((fitted(h, clause, world, made), h) for h in hits if not _is_negated(h, clause)), key=_by_strength)
    taken: list[tuple[float, Hit]] = []
    for score, hit in scored:
        if score < _ENOUGH and taken:
            continue
        if any(set(hit.covers) & set(other.covers) for _, other in taken) or _is_inside_prompt(hit, taken):
            continue
        taken.append((score, hit))
    findings = [Finding(task=h.task, clause=clause, score=s, covers=h.covers) for s, h in taken]
    return sorted(findings, key=lambda f: f.at)


def _by_strength(pair: tuple[float, Hit]) -> tuple[float, int, int, str]:
    score, hit = pair
    return (-round(score, 3), -len(hit.covers), hit.at, hit.task)


def _is_negated(hit: Hit, clause: Clause) -> bool:
    """Whether the cue stands in a negation's scope and doesn't itself hold the negation (`no noise`)."""
    covered_not = any(clause.tokens[at].has("@not") for at in hit.covers)
    return not covered_not and any(at in clause.negated for at in hit.covers)


def _is_inside_prompt(hit: Hit, taken: Sequence[tuple[float, Hit]]) -> bool:
    """Whether the cue belongs to the description of something that is to be made: `paint a sign that says hello`."""
    return any(other.task in _GENERATES and hit.at > other.at for _, other in taken)
