"""What a wire format is: a call turned into requests' bodies, and the replies read into outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragoman.backends.base import Call, Produced
from dragoman.backends.exchange import Received
from dragoman.backends.sendable import Picture, Sound
from dragoman.values import Json

__all__ = ["Body", "Read", "Wire", "naming", "single"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    """One request's body: JSON, or bytes of `media_type`, or with `files` a form whose fields are the JSON's.

    accept: the type that is wanted back. files: field, file name, bytes and type of the file in a form.
    picture, sound: what was sent, where the reply's places and times refer to it.
    """

    json: Json = None
    content: bytes | None = None
    media_type: str = "application/json"
    accept: str | None = None
    picture: Picture | None = None
    sound: Sound | None = None
    files: tuple[str, str, bytes, str] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Wire:
    """One task in one format. `bodies` are made of the call and the provider's id of the model; several for the pieces
    of a long recording. Both run in a thread.
    """

    bodies: Callable[[Call, str], Sequence[Body]]
    read: Callable[[Sequence[Received], Call, Sequence[Body]], Sequence[Produced]]


Read = Callable[[Received, Call, Body], Sequence[Produced]]


def single(body: Callable[[Call], Body], read: Read) -> Wire:
    """A wire of one request whose address names the model."""
    return naming(lambda call, model: body(call), read)  # noqa: ARG005


def naming(body: Callable[[Call, str], Body], read: Read) -> Wire:
    """A wire of one request whose body names the model."""
    return Wire(
        bodies=lambda call, model: [body(call, model)],
        read=lambda received, call, bodies: read(received[0], call, bodies[0]),
    )
