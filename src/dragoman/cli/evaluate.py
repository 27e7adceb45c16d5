"""`dragoman eval`: how well planning works, measured."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.cli.commands import Desk
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options
from dragoman.errors import UsageError
from dragoman.evals.command import add_arguments
from dragoman.evals.command import run as measure

__all__ = ["run"]


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """Measure what the first word names; the exit code: 1 if it could not be finished."""
    options = Options("eval planning", says="Measure how well requests are planned, against gold plans.")
    add_arguments(options)
    if not argv or argv[0] != "planning":
        if argv[:1] in (["--help"], ["-h"]):
            options.parse_args(["--help"])
        raise UsageError(
            f"wanted what to measure; got `{argv[0][:80]}`." if argv else "wanted what to measure.",
            helps="dragoman eval planning --help shows what it takes.",
        )
    typed = options.read(argv[1:])
    with Loop() as loop:
        return measure(typed.options, screen=desk.terminal, argv=argv[1:], wait=loop.run)
