"""`dragoman models fetch`: weights brought here now, so that no request has to wait for them."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.cli.commands import Desk
from dragoman.cli.downloading import Progress
from dragoman.cli.experts import Expert, experts
from dragoman.cli.figures import size
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, nearest_of, settings_of
from dragoman.cli.terminal import Terminal
from dragoman.cli.view import answer_is_yes
from dragoman.config import Settings
from dragoman.errors import DownloadDenied, FetchError, Offline, UsageError

__all__ = ["fetch"]


def fetch(argv: Sequence[str], *, desk: Desk) -> int:
    """Fetch the experts named, or all that can run here; the exit code: 1 if one could not be had."""
    typed = _options().read(argv)
    options, settings = typed.options, settings_of(typed.options)
    if bool(typed.words) == options.all:
        raise UsageError("`models fetch` wants ids, or --all.", helps="dragoman models lists them.")
    dragoman = desk.dragoman(settings=settings)

    async def fetched() -> int:
        found = await experts(dragoman.backends)
        wanted = list(found) if options.all else [_named(name, found) for name in typed.words]
        ready = _ready(wanted, desk.terminal, is_all=options.all)
        await _permit(ready, desk.terminal, settings=settings, is_asked=options.all)
        failed = [expert for expert in ready if not await _fetched(expert, desk.terminal)]
        return 1 if failed or (len(ready) < len(wanted) and not options.all) else 0

    with Loop() as loop:
        return loop.run(fetched())


def _options() -> Options:
    says = "Download experts now. An expert is also fetched when a request first needs it."
    options = Options("models fetch", says=says, words="ID… | --all")
    options.add_argument("--all", action="store_true", help="every expert that can run here")
    options.add_argument("--yes", action="store_true", help="with --all: don't ask")
    options.add_argument("--offline", action="store_true", help="only unpack what is here")
    return options


def _named(name: str, found: Sequence[Expert]) -> Expert:
    for expert in found:
        if expert.card.id == name:
            return expert
    nearest = nearest_of(name, [expert.card.id for expert in found])
    raise UsageError(f"no expert `{name[:80]}`{nearest}.", helps="dragoman models lists them.")


def _ready(wanted: Sequence[Expert], terminal: Terminal, *, is_all: bool) -> list[Expert]:
    """Those that can be had; why the others can't is said."""
    for expert in wanted:
        if not expert.available.can_run:
            terminal.say(f"{expert.card.id}: left out, {expert.available.because}")
        elif not is_all and expert.is_fetched:
            terminal.say(f"{expert.card.id} is here")
    return [expert for expert in wanted if expert.available.can_run]


async def _permit(ready: Sequence[Expert], terminal: Terminal, *, settings: Settings, is_asked: bool) -> None:
    """Leave for everything. Whoever names an expert has given it; for all of them it is asked."""
    total = sum(expert.available.needs_bytes for expert in ready)
    if not total or not is_asked or settings.may_download:
        return
    if settings.is_offline:
        raise Offline(f"{size(total)} would have to be fetched, and downloads are off.")
    if terminal.can_ask:
        count = sum(not expert.is_fetched for expert in ready)
        if not await answer_is_yes(terminal, question=f"Download {count} experts, {size(total)}?"):
            raise DownloadDenied("nothing was downloaded.")
    elif total > settings.max_fetch_bytes:
        raise DownloadDenied(
            f"{size(total)} would have to be fetched; without being asked, up to {size(settings.max_fetch_bytes)} are.",
            helps="allow it with --yes",
        )


async def _fetched(expert: Expert, terminal: Terminal) -> bool:
    card, backend = expert.card, expert.backend
    needs_bytes = (await backend.availability(card)).needs_bytes  # Others may have brought it along.
    try:
        with Progress(card, terminal, total_bytes=needs_bytes) as progress:
            await backend.prepare(card, tell=progress.tell)
    except FetchError as error:
        terminal.complain(error.says, helps=error.helps)
        return False
    return True
