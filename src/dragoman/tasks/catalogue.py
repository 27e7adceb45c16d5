"""All task specs in one table."""

from __future__ import annotations

from dragoman.errors import UnknownTask
from dragoman.tasks import audio, controls, tables, text, video, vision
from dragoman.tasks.aliases import canonical, nearest
from dragoman.tasks.spec import TaskSpec

SPECS: dict[str, TaskSpec] = {
    spec.name: spec for room in (text, vision, audio, video, tables, controls) for spec in room.SPECS
}


def find(name: str) -> TaskSpec | None:
    """The spec by its name or any alias, in any spelling, or None."""
    known = canonical(name, names=SPECS)
    return SPECS[known] if known else None


def spec(name: str) -> TaskSpec:
    """The spec by its name or any alias. Raises `UnknownTask` that names the nearest."""
    found = find(name)
    if found is None:
        raise UnknownTask(f"no task `{name}`; nearest: `{nearest(name, names=SPECS)}`. `dragoman tasks` shows all.")
    return found
