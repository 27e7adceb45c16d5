"""What parent and worker say to each other: messages in frames over pipes, large ones through shared memory.

A frame is a flag byte, four bytes of length and a MessagePack body. A body above `LARGE_BYTES` lies in a shared memory
file instead: one without a name per direction, made by the parent and inherited by the child, so that the kernel takes
it back when both are gone, however they ended. One call at a time is under way, so one file per direction is enough.
"""

from __future__ import annotations

import os
import struct
import tempfile
from pathlib import Path
from typing import Any, cast

import msgspec

from dragoman.backends.base import Item, Produced
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Resource, Value

HEADER = struct.Struct(">BI")
LARGE_BYTES = 64 * 1024
MAX_BYTES = 2**31 - 1
_ITEM, _ARRAY = 1, 2  # MessagePack extension codes


class Order(Value, frozen=True, kw_only=True, tag="order"):
    """To the worker: run `task` on this card's adapter, which is loaded from `files` if it is not yet."""

    id: int
    card: ModelCard
    files: dict[str, str]
    task: str
    args: dict[str, Arg]


class Ready(Value, frozen=True, kw_only=True, tag="ready"):
    """From the worker: it is up and takes orders."""

    pid: int


class Told(Value, frozen=True, kw_only=True, tag="told"):
    """From the worker: how far the call is."""

    id: int
    fraction: float
    says: str


class Made(Value, frozen=True, kw_only=True, tag="made"):
    """From the worker: what the call made."""

    id: int
    outputs: tuple[Produced, ...]


class Broke(Value, frozen=True, kw_only=True, tag="broke"):
    """From the worker: why the call failed, fit for a person; `trace` is for the log."""

    id: int
    says: str
    helps: str = ""
    is_passing: bool = False
    trace: str = ""


Message = Order | Ready | Told | Made | Broke


def shared_file() -> int:
    """A new descriptor of shared memory without a name; of an unlinked temporary file where the system has none."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("dragoman", os.MFD_CLOEXEC)
    descriptor, path = tempfile.mkstemp()
    Path(path).unlink()
    return descriptor


def pack(message: Message, *, shared: int) -> bytes:
    """The frame of `message`; a large body is left in the file `shared`. Raises `TypeError` for what JSON can't say."""
    body = _encoder.encode(message)
    if len(body) > MAX_BYTES:
        raise TypeError(f"a message of {len(body)} bytes; at most {MAX_BYTES} pass between a worker and its parent")
    if len(body) <= LARGE_BYTES:
        return HEADER.pack(0, len(body)) + body
    view, at = memoryview(body), 0
    while at < len(view):
        at += os.pwrite(shared, view[at:], at)
    return HEADER.pack(1, len(body))


def unpack(body: bytes | bytearray) -> Message:
    """The message in `body`. Raises `msgspec.DecodeError` if it is none."""
    return _decoder.decode(body)


def take_shared(size: int, *, shared: int) -> bytearray:
    """The `size` bytes that the other side left in `shared`, now emptied. Raises `EOFError` if some are missing."""
    body, at = bytearray(size), 0
    view = memoryview(body)
    while at < size:
        count = os.preadv(shared, [view[at:]], at)
        if count == 0:
            raise EOFError(f"{size} bytes were announced in shared memory, {at} are there")
        at += count
    os.ftruncate(shared, 0)
    return body


def with_items(arg: Arg) -> Arg:
    """The argument with each `Item` as an extension that `unpack` turns into an `Item` again."""
    if isinstance(arg, Item):
        return msgspec.msgpack.Ext(_ITEM, msgspec.msgpack.encode((arg.resource, str(arg.path))))
    if isinstance(arg, (list, tuple)):
        return [with_items(element) for element in cast("list[Arg]", arg)]
    if isinstance(arg, dict):
        return {key: with_items(element) for key, element in cast("dict[str, Arg]", arg).items()}
    return arg


def _enc_hook(value: Any) -> Any:
    # Known by its protocol: numpy itself must not be imported on the parent's side.
    if hasattr(value, "__array_interface__") and hasattr(value, "tobytes"):
        packed = msgspec.msgpack.encode((value.dtype.str, value.shape, value.tobytes()))
        return msgspec.msgpack.Ext(_ARRAY, packed)
    raise NotImplementedError(f"a {type(value).__name__} can't pass between a worker and its parent")


def _ext_hook(code: int, packed: memoryview) -> Any:
    if code == _ITEM:
        resource, path = msgspec.msgpack.decode(packed, type=tuple[Resource, str])
        return Item(resource=resource, path=Path(path))
    if code == _ARRAY:
        import numpy as np

        dtype, shape, raw = msgspec.msgpack.decode(packed, type=tuple[str, tuple[int, ...], bytes])
        return np.frombuffer(raw, dtype=dtype).reshape(shape)
    raise msgspec.ValidationError(f"extension {code} is not known")


_encoder = msgspec.msgpack.Encoder(enc_hook=_enc_hook)
_decoder: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message, ext_hook=_ext_hook)
