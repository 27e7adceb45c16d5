"""`dragoman sample`: the path of a real photo, recording or clip, fetched at its first use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dragoman.cli.commands import Desk
from dragoman.cli.downloading import Progress
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, settings_of
from dragoman.cli.tabling import show_rows
from dragoman.config import Settings
from dragoman.errors import UsageError
from dragoman.models.fetch import ModelStore
from dragoman.models.samples import Sample, sample, samples

__all__ = ["run"]


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """Print the paths of the samples named, or what there is; the exit code."""
    typed = _options().read(argv)
    options = typed.options
    settings = settings_of(options)
    store = ModelStore(settings.home, shelf=[one.card() for one in samples()])
    if options.list:
        _list(store, desk, is_json=options.json)
        return 0
    wanted = list(samples()) if options.all else [sample(name) for name in typed.words]
    if not wanted:
        raise UsageError("`sample` wants a name.", helps=f"there are: {', '.join(one.name for one in samples())}")
    paths = _fetched(wanted, store, desk, settings=settings)
    if options.json:
        desk.terminal.show_json([{"name": one.name, "path": str(paths[one.name])} for one in wanted])
    else:
        desk.terminal.show("\n".join(str(paths[one.name]) for one in wanted))
    return 0


def _options() -> Options:
    says = "Print the path of a real photo, recording or clip. It is fetched at its first use."
    options = Options("sample", says=says, words="NAME…")
    options.add_argument("--list", action="store_true", help="what there is, with sizes and licences")
    options.add_argument("--all", action="store_true", help="every sample")
    options.add_argument("--json", action="store_true", help="print JSON")
    options.add_argument("--offline", action="store_true", help="download nothing")
    return options


def _fetched(wanted: Sequence[Sample], store: ModelStore, desk: Desk, *, settings: Settings) -> dict[str, Path]:
    async def fetch() -> dict[str, Path]:
        for one in wanted:
            card = one.card()
            with Progress(card, desk.terminal, total_bytes=store.missing_bytes(card)) as progress:
                await store.fetch(card, tell=progress.tell, is_offline=settings.is_offline)
        return {one.name: store.path_of(one.card(), one.file.name) for one in wanted}

    with Loop() as loop:
        return loop.run(fetch())


def _list(store: ModelStore, desk: Desk, *, is_json: bool) -> None:
    found = [(one, store.is_fetched(one.card())) for one in samples()]
    if is_json:
        desk.terminal.show_json(
            [
                {"name": one.name, "kind": one.kind, "says": one.says, "license": one.file.license}
                | {"source": one.file.source, "bytes": one.file.bytes, "fetched": is_fetched}
                for one, is_fetched in found
            ]
        )
        return
    rows = [
        (one.name, one.kind, "fetched" if is_fetched else "", one.file.license, one.says) for one, is_fetched in found
    ]
    show_rows(rows, heads=("name", "kind", "", "licence", "what it is"), terminal=desk.terminal)
