"""`dragoman doctor`: whether all is well here, every expert tried, and what would add more."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from dragoman.cli.checkups import Check, checkups
from dragoman.cli.commands import Desk
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, settings_of
from dragoman.cli.terminal import Terminal

__all__ = ["run"]

_MARKS = {True: "ok", False: "NOT OK", None: "-"}


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """Look at everything; the exit code: 1 if something is wrong."""
    options = _options().read(argv).options
    dragoman = desk.dragoman(settings=settings_of(options))
    terminal = desk.terminal
    found: list[Check] = []

    async def look() -> None:
        checks = checkups(dragoman.settings, dragoman.backends, limit_s=options.max_seconds)
        try:
            await _tell(checks, found, terminal=terminal, is_json=options.json)
        finally:
            if terminal.has_live_view:
                terminal.redraw("")
            for backend in dragoman.backends:
                await backend.aclose()

    with Loop() as loop:
        loop.run(look())
    if options.json:
        terminal.show_json([{"check": one.check, "ok": one.ok, "says": one.says} for one in found])
    wrong = sum(one.ok is False for one in found)
    if not options.json:
        tried = sum(one.ok is not None for one in found)
        terminal.show(f"\n{tried} looked at, {wrong} not ok, {len(found) - tried} not tried (-).")
    return 1 if wrong else 0


def _options() -> Options:
    says = "Try every expert that is fetched on a small input made on the spot, and say what would add more."
    options = Options("doctor", says=says, more="exit codes: 0 all is well, 1 something is not")
    options.add_argument("--mind", metavar="MIND", help="look at this mind, too")
    options.add_argument(
        "--max-seconds", metavar="N", type=float, default=300.0, help="stop trying after N (default: 300)"
    )
    options.add_argument("--json", action="store_true", help="print JSON")
    return options


async def _tell(checks: AsyncIterator[Check | str], found: list[Check], *, terminal: Terminal, is_json: bool) -> None:
    """Keep every check and show it as it comes; words between them say what is being looked at."""
    async for check in checks:
        if terminal.has_live_view:
            terminal.redraw(f"… {check}" if isinstance(check, str) else "")
        if isinstance(check, str):
            continue
        found.append(check)
        if not is_json:
            terminal.show(f"{_MARKS[check.ok]:<7} {check.check}: {check.says}")
            terminal.flush()
