"""`dragoman models`: the experts, what they need, and how they have done here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dragoman.cli.commands import Desk
from dragoman.cli.experts import Expert, experts
from dragoman.cli.figures import size
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, nearest_of, settings_of
from dragoman.cli.record import Record, records
from dragoman.cli.tabling import show_rows
from dragoman.config import Settings
from dragoman.errors import UsageError
from dragoman.values import Json

__all__ = ["run"]


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """List, fetch or explain; the exit code."""
    argv = list(argv)
    what = argv.pop(0) if argv and not argv[0].startswith("-") else "list"
    if what not in _ACTIONS:
        nearest = nearest_of(what, list(_ACTIONS))
        raise UsageError(f"`models` can {', '.join(_ACTIONS)}; got `{what[:80]}`{nearest}.")
    return _ACTIONS[what](argv, desk)


def _list(argv: Sequence[str], desk: Desk) -> int:
    options = Options(
        "models",
        says="List the experts.",
        more="also:\n  dragoman models fetch ID… | --all    download them now\n"
        "  dragoman models why TASK            who would be chosen, and why",
    )
    options.add_argument("--json", action="store_true", help="print JSON")
    options.add_argument("--offline", action="store_true", help="as it is without downloads")
    typed = options.read(argv)
    settings = settings_of(typed.options)
    found = _experts(desk, settings)
    record = records(settings.home)
    if typed.options.json:
        desk.terminal.show_json([_json(expert, record) for expert in found])
        return 0
    heads = ("model", "tasks", "size", "state", "licence", "languages")
    show_rows([_row(expert) for expert in found], heads=heads, terminal=desk.terminal)
    fetched = sum(expert.is_fetched for expert in found)
    desk.terminal.show(
        f"\n{len(found)} experts, {fetched} ready. `dragoman models fetch ID…` fetches, `--all` everything."
    )
    return 0


def _fetch(argv: Sequence[str], desk: Desk) -> int:
    from dragoman.cli.fetching import fetch

    return fetch(argv, desk=desk)


def _why(argv: Sequence[str], desk: Desk) -> int:
    from dragoman.cli.why import why

    return why(argv, desk=desk)


_ACTIONS: Mapping[str, Callable[[Sequence[str], Desk], int]] = {"list": _list, "fetch": _fetch, "why": _why}


def _experts(desk: Desk, settings: Settings) -> Sequence[Expert]:
    dragoman = desk.dragoman(settings=settings)
    with Loop() as loop:
        return loop.run(experts(dragoman.backends))


def _row(expert: Expert) -> tuple[str, ...]:
    card = expert.card
    weights = size(card.download_bytes) if card.download_bytes else "none"
    languages = " ".join(card.languages) if len(card.languages) <= 4 else f"{len(card.languages)} languages"
    return card.id, ", ".join(card.tasks), weights, _state(expert), card.license, languages


def _state(expert: Expert) -> str:
    if expert.is_fetched:
        return "ready"
    if expert.available.can_run:
        return f"to fetch: {size(expert.available.needs_bytes)}"
    return expert.available.because


def _json(expert: Expert, record: Mapping[str, Record]) -> Json:
    card = expert.card
    known = record.get(card.id)
    return {
        "id": card.id,
        "task": card.tasks[0] if card.tasks else None,
        "tasks": list(card.tasks),
        "backend": expert.backend.name,
        "sources": list(dict.fromkeys(file.source for file in card.files)),
        "license": card.license,
        "languages": list(card.languages),
        "bytes": card.weights_bytes,
        "download_bytes": card.download_bytes,
        "memory_bytes": card.memory_bytes,
        "fetched": expert.is_fetched,
        "can_run": expert.available.can_run,
        "because": expert.available.because,
        "record": {"done": known.done, "failed": known.failed, "seconds": known.seconds} if known else None,
        "description": card.description,
        "notes": card.notes,
    }
