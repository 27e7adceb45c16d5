"""Chat completions as a wire format: any text task by words, any question about a picture by words and the picture."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.backends.base import Call, Produced
from dragoman.backends.exchange import Received
from dragoman.backends.mind.answers import outputs
from dragoman.backends.mind.questions import VISION_TASKS, picture_prompt, question
from dragoman.backends.providers.wire import Body, naming
from dragoman.backends.sendable import picture_of
from dragoman.errors import ExpertError, MindError
from dragoman.minds.base import Reply
from dragoman.minds.wire import read_completion
from dragoman.values import Json

__all__ = ["CHAT", "chat_body", "picture_message", "reply_of"]

_MAX_TOKENS = 2000


def picture_message(words: str, url: str) -> Json:
    """A message that holds words and a picture."""
    parts = [{"type": "text", "text": words}, {"type": "image_url", "image_url": {"url": url}}]
    return {"role": "user", "content": parts}


def chat_body(call: Call, model: str) -> Body:
    """The call as chat completions take it."""
    if call.task in VISION_TASKS:
        picture = picture_of(call.args)
        messages = [picture_message(picture_prompt(call), picture.url)]
        return Body(json={"model": model, "messages": messages, "max_tokens": _MAX_TOKENS}, picture=picture)
    asked = question(call)
    messages = [{"role": message.role, "content": message.content} for message in asked.messages]
    return Body(json={"model": model, "messages": messages, "max_tokens": asked.max_tokens})


def reply_of(received: Received, *, model: str) -> Reply:
    """The model's words and what they cost. Raises `ExpertError` where there are none."""
    try:
        found = read_completion(received.json(), model=model)
    except MindError as error:
        raise ExpertError(f"{error.says} {error.helps}".strip(), helps=error.helps) from error
    return Reply(
        text=found.text, model=found.model, tokens_in=found.tokens_in, tokens_out=found.tokens_out,
        money_usd=found.money_usd,
    )  # fmt: skip


def _read(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    reply = reply_of(received, model=call.card.id)
    return outputs(reply.text, call, by=f"`{reply.model}`")


CHAT = naming(chat_body, _read)
