"""A mind that reads its replies from a script: for tests, demonstrations and replays. It never thinks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import msgspec

from dragoman.errors import MindRefused, MindUnavailable, UsageError
from dragoman.minds.base import Ask, Reply, Stage
from dragoman.values import Value

__all__ = ["Line", "Scripted", "read_script"]

Sleep = Callable[[float], Awaitable[None]]


class Line(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One reply of a script: what it answers to the next call of `stage`, after `delay_s`, and what that cost."""

    stage: Stage
    reply: str
    delay_s: float = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Scripted:
    """A `Mind` that gives each call the next unused line of its stage, and keeps what it was asked in `asked`."""

    context_tokens = 128_000

    def __init__(self, lines: Sequence[Line], *, name: str = "scripted", sleep: Sleep = asyncio.sleep) -> None:
        self.name = name
        self.asked: list[Ask] = []
        self._unused = list(lines)
        self._sleep = sleep

    async def ask(self, question: Ask) -> Reply:
        """The next unused line of the stage. Raises `MindRefused` where there is none left."""
        self.asked.append(question)
        line = self._take(question.stage)
        await self._sleep(min(line.delay_s, question.timeout_s))
        if line.delay_s > question.timeout_s:
            waited = f"{question.timeout_s:g} s"
            raise MindUnavailable(f"`{self.name}` gave no reply for stage `{question.stage}` in {waited}.")
        return Reply(text=line.reply, model=self.name, tokens_in=line.tokens_in, tokens_out=line.tokens_out)

    async def stream(self, question: Ask) -> AsyncIterator[str | Reply]:
        """The next line of the stage word by word, then whole."""
        reply = await self.ask(question)
        for piece in re.findall(r"\s*\S+\s*$|\s*\S+|\s+", reply.text):
            yield piece
        yield reply

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _take(self, stage: Stage) -> Line:
        for index, line in enumerate(self._unused):
            if line.stage == stage:
                return self._unused.pop(index)
        asked = sum(question.stage == stage for question in self.asked)
        raise MindRefused(
            f"the script `{self.name}` has no line left for stage `{stage}` (call {asked} of this stage).",
            helps=f'add a line {{"stage": "{stage}", "reply": "…"}} to it.',
        )


def read_script(path: Path) -> tuple[Line, ...]:
    """The lines of a script: JSON lines, empty ones skipped. Raises `UsageError` that names file and line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"the script `{path}` can't be read: {reason}.") from error
    return tuple(
        _line(row, where=f"{path}, line {number}") for number, row in enumerate(text.split("\n"), 1) if row.strip()
    )


def _line(row: str, *, where: str) -> Line:
    try:
        return msgspec.json.decode(row, type=Line)
    except (msgspec.DecodeError, ValueError) as error:
        raise UsageError(
            f"{where}: {error}. A line of a script is "
            '{"stage": "plan", "reply": "…", "delay_s": 0, "tokens_in": 0, "tokens_out": 0}.'
        ) from error
