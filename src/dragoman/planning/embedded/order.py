"""The clauses in the order in which their tasks are to be done, by the order words: first, before that, before …, after …"""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause


def ordered(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses as their order words say; without such words as they stand."""
    placed: list[Clause] = []
    pending: Clause | None = None
    for clause in clauses:
        if clause.order == "first":
            placed.insert(_beginning(placed, clause), clause)
        elif clause.order == "before_that" and placed:
            placed.insert(len(placed) - 1, clause)
        elif clause.order == "after" and placed and placed[-1].sentence == clause.sentence:
            placed.insert(len(placed) - 1, clause)
        elif clause.order == "before" and _leads(clause, clauses):
            pending = clause
            continue
        else:
            placed.append(clause)
        if pending is not None and clause.sentence == pending.sentence:
            placed.append(pending)
            pending = None
    return placed if pending is None else [*placed, pending]


def _leads(clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Whether a `before …` clause stands before the one that it follows in time: it opens its sentence."""
    return next(c for c in clauses if c.sentence == clause.sentence) is clause


def _beginning(placed: Sequence[Clause], clause: Clause) -> int:
    """Where `but first …` goes: ahead of the requests, behind what was told before."""
    for at, other in enumerate(placed):
        if other.mood != "statement":
            return at
    return len(placed) if not placed or clause.sentence != placed[-1].sentence else len(placed)
