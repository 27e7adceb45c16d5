"""Messages between parent and worker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends import wire
from dragoman.backends.base import Item, Produced
from dragoman.backends.box.probe import probe_card
from dragoman.values import Json, Resource

SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text()
ARGS = st.dictionaries(st.text(max_size=5), SCALARS | st.lists(SCALARS, max_size=3) | st.binary(), max_size=4)


@pytest.fixture
def shared() -> Iterator[int]:
    descriptor = wire.shared_file()
    yield descriptor
    os.close(descriptor)


def through(message: wire.Message, *, shared: int = -1) -> wire.Message:
    frame = wire.pack(message, shared=shared)
    is_shared, size = wire.HEADER.unpack(frame[: wire.HEADER.size])
    return wire.unpack(wire.take_shared(size, shared=shared) if is_shared else frame[wire.HEADER.size :])


def order(**args: Json) -> wire.Order:
    return wire.Order(id=1, card=probe_card("Echo", top=5), files={"w": "/w"}, task="t", args=args)


@given(ARGS)
def test_arguments_come_out_as_they_went_in(args: dict[str, Json]):
    """Whatever words, numbers, lists and bytes they are."""
    assert through(order(args=wire.with_items(args))) == order(args=args)


def test_items_come_out_as_items():
    """In lists and in dicts, too."""
    item = Item(resource=Resource(name="a", kind="text", media_type="text/plain", sha256="0"), path=Path("/a"))

    said = through(order(one=wire.with_items(item), many=wire.with_items([item, {"it": item}])))

    assert isinstance(said, wire.Order)
    assert said.args == {"one": item, "many": [item, {"it": item}]}


def test_an_array_comes_out_as_an_array():
    """Shape and type are kept."""
    numpy = pytest.importorskip("numpy")
    array = numpy.arange(6, dtype="int16").reshape(2, 3)

    said = through(order(array=array))

    assert isinstance(said, wire.Order)
    assert said.args["array"].dtype == array.dtype
    assert (said.args["array"] == array).all()


def test_a_large_message_goes_through_shared_memory_which_is_emptied(shared: int):
    """Its frame is a header only."""
    output = Produced(name="a", kind="image", media_type="image/png", payload=os.urandom(200_000))
    made = wire.Made(id=1, outputs=(output,))

    assert len(wire.pack(made, shared=shared)) == wire.HEADER.size
    assert through(made, shared=shared) == made
    assert os.fstat(shared).st_size == 0


def test_shared_memory_that_is_not_there_is_noticed(shared: int):
    """A worker that announces more than it wrote."""
    with pytest.raises(EOFError, match="10 bytes were announced in shared memory, 0 are there"):
        wire.take_shared(10, shared=shared)


def test_what_cannot_pass_is_refused():
    """An object of some class, an unknown extension, bytes that are no message."""
    with pytest.raises(NotImplementedError, match="a object can't pass"):
        through(order(thing=object()))
    with pytest.raises(msgspec.ValidationError, match="extension 9 is not known"):
        through(order(thing=msgspec.msgpack.Ext(9, b"")))
    with pytest.raises(msgspec.DecodeError):
        wire.unpack(b"\xc1")
