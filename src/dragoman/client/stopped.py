"""A run that stopped before its end, as its journal tells it: what is done, and what is open."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman import events as ev
from dragoman.journal.report import report
from dragoman.journal.template import plan_from_json
from dragoman.values import Done, Plan, Request, Turn

__all__ = ["Stopped"]

_OVER = ("answered", "chat", "refused")


class Stopped:
    """Read from the events of one run, in order from its first.

    A task that was split into one per element counts as done only whole; its elements are split anew, and what they
    had computed comes out of the result cache.
    """

    def __init__(self, past: Sequence[ev.Event]) -> None:
        self.report = report(past)
        self._planned = next((event for event in past if isinstance(event, ev.PlannedEvent)), None)
        own = {task["id"] for task in self._planned.plan} if self._planned else set[int]()
        self.done = {one.task: one for one in self.report.outcomes if isinstance(one, Done) and one.task in own}
        self.first_id = max((task["id"] for task in self.report.plan), default=-1) + 1

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to go on with."""
        return self.report.status in _OVER

    @property
    def is_planned(self) -> bool:
        """Whether a plan with tasks had been written."""
        return self._planned is not None and bool(self._planned.plan)

    def request(self, history: Sequence[Turn]) -> Request:
        """The request as it was."""
        return Request(words=self.report.words, resources=self.report.resources, history=tuple(history))

    def plan(self, request: Request) -> Plan:
        """The plan as it was written; what it had grown grows again."""
        tasks = self._planned.plan if self._planned else []
        return plan_from_json(tasks, names={resource.name for resource in request.ledger()})
