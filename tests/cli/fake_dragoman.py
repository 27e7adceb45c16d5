"""`dragoman` with fake experts as a program, for tests that need a process: python fake_dragoman.py MARK ARGV…

Every expert sleeps for a minute; before that it makes the file MARK. `hang` in its text: it takes no cancellation.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from dragoman.backends.base import Call, Produced
from dragoman.cli.main import main
from dragoman.testing import FakeBackend, words


class Sleepy(FakeBackend):
    """Experts that never get done."""

    def __init__(self, mark: Path) -> None:
        super().__init__({"summarization": lambda call: words("done")}, needs_bytes=5_000_000)
        self._mark = mark

    async def run(self, call: Call) -> tuple[Produced, ...]:
        self._mark.touch()
        for _ in range(60):
            try:
                await asyncio.sleep(1)
            except asyncio.CancelledError:
                if "hang" not in call.args["text"]:
                    raise
        return await super().run(call)


def _open(**given: Any) -> Any:
    from dragoman.client import Dragoman

    return Dragoman(backends=[Sleepy(Path(mark))], **given)


mark = sys.argv.pop(1)
main(open_dragoman=_open)
