"""A session's earlier turns, read back from the journal for the next request."""

from __future__ import annotations

from msgspec.structs import replace

from dragoman.journal.log import Journal
from dragoman.journal.report import Report, report
from dragoman.journal.template import plan_from_json
from dragoman.values import Done, Resource, Turn

__all__ = ["history"]

_TURNS = 20


def history(journal: Journal, session: str, *, before: str = "~") -> tuple[Turn, ...]:
    """The session's runs that came to an end as turns, oldest first, the last 20; those that began before `before`.

    A refused one counts: what was handed over with it is still there for the next.

    What a turn made is named `turn-2-0-optical-character-recognition.txt`, so that a plan can tell turns apart; its
    facts say which task made it (`made_by`) and as which output.
    """
    rows = reversed(journal.runs(session=session, limit=_TURNS + 1))
    runs = [report(journal.events(row.run)) for row in rows if row.run < before and row.status != "unfinished"]
    return tuple(_turn(run, number) for number, run in enumerate(runs[-_TURNS:], start=1))


def _turn(run: Report, number: int) -> Turn:
    names = {resource.name for resource in run.resources}
    return Turn(
        words=run.words,
        answer=run.answer.text or (run.fault.says if run.fault else ""),
        plan=plan_from_json(list(run.plan), names=names),
        asked=run.resources,
        made=_made(run, number),
    )


def _made(run: Report, number: int) -> tuple[Resource, ...]:
    tasks = {task["id"]: task["task"] for task in run.plan}
    return tuple(
        replace(
            output.resource,
            name=f"turn-{number}-{output.resource.name}",
            facts={**output.resource.facts, "made_by": tasks.get(outcome.task, ""), "output": output.name},
        )
        for outcome in run.outcomes
        if isinstance(outcome, Done)
        for output in outcome.outputs
    )
