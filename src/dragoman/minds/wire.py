"""The wire format of chat completions: bodies out, replies in, and what an endpoint turned out to refuse."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from dragoman.errors import MindRefused, MindUnreadable
from dragoman.minds.base import Ask, Message
from dragoman.values import Json

__all__ = ["Completion", "Dialect", "body", "read_completion", "usage_of"]

SchemaForm = Literal["json_schema", "json_object", "none"]
RoleForm = Literal["system", "user"]


@dataclass(kw_only=True, slots=True)
class Dialect:
    """What an endpoint takes. It starts with everything and gives up what the endpoint refuses by name."""

    schema: SchemaForm = "json_schema"
    limit: str | None = "max_tokens"
    system: RoleForm = "system"
    alternates: bool = False
    left_out: set[str] = field(default_factory=set[str])

    def give_up(self, error: str, *, param: str | None, sent: Json) -> str | None:
        """Change what the error names and say what was done; None where it names nothing that can be changed.

        error: the endpoint's words. param: the field it names, where it has a place for that. sent: the refused body.
        """
        text = f"{param or ''} {error}".casefold()
        named = [name for name in (param or "", *_MENTIONS) if name and _mentioned(name, text, sent)]
        for name in sorted(named, key=lambda name: (name != param, text.find(name))):
            done = self._without(name)
            if done:
                return f"the endpoint refuses `{name}`: {done}"
        return self._roles(text)

    def _without(self, name: str) -> str | None:
        if name.startswith("response_format") or name in ("json_schema", "structured output", "grammar"):
            if self.schema == "none":
                return None
            self.schema = "json_object" if self.schema == "json_schema" else "none"
            return "sent `json_object`" if self.schema == "json_object" else "sent without"
        if name in ("max_tokens", "max_completion_tokens"):
            if self.limit is None:
                return None
            self.limit = "max_completion_tokens" if self.limit == "max_tokens" else None
            return f"sent `{self.limit}`" if self.limit else "sent without"
        if name in ("temperature", "logit_bias", "stream_options", "stream") and name not in self.left_out:
            self.left_out.add(name)
            return "sent without"
        return None

    def _roles(self, text: str) -> str | None:
        if "alternate" in text and not self.alternates:
            self.alternates = True
            return "the endpoint wants roles to alternate: put short assistant messages between"
        if re.search(r"\bsystem\b", text) and ("role" in text or "system message" in text) and self.system == "system":
            self.system = "user"
            return "the endpoint refuses the `system` role: sent it as a user message"
        return None


_MENTIONS = (
    "response_format", "json_schema", "structured output", "grammar", "max_completion_tokens", "max_tokens",
    "logit_bias", "temperature", "stream_options", "stream",
)  # fmt: skip


def _mentioned(name: str, text: str, sent: Json) -> bool:
    """Whether the error names a field that was sent. `Use 'max_completion_tokens' instead` names the other one."""
    field_name = "response_format" if name.split(".")[0] in ("json_schema", "structured output", "grammar") else name
    return field_name.split(".")[0] in sent and re.search(rf"\b{re.escape(name)}\b", text) is not None


def body(
    question: Ask, *, model: str, dialect: Dialect, temperature: float, bias: Mapping[str, float], is_stream: bool
) -> Json:
    """The JSON of one call, in the endpoint's dialect."""
    found: dict[str, Json] = {"model": model, "messages": _messages(question.messages, dialect)}
    found["temperature"] = temperature
    if dialect.limit:
        found[dialect.limit] = question.max_tokens
    if question.schema is not None and dialect.schema != "none":
        held: dict[str, Json] = {"type": dialect.schema}
        if dialect.schema == "json_schema":
            held["json_schema"] = {"name": question.schema_name, "strict": True, "schema": question.schema}
        found["response_format"] = held
    if bias:
        found["logit_bias"] = dict(bias)
    if is_stream:
        found |= {"stream": True, "stream_options": {"include_usage": True}}
    left_out = {*dialect.left_out, *({"stream_options"} if "stream" in dialect.left_out else ())}
    return {key: value for key, value in found.items() if key not in left_out}


def _messages(messages: Sequence[Message], dialect: Dialect) -> list[Json]:
    """The messages; each keeps its own words, whatever role an endpoint makes us give it."""
    found: list[Json] = []
    for message in messages:
        role = dialect.system if message.role == "system" else message.role
        if dialect.alternates and found and found[-1]["role"] == role:
            found.append({"role": "assistant" if role == "user" else "user", "content": "(go on)"})
        found.append({"role": role, "content": message.content})
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    """One reply as it came over the wire."""

    text: str
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    money_usd: float = 0.0
    repairs: tuple[str, ...] = ()


def read_completion(answer: Json, *, model: str) -> Completion:
    """The completion in an endpoint's JSON. Raises `MindRefused` for a refusal, `MindUnreadable` for no words."""
    choices = answer.get("choices") if isinstance(answer, dict) else None
    first = cast("list[Json]", choices)[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        raise MindUnreadable(f"`{model}` sent a reply without choices: {json.dumps(answer)[:120]}.")
    text = _words(cast("dict[str, Json]", message))
    finish = first.get("finish_reason")
    if not text.strip():
        raise_empty(message.get("refusal"), finish, model=model)
    named = answer.get("model")
    tokens_in, tokens_out, money_usd = usage_of(answer)
    return Completion(
        text=text, model=named if isinstance(named, str) and named else model,
        tokens_in=tokens_in, tokens_out=tokens_out, money_usd=money_usd,
        repairs=("the reply reached its token limit: read what there was",) if finish == "length" else (),
    )  # fmt: skip


def raise_empty(refusal: Json, finish: Json, *, model: str) -> None:
    """Raise what a reply without words means."""
    if isinstance(refusal, str) and refusal:
        raise MindRefused(f"`{model}` declined: {refusal[:300]}", helps="say it in other words, or use another model.")
    if finish == "content_filter":
        raise MindRefused(f"`{model}`'s content filter stopped the reply.", helps="say it in other words.")
    if finish == "length":
        raise MindUnreadable(f"`{model}` used up its tokens before the first word of the reply.")
    raise MindUnreadable(f"`{model}` sent a reply without words.")


def _words(message: Mapping[str, Json]) -> str:
    """The words of a message: its content, never its reasoning; a tool call, where it holds nothing but that."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in cast("list[Json]", content) if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if isinstance(content, str) and content.strip():
        return content
    calls = message.get("tool_calls")
    return json.dumps({"tool_calls": calls}, ensure_ascii=False) if isinstance(calls, list) and calls else ""


def usage_of(answer: Json) -> tuple[int, int, float]:
    """Tokens in, tokens out, dollars, as the endpoint counts them; 0 where it does not say."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    found = cast("dict[str, Json]", usage) if isinstance(usage, dict) else {}
    cost = found.get("cost")
    money = float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) else 0.0
    return _count(found, "prompt_tokens"), _count(found, "completion_tokens"), money if 0 <= money < math.inf else 0.0


def _count(usage: Mapping[str, Json], key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) and value >= 0 else 0
