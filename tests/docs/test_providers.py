"""The table of docs/providers.md is what the backends claim; no task is claimed that has no wire."""

from __future__ import annotations

from pathlib import Path

from dragoman.backends.endpoints.backend import service_tasks
from dragoman.backends.providers.backend import CONVERSATIONAL, wire_task
from dragoman.backends.providers.cards import cards
from dragoman.backends.providers.routes import ROUTES
from dragoman.backends.remote import mind_tasks
from dragoman.tasks import SPECS

PAGE = Path(__file__).parents[2] / "docs" / "providers.md"


def row(task: str) -> str:
    provided = sum(task in card.tasks for card in cards())
    mind, endpoint = ("yes" if task in known else "–" for known in (mind_tasks(), service_tasks()))
    return f"| {' | '.join((task, str(provided or '–'), mind, endpoint))} |"


def test_the_table_of_coverage_is_true():
    """One row per task, in the catalogue's order."""
    found = PAGE.read_text(encoding="utf-8").partition("## Coverage")[2].strip().splitlines()
    rows = [line for line in found if line.startswith("| ") and not line.startswith("| task")]

    assert rows == [row(task) for task in SPECS]


def test_every_row_of_a_well_known_model_has_a_wire():
    """At one provider at least; models that chat go through the router."""
    spoken = {CONVERSATIONAL, *(task for tasks in ROUTES.values() for task in tasks)}

    assert [card.id for card in cards() if wire_task(card) not in spoken] == []
