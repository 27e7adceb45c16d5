"""How well a task's slots fit what there is: direct, as it can be read, by a helper step, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import Hit
from dragoman.planning.embedded.world import BRIDGES, Entity, World
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import KINDS, Kind

GENERATES = frozenset(("text-to-image", "text-to-video", "text-generation"))
# Below this weight a cue is a bare noun that counts only where nothing else is found.
WEAK = 0.7
_COERCED = {("video", "audio"), ("video", "image"), ("document", "text"), ("data", "text")}
_DIRECT, _READ, _HELPED, _NOT = 1.0, 0.7, 0.2, -1.0
# Measured on the tuning half of the paraphrases: what the clause names says more than what merely lies there.
_BY_FILE, _BY_NOUN, _BY_PRESENCE, _BY_ABSENCE = 0.5, 0.25, 0.35, 1.2

Kinds = set[Kind]


def content_slots(spec: TaskSpec) -> tuple[tuple[Kind, ...], ...]:
    """The kinds of each slot that a task works on: the required ones, without the question asked."""
    return tuple(slot.kinds for slot in spec.slots if slot.is_required and "question" not in slot.says)


def level(spec: TaskSpec, kinds: Kinds) -> float:
    """How well such things serve the task: 1 directly, 0.7 as they can be read, 0.2 by a helper, -1 not at all."""
    return min((_slot_level(wanted, kinds) for wanted in content_slots(spec)), default=0.0)


def _slot_level(wanted: tuple[Kind, ...], kinds: Kinds) -> float:
    if kinds & set(wanted):
        return _DIRECT
    pairs = {(have, want) for have in kinds for want in wanted}
    if pairs & _COERCED:
        return _READ
    return _HELPED if pairs & BRIDGES.keys() else _NOT


def mentioned_kinds(clause: Clause, world: World) -> tuple[Kinds, Kinds]:
    """The kinds of the files that the clause names, and of its nouns."""
    files: Kinds = set()
    nouns: Kinds = set()
    for token in clause.tokens:
        if token.kind in ("file", "url"):
            entity = world.named(token.text)
            kind = entity.kinds[0] if entity else token.file_kind
            files |= {kind} if kind else set()
        elif token.kind == "quote":
            nouns.add("text")
        elif token.has("%things"):
            nouns |= {cast("Kind", s[1:]) for s in token.symbols if s[0] == "#" and s[1:] in KINDS}
    return files, nouns


def fitted(hit: Hit, clause: Clause, world: World, *, made: Kinds) -> float:
    """The hit's score with how well its task fits what the clause names and what there is.

    made: kinds that earlier tasks of the plan make.
    """
    if hit.task in GENERATES or hit.task == "conversational":
        return hit.score + 0.1
    spec = SPECS[hit.task]
    files, nouns = mentioned_kinds(clause, world)
    there = made | _main_kinds([*world.resources, *world.focus])
    if not there - {"text"}:
        there |= _main_kinds(world.past)
    score = hit.score
    if files:
        score += _BY_FILE * level(spec, files)
    elif nouns:
        score += _BY_NOUN * level(spec, nouns)
    if there:
        best = level(spec, there)
        if best == _HELPED and any(slot.takes_many for slot in spec.slots):
            score -= _BY_PRESENCE  # Things of a kind are compared as they are.
        score += (_BY_PRESENCE if best >= 0 else _BY_ABSENCE) * best
    return score


def is_too_weak(hit: Hit, clause: Clause, world: World, *, made: Kinds) -> bool:
    """Whether a bare noun is no request: in a question, or where there is nothing that the task takes."""
    if hit.pattern.weight >= WEAK:
        return False
    if hit.task in GENERATES:
        return any(entity.kinds[0] == "image" for entity in world.resources)
    at = hit.covers[0]
    if at and clause.tokens[at].has("%language") and clause.tokens[at - 1].low == "the":
        return True
    there = made | _main_kinds(world.resources)
    files, nouns = mentioned_kinds(clause, world)
    return (
        clause.mood == "question" or level(SPECS[hit.task], files or there or nouns | _main_kinds(world.past)) < _READ
    )


def _main_kinds(entities: Sequence[Entity]) -> Kinds:
    return {entity.kinds[0] for entity in entities}
