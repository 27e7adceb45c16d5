"""A stream of chat completion chunks (server-sent events), put together again."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import cast

from dragoman.minds.wire import usage_of
from dragoman.values import Json

__all__ = ["Gathered", "events"]


async def events(lines: AsyncIterator[str]) -> AsyncIterator[Json]:
    """The JSON of each event; comments, other fields and `[DONE]` left out. A line that is no JSON comes as None."""
    held: list[str] = []
    async for line in lines:
        if line.startswith("data:"):
            held.append(line[5:].removeprefix(" "))
        elif not line.strip() and held:
            for event in _parsed("\n".join(held)):
                yield event
            held.clear()
    if held:
        for event in _parsed("\n".join(held)):
            yield event


def _parsed(text: str) -> list[Json]:
    """The event; several that were sent without a blank line between them; None for one that broke off."""
    if text.strip() == "[DONE]":
        return [{"done": True}]
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        lines = text.split("\n")
        return [event for line in lines for event in _parsed(line)] if len(lines) > 1 else [None]


@dataclass(kw_only=True, slots=True)
class Gathered:
    """What has come of a streamed reply so far."""

    model: str
    text: str = ""
    refusal: str = ""
    finish: str | None = None
    is_done: bool = False
    error: Json = None
    tokens_in: int = 0
    tokens_out: int = 0
    money_usd: float = 0.0
    strange: list[str] = field(default_factory=list[str])

    @property
    def is_whole(self) -> bool:
        """Whether the endpoint said that this is the end."""
        return self.error is None and (self.is_done or self.finish is not None)

    def take(self, event: Json) -> str:
        """Take an event in; returns the words that it brought."""
        if not isinstance(event, dict):
            self.strange.append("an event that is no JSON: left it out")
            return ""
        chunk = cast("dict[str, Json]", event)
        self.is_done = self.is_done or chunk.get("done") is True
        if chunk.get("error"):
            self.error = chunk
            return ""
        if isinstance(chunk.get("usage"), dict):
            self.tokens_in, self.tokens_out, self.money_usd = usage_of(chunk)
        if isinstance(chunk.get("model"), str) and chunk["model"]:
            self.model = chunk["model"]
        choices = chunk.get("choices")
        first = cast("list[Json]", choices)[0] if isinstance(choices, list) and choices else None
        return self._choice(cast("dict[str, Json]", first)) if isinstance(first, dict) else ""

    def _choice(self, choice: dict[str, Json]) -> str:
        if isinstance(choice.get("finish_reason"), str):
            self.finish = choice["finish_reason"]
        delta = choice.get("delta", choice.get("message"))
        fields = cast("dict[str, Json]", delta) if isinstance(delta, dict) else {}
        if isinstance(fields.get("refusal"), str):
            self.refusal += fields["refusal"]
        words = fields.get("content")  # `reasoning_content` is not the answer
        if not isinstance(words, str):
            return ""
        self.text += words
        return words
