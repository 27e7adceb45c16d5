"""What the embedded planner's tests share: resources by name, requests in one call, plans as small shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from dragoman.planning.embedded import plan
from dragoman.planning.embedded.masks import kind_of_name
from dragoman.values import Given, Kind, Plan, Planned, Request, Resource, Task, Turn, needs, plan_to_json


def resource(name: str, kind: Kind | None = None, *, made_by: str | None = None, **fields: Any) -> Resource:
    """A resource of the kind that its name tells; `made_by` an earlier task."""
    facts = {"made_by": made_by} if made_by else {}
    kind = kind or kind_of_name(name)
    assert kind is not None
    return Resource(name=name, kind=kind, media_type="application/octet-stream", sha256=name, facts=facts, **fields)


def ask(words: str, *files: str | Resource, history: Iterable[Turn] = ()) -> Planned:
    """The plan of a request with these files."""
    resources = tuple(f if isinstance(f, Resource) else resource(f) for f in files)
    return plan(Request(words=words, resources=resources, history=tuple(history)))


def turn(words: str, *, asked: Iterable[str] = (), made: Iterable[Resource] = (), tasks: Iterable[Task] = ()) -> Turn:
    """An earlier exchange."""
    plan_then = Plan(tasks=tuple(tasks))
    return Turn(words=words, answer="…", asked=tuple(resource(n) for n in asked), made=tuple(made), plan=plan_then)


def task(name: str, **args: Any) -> Task:
    """Task 0 with these arguments; strings with a suffix are resources."""
    given = {k: Given(name=v) if isinstance(v, str) and kind_of_name(v) else v for k, v in args.items()}
    return Task(id=0, task=name, args=given)


def tasks_of(planned: Planned) -> list[str]:
    """The names of the plan's tasks, sorted."""
    return sorted(t.task for t in planned.plan.tasks)


def edges_of(planned: Planned) -> set[tuple[str, str]]:
    """(source, target) names of the plan's dependencies."""
    names = {t.id: t.task for t in planned.plan.tasks}
    return {(names[d], t.task) for t in planned.plan.tasks for d in needs(t)}


def args_of(planned: Planned, name: str) -> dict[str, Any]:
    """The arguments of the plan's only task of this name, as the paper's template writes them."""
    found = [row["args"] for row in plan_to_json(planned.plan) if row["task"] == name]
    assert len(found) == 1, f"{len(found)} tasks `{name}` in {plan_to_json(planned.plan)}"
    return found[0]


class Kit:
    """The helpers above for tests, which can't import from beside themselves."""

    resource = staticmethod(resource)
    ask = staticmethod(ask)
    turn = staticmethod(turn)
    task = staticmethod(task)
    tasks_of = staticmethod(tasks_of)
    edges_of = staticmethod(edges_of)
    args_of = staticmethod(args_of)
    count: Callable[[Iterable[str]], Counter[str]] = staticmethod(Counter)


@pytest.fixture
def kit() -> type[Kit]:
    """The helpers."""
    return Kit
