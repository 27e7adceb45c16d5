"""A language model that answers messages: the one seam for every mind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Literal, Protocol

from dragoman.values import Json, Value

Stage = Literal["plan", "choose", "answer", "expert", "step", "check", "goal", "fold", "critic", "chat"]


class Message(Value, frozen=True, kw_only=True):
    """One message; a person's words travel unchanged in their own."""

    role: Literal["system", "user", "assistant"]
    content: str


class Ask(Value, frozen=True, kw_only=True):
    """One question to a mind. `schema`: JSON Schema that the reply should follow, held where the mind can hold it.

    bias_words: words whose tokens get the mind's format bias, where it has one (HuggingGPT section 4.1).
    """

    stage: Stage
    messages: Sequence[Message]
    schema: Json = None
    schema_name: str = "reply"
    max_tokens: int = 1500
    timeout_s: float = 120.0
    bias_words: tuple[str, ...] = ()


class Reply(Value, frozen=True, kw_only=True):
    """What a mind answered, and what it cost."""

    text: str
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    money_usd: float = 0.0
    repairs: tuple[str, ...] = ()


class Mind(Protocol):
    """A language model. Errors: `MindUnavailable`, `MindRefused`, `MindUnreadable`."""

    name: str
    context_tokens: int

    async def ask(self, question: Ask) -> Reply:
        """The whole reply."""
        ...

    def stream(self, question: Ask) -> AsyncIterator[str | Reply]:
        """Pieces of the reply as they come, then the whole `Reply` as the last item."""
        ...

    async def aclose(self) -> None:
        """Close connections and end processes."""
        ...
