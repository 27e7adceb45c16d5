"""The formats of an OpenAI-style endpoint. Where endpoints differ there are several forms, tried in order.

Source: the `openai` client's types; vLLM, llama.cpp, Ollama and LocalAI take the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragoman.backends.base import Call, Produced
from dragoman.backends.exchange import Received
from dragoman.backends.made import data_output, picture_output
from dragoman.backends.mind.questions import VISION_TASKS
from dragoman.backends.providers.chat import CHAT, chat_body, reply_of
from dragoman.backends.providers.others import (
    EMBEDDINGS,
    form_pieces,
    image_base64,
    read_embeddings,
    read_speech,
    read_transcript,
)
from dragoman.backends.providers.text import texts_of
from dragoman.backends.providers.wire import Body
from dragoman.backends.sendable import words_of
from dragoman.errors import ExpertError
from dragoman.minds.base import Reply

__all__ = ["Form", "forms"]

_VOICE = "alloy"


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """One form of a call. reply: reads what a language model's answer cost."""

    path: str
    bodies: Sequence[Body]
    read: Callable[[Sequence[Received], Call, Sequence[Body]], Sequence[Produced]]
    reply: Callable[[Received], Reply] | None = None


def forms(call: Call, model: str) -> Sequence[Form]:
    """The forms in which the call is tried, each where the endpoint refuses the fields of the one before."""
    if call.task in VISION_TASKS:
        return _seen(call, model)
    known = {
        "text-to-image": _images,
        "text-to-speech": _speech,
        "automatic-speech-recognition": _transcripts,
        "feature-extraction": _vectors,
        "sentence-similarity": _similarity,
    }
    return known[call.task](call, model)


def _seen(call: Call, model: str) -> Sequence[Form]:
    body = chat_body(call, model)
    limit = body.json["max_tokens"]
    others = {key: value for key, value in body.json.items() if key != "max_tokens"}
    bodies = (body, Body(json={**others, "max_completion_tokens": limit}))
    return [
        Form(
            path="/chat/completions", bodies=[one], read=CHAT.read,
            reply=lambda received: reply_of(received, model=model),
        )
        for one in bodies
    ]  # fmt: skip


def _images(call: Call, model: str) -> Sequence[Form]:
    """Models of today give base64 and refuse `response_format`; older ones and LocalAI give an address without it."""
    wire = image_base64(None)
    return [Form(path="/images/generations", bodies=wire.bodies(call, model), read=_image)]


def _image(received: Sequence[Received], call: Call, bodies: Sequence[Body]) -> Sequence[Produced]:
    """In base64 in JSON, or the file that was fetched from the address in it."""
    if received[0].media_type == "application/json":
        return image_base64(None).read(received, call, bodies)
    return [picture_output(received[0])]


def _speech(call: Call, model: str) -> Sequence[Form]:
    """As WAV; where that is refused, in whatever format the endpoint gives."""
    voice = str(call.args.get("voice") or _VOICE)
    fields = {"model": model, "input": words_of(call.args), "voice": voice}

    def read(received: Sequence[Received], call: Call, bodies: Sequence[Body]) -> Sequence[Produced]:
        return read_speech(received[0], call, bodies[0])

    return [
        Form(path="/audio/speech", bodies=[Body(json=one)], read=read)
        for one in ({**fields, "response_format": "wav"}, fields)
    ]


def _transcripts(call: Call, model: str) -> Sequence[Form]:
    """With times; some models give plain text only."""
    return [
        Form(
            path="/audio/transcriptions", bodies=form_pieces(call, model, response_format=format_),
            read=read_transcript,
        )
        for format_ in ("verbose_json", "json")
    ]  # fmt: skip


def _vectors(call: Call, model: str) -> Sequence[Form]:
    return [Form(path="/embeddings", bodies=EMBEDDINGS.bodies(call, model), read=EMBEDDINGS.read)]


def _similarity(call: Call, model: str) -> Sequence[Form]:
    if len(texts_of(call)) < 2:
        raise ExpertError("two texts or more are wanted; the first is compared with the others.")

    def read(received: Sequence[Received], call: Call, bodies: Sequence[Body]) -> Sequence[Produced]:
        first, *others = read_embeddings(received[0], call, bodies[0])[0].data
        rows = [
            {"text": text, "score": round(sum(a * b for a, b in zip(first, vector, strict=True)), 4)}
            for text, vector in zip(texts_of(call)[1:], others, strict=True)
        ]
        return [data_output("similarity", rows)]

    return [Form(path="/embeddings", bodies=EMBEDDINGS.bodies(call, model), read=read)]
