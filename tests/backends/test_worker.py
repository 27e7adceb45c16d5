"""What a worker does with a call, tried inside this process."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from dragoman.backends import worker
from dragoman.backends.base import Produced
from dragoman.backends.box.probe import probe_card
from dragoman.backends.wire import Broke, Made, Message, Order, Told
from dragoman.errors import ExpertError


def order(name: str, **args: Any) -> Order:
    return Order(id=7, card=probe_card(name), files={}, task="probing", args=args)


def answered(*orders: Order) -> list[Message]:
    said = list[Message]()
    bench = worker.Bench(threads=1, send=said.append)
    for each in orders:
        bench.answer(each)
    return said


def test_a_call_is_answered_with_progress_and_outputs():
    """Each message names the call."""
    told, made = answered(order("Payload", bytes=3))

    assert told == Told(id=7, fraction=0.5, says="halfway")
    assert isinstance(made, Made)
    assert [(output.name, output.payload) for output in made.outputs] == [("payload", b"\x07" * 3), ("sum", None)]


def test_a_failed_call_is_answered_with_a_reason_and_the_bench_goes_on():
    """The traceback is apart from the reason."""
    replies = [said for said in answered(order("Raiser", what="value"), order("Echo")) if not isinstance(said, Told)]

    assert isinstance(replies[0], Broke)
    assert replies[0].says == "`probe-raiser` failed: ValueError: shapes (3,) and (4,) differ"
    assert "Traceback" in replies[0].trace
    assert isinstance(replies[1], Made)


def test_what_is_no_output_is_refused():
    """An adapter that returns words instead of values."""
    with pytest.raises(TypeError, match="returns Produced values, this one returned str"):
        worker.plain_output("a cat")


def test_data_becomes_plain_json():
    """Arrays and numpy numbers become lists and numbers; what JSON can't say becomes null."""
    numpy = pytest.importorskip("numpy")
    data = {
        1: (numpy.float32(0.5), numpy.int64(3), numpy.bool_(True), numpy.str_("é")),
        "array": numpy.array([[1.0, math.nan]]),
        "rest": [None, True, "a", math.inf, 2],
    }

    said = worker.plain_output(Produced(name="d", kind="data", media_type="application/json", data=data)).data

    assert said == {"1": [0.5, 3, True, "é"], "array": [[1.0, None]], "rest": [None, True, "a", None, 2]}
    assert [type(value) for value in said["1"]] == [float, int, bool, str]


def test_data_that_json_cannot_say_is_refused():
    """A set is no list."""
    with pytest.raises(TypeError, match="data holds a set, which JSON can't say"):
        worker.plain({"found": {1, 2}})


def test_a_converter_writes_into_the_folder_it_is_given(tmp_path: Path):
    """Files come by name."""
    (tmp_path / "w").write_bytes(b"abc")
    job = worker.ConvertJob(
        function="dragoman.backends.box.probe:reverse", files={"w": str(tmp_path / "w")}, out=str(tmp_path)
    )

    worker.convert(job)

    assert (tmp_path / "w.reversed").read_bytes() == b"cba"
    with pytest.raises(ExpertError, match="such functions live under"):
        worker.convert(worker.ConvertJob(function="os:system", files={}, out=""))


def test_importing_the_worker_loads_nothing_heavy():
    """It must be up in a tenth of a second."""
    import subprocess
    import sys

    program = "import dragoman.backends.worker, sys; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert not {name for name in ("numpy", "httpx", "rich", "asyncio", "PIL", "onnxruntime") if f"'{name}'" in loaded}
