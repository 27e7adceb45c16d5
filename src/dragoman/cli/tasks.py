"""`dragoman tasks`: what can be asked for, and which of it has an expert here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from dragoman.cli.commands import Desk
from dragoman.cli.experts import Expert, experts
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, add_expert_options, settings_of
from dragoman.cli.tabling import show_rows
from dragoman.tasks import ALIASES, SPECS, TaskSpec
from dragoman.values import Json

__all__ = ["run"]


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """List the tasks; the exit code."""
    options = _options().read(argv).options
    dragoman = desk.dragoman(settings=settings_of(options))
    with Loop() as loop:
        found = loop.run(experts(dragoman.backends))
    if options.json:
        desk.terminal.show_json([_json(spec, _serving(spec, found)) for spec in SPECS.values()])
        return 0
    rows: list[tuple[str, str, str]] = []
    for family, specs in groupby(SPECS.values(), key=lambda spec: spec.family):
        rows += [(family, "", ""), *(_row(spec, _serving(spec, found)) for spec in specs)]
    show_rows(rows, heads=("task", "expert here", "what it does"), terminal=desk.terminal)
    served = sum(bool(_serving(spec, found)) for spec in SPECS.values())
    desk.terminal.show(
        f"\n{len(SPECS)} tasks, {served} with an expert here (in brackets: to be fetched at the first use). "
        "`dragoman models why TASK` says who is chosen."
    )
    return 0


def _options() -> Options:
    options = Options("tasks", says="List the kinds of task that can be asked for, and which have an expert here.")
    add_expert_options(options)
    return options


def _serving(spec: TaskSpec, found: Sequence[Expert]) -> list[Expert]:
    serving = [expert for expert in found if spec.name in expert.card.tasks and expert.serves]
    return sorted(serving, key=lambda expert: expert.card.rank)


def _row(spec: TaskSpec, serving: Sequence[Expert]) -> tuple[str, str, str]:
    first = next((expert for expert in serving if expert.is_fetched), serving[0] if serving else None)
    if first is None:
        return f"  {spec.name}", "-", spec.description
    more = f" +{len(serving) - 1}" if len(serving) > 1 else ""
    name = first.card.id if first.is_fetched else f"({first.card.id})"
    return f"  {spec.name}", name + more, spec.description


def _json(spec: TaskSpec, serving: Sequence[Expert]) -> Json:
    slots = [
        {"name": slot.name, "kinds": list(slot.kinds), "required": slot.is_required, "many": slot.takes_many}
        | {"says": slot.says}
        for slot in spec.slots
    ]
    parameters = [
        {"name": one.name, "type": one.type, "required": one.is_required, "says": one.says} for one in spec.parameters
    ]
    return {
        "name": spec.name,
        "family": spec.family,
        "args": [*slots, *parameters],
        "outputs": [{"name": out.name, "kind": out.kind, "says": out.says} for out in spec.outputs],
        "aliases": list(ALIASES.get(spec.name, ())),
        "description": spec.description,
        "experts": [expert.card.id for expert in serving],
    }
