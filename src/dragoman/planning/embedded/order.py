"""The clauses in the order in which their tasks are to be done, by the order words: first, before that, after …"""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause


def ordered(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses as their order words say; without such words as they stand."""
    placed: list[Clause] = []
    pending: Clause | None = None
    for clause in clauses:
        if clause.order == "before" and _leads(clause, clauses):
            pending = clause
            continue
        placed.insert(_place(clause, placed), clause)
        if pending is not None and clause.sentence == pending.sentence:
            placed.append(pending)
            pending = None
    return placed if pending is None else [*placed, pending]


def _place(clause: Clause, placed: Sequence[Clause]) -> int:
    """Where the clause goes among those placed before it."""
    if clause.order == "first":
        return next((at for at, other in enumerate(placed) if other.mood != "statement"), len(placed))
    follows_main = bool(placed) and (clause.order == "before_that" or placed[-1].sentence == clause.sentence)
    return len(placed) - 1 if clause.order in ("before_that", "after") and follows_main else len(placed)


def _leads(clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Whether a `before …` clause stands before the one that it follows in time: it opens its sentence."""
    return next(other for other in clauses if other.sentence == clause.sentence) is clause
