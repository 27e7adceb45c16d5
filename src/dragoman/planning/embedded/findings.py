"""Which of a clause's cues become tasks: types decide between readings, stronger cues beat those that overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import Hit
from dragoman.planning.embedded.fits import WEAK, Kinds, fitted, is_too_weak
from dragoman.planning.embedded.rivals import excludes, is_inside_prompt
from dragoman.planning.embedded.vetoes import is_asked
from dragoman.planning.embedded.words import Token
from dragoman.planning.embedded.world import BRIDGES, World

# What the first task of a clause must score, and each further one.
_LEAST, _ENOUGH = 0.6, 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One task that the request asks for, found in `clause`. covers: the positions that its cue rests on."""

    task: str
    clause: Clause
    score: float
    covers: tuple[int, ...] = ()

    @property
    def at(self) -> int:
        """Where its cue begins in the clause."""
        return self.covers[0] if self.covers else 0


def chosen(hits: Sequence[Hit], clause: Clause, world: World, *, made: Kinds, seen: set[str]) -> list[Finding]:
    """The findings of a clause in the order of its words.

    made: kinds that earlier tasks of the plan make. seen: tasks whose products the words may only refer to.
    """
    asked = [hit for hit in hits if is_asked(hit, hits, clause, world=world, seen=seen)]
    strong = [hit for hit in asked if not is_too_weak(hit, clause, world, made=made)]
    scored = sorted(((fitted(hit, clause, world, made=made), hit) for hit in strong), key=_by_strength)
    is_telegram = not any(token.has("%verb", "@wh", "@be") for token in clause.tokens)
    taken: list[tuple[float, Hit]] = []
    for score, hit in scored:
        is_strong = hit.pattern.weight >= WEAK or is_telegram
        is_enough = score >= _ENOUGH and is_strong if taken else score >= _LEAST
        if is_enough and not any(excludes(other, hit, clause) for _, other in taken):
            taken.append((score, hit))
    others = [hit for _, hit in taken]
    kept = [(score, hit) for score, hit in taken if not is_inside_prompt(hit, others)]
    findings = [Finding(task=hit.task, clause=clause, score=score, covers=hit.covers) for score, hit in kept]
    return _helpers_first(sorted(findings, key=lambda finding: finding.at))


def _by_strength(pair: tuple[float, Hit]) -> tuple[float, int, int, str]:
    score, hit = pair
    return (-round(score, 3), -len(hit.covers), hit.at, hit.task)


def _helpers_first(findings: list[Finding]) -> list[Finding]:
    """The findings in order, reading or hearing ahead of what works on the text in the same part of the clause."""
    parts = {id(finding): part_of(finding, findings) for finding in findings}
    placed: list[Finding] = []
    for finding in findings:
        at = len(placed)
        while at and finding.task in BRIDGES.values() and parts[id(placed[at - 1])] == parts[id(finding)]:
            at -= 1
        placed.insert(at, finding)
    return placed


def part_of(finding: Finding, findings: Sequence[Finding]) -> tuple[int, int]:
    """Where the part of the clause that belongs to a finding begins and ends: at the conjunctions between findings."""
    tokens = finding.clause.tokens
    starts = sorted(other.at for other in findings if other.clause is finding.clause)
    start = _boundary(tokens, max((at for at in starts if at < finding.at), default=None), finding.at)
    later = next((at for at in starts if at > finding.at), None)
    return start, len(tokens) if later is None else _boundary(tokens, finding.at, later)


def _boundary(tokens: Sequence[Token], earlier: int | None, later: int) -> int:
    """The last conjunction between two cues that doesn't merely join files or quotes."""
    if earlier is None:
        return 0
    for at in range(later, earlier, -1):
        is_list = 0 < at < len(tokens) - 1 and tokens[at - 1].kind == tokens[at + 1].kind != "word"
        if not is_list and (tokens[at].has("@and", "@then", "@or") or tokens[at].low in (",", "，", "、", ";")):
            return at
    return later
