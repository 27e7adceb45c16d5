"""`dragoman models why TASK`: who would be chosen, who stands in, and what keeps the others out."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.cli.commands import Desk
from dragoman.cli.experts import Expert, experts
from dragoman.cli.figures import size
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, settings_of
from dragoman.cli.tabling import show_rows
from dragoman.config import Settings
from dragoman.errors import UsageError
from dragoman.selection.selector import Selected, Selector
from dragoman.tasks import TaskSpec, spec
from dragoman.values import Choice, Json, Plan, Request, Task

__all__ = ["why"]


def why(argv: Sequence[str], *, desk: Desk) -> int:
    """Explain the choice for a task; the exit code: 1 if nobody can serve it."""
    typed = _options().read(argv)
    options = typed.options
    if len(typed.words) != 1:
        raise UsageError("`models why` wants one task.", helps="dragoman tasks lists them.")
    wanted = spec(typed.words[0])
    settings = settings_of(options)
    found, selected = _selected(wanted, desk, settings=settings, target=options.target)
    choice = selected.choices.get(0)
    others = [one for one in found if choice is None or one.card.id not in _chosen(choice)]
    if options.json:
        desk.terminal.show_json(_json(wanted, choice, selected, others))
        return 0 if choice else 1
    desk.terminal.show(f"{wanted.name}: {wanted.description}\n")
    cards = {one.card.id: one for one in found}
    rows = [_row(cards[id_], says) for id_, says in _order(choice)] if choice else []
    rows += [_row(one, f"left out: {_reason(one, options.target)}") for one in others]
    if rows:
        show_rows(rows, heads=("model", "backend", "licence", "size", "why"), terminal=desk.terminal)
    if choice is None:
        desk.terminal.complain(selected.refusals[0])
        return 1
    return 0


def _options() -> Options:
    options = Options("models why", says="Say which expert would serve a task, and why.", words="TASK")
    options.add_argument("--target", metavar="LANGUAGE", help="for this language (BCP 47, such as pt)")
    options.add_argument("--where", choices=("local", "remote", "any"), help="where it may run")
    options.add_argument("--offline", action="store_true", help="as it is without downloads")
    options.add_argument("--json", action="store_true", help="print JSON")
    return options


def _selected(
    wanted: TaskSpec, desk: Desk, *, settings: Settings, target: str | None
) -> tuple[Sequence[Expert], Selected]:
    backends = desk.dragoman(settings=settings).backends
    selector = Selector(backends=backends, where=settings.where, is_offline=settings.is_offline)
    plan = Plan(tasks=(Task(id=0, task=wanted.name, args={"target": target} if target else {}),))

    async def select() -> tuple[Sequence[Expert], Selected]:
        found = [one for one in await experts(backends) if wanted.name in one.card.tasks]
        return found, await selector.choose(plan, Request(words=""))

    with Loop() as loop:
        return loop.run(select())


def _chosen(choice: Choice) -> list[str]:
    return [choice.model, *(model for _, model in choice.stand_ins)]


def _order(choice: Choice) -> list[tuple[str, str]]:
    stand_ins = [(model, f"stands in, number {number}") for number, (_, model) in enumerate(choice.stand_ins, start=1)]
    return [(choice.model, f"chosen: {choice.reason}"), *stand_ins]


def _row(expert: Expert, says: str) -> tuple[str, ...]:
    return expert.card.id, expert.backend.name, expert.card.license, size(expert.card.download_bytes), says


def _reason(expert: Expert, target: str | None) -> str:
    if not expert.available.can_run or not target:
        return expert.available.because or "it may not run there"
    return f"masters {', '.join(expert.card.languages)}" if expert.card.languages else "it may not run there"


def _json(wanted: TaskSpec, choice: Choice | None, selected: Selected, others: Sequence[Expert]) -> Json:
    return {
        "task": wanted.name,
        "model": choice.model if choice else None,
        "backend": choice.backend if choice else None,
        "reason": choice.reason if choice else selected.refusals[0],
        "stand_ins": [model for _, model in choice.stand_ins] if choice else [],
        "left_out": [{"model": one.card.id, "because": one.available.because} for one in others],
    }
