"""The pool of worker processes, with real child processes that run the probes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman.backends.base import Call, Item
from dragoman.backends.box.probe import probe_card
from dragoman.backends.workers import WorkerPool
from dragoman.errors import ExpertCrashed, ExpertError, ExpertTimeout
from dragoman.values import Resource

SECRETS = {"OPENAI_API_KEY": "sk-1", "HF_TOKEN": "hf-1", "AWS_SECRET_ACCESS_KEY": "x", "SOME_PASSWORD": "y"}


@pytest.fixture
async def pool(tmp_path: Path) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(tmp_path, threads=2, environ={**os.environ, **SECRETS})
    yield pool
    await pool.aclose()


def call(name: str, *, runtime: str = "probe", deadline_s: float = 30.0, tell: Any = None, **args: Any) -> Call:
    card = probe_card(name, runtime=runtime)
    more = {"tell": tell} if tell else {}
    return Call(run="r", task_id=0, task="probing", card=card, args=args, deadline_s=deadline_s, **more)


async def found(pool: WorkerPool, asked: Call) -> dict[str, Any]:
    (output,) = await pool.run(asked, files={"weights": Path("/nowhere/w.onnx")})
    return output.data


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()


async def until(holds: Callable[[], bool], *, within_s: float = 5.0) -> None:
    started = time.monotonic()
    while not holds():
        assert time.monotonic() - started < within_s, "it did not come true in time"
        await asyncio.sleep(0.01)


async def test_a_call_reaches_its_adapter_with_files_threads_and_items(pool: WorkerPool):
    """Words, numbers, lists and resources come through, in a process that is not this one."""
    resource = Resource(name="a.png", kind="image", media_type="image/png", sha256="00")

    said = await found(pool, call("Echo", text="Où?", scale=2, image=[Item(resource=resource, path=Path("/b/00"))]))

    assert said["args"] == {"text": "Où?", "scale": 2, "image": [{"resource": "a.png", "path": "/b/00"}]}
    assert (said["task"], said["threads"], said["files"]) == ("probing", 2, {"weights": "/nowhere/w.onnx"})
    assert said["pid"] == pool.pids["probe"] != os.getpid()


async def test_a_second_call_finds_the_adapter_loaded(pool: WorkerPool):
    """The same process and the same object answer again."""
    first = await found(pool, call("Echo"))
    second = await found(pool, call("Echo"))

    assert (first["calls"], second["calls"]) == (1, 2)
    assert first["pid"] == second["pid"]


async def test_each_runtime_has_a_process_of_its_own(pool: WorkerPool):
    """Two runtimes answer at the same time."""
    slow = asyncio.create_task(found(pool, call("Sleeper", runtime="one", seconds=30)))
    await until(lambda: "one" in pool.pids)

    said = await found(pool, call("Echo", runtime="two"))

    assert said["pid"] == pool.pids["two"] != pool.pids["one"]
    slow.cancel()
    await asyncio.gather(slow, return_exceptions=True)


async def test_no_secret_and_no_heavy_module_reaches_a_worker(pool: WorkerPool):
    """Keys and tokens stay out; hubs are switched off; the caller's __main__ and heavy libraries aren't loaded."""
    said = await found(pool, call("Echo"))

    assert not set(said["environ"]) & set(SECRETS)
    assert {"HF_HUB_OFFLINE", "TOKENIZERS_PARALLELISM", "OMP_NUM_THREADS"} <= set(said["environ"])
    assert not {"numpy", "onnxruntime", "httpx", "pytest", "asyncio"} & set(said["modules"])


async def test_progress_is_told(pool: WorkerPool):
    """What an adapter tells arrives before its result."""
    told: list[tuple[float, str]] = []

    await found(pool, call("Echo", tell=lambda fraction, says: told.append((fraction, says))))

    assert told == [(0.5, "halfway")]


async def test_what_a_library_prints_does_not_break_the_pipe(pool: WorkerPool):
    """Prints from Python and from below go elsewhere; the next call is fine."""
    assert (await found(pool, call("Printer", lines=5000)))["written"] == 5000 * 14

    assert (await found(pool, call("Echo")))["calls"] == 1


async def test_large_payloads_come_through_shared_memory_and_leave_nothing(pool: WorkerPool):
    """10 MB come back whole, 1 MB goes in, and no file is left in the system's shared memory."""
    before = set(Path("/dev/shm").iterdir())

    payload, total = await pool.run(call("Payload", bytes=10_000_000, given=b"\x01" * 1_000_000), files={})

    assert payload.payload == b"\x07" * 10_000_000
    assert total.data == 1_000_000
    assert set(Path("/dev/shm").iterdir()) == before


async def test_an_array_goes_in_and_comes_back_as_plain_json(pool: WorkerPool):
    """A numpy array of 400 kB arrives as one; the numpy number made from it arrives here as an int."""
    numpy = pytest.importorskip("numpy")

    _, total = await pool.run(call("Payload", bytes=0, given=numpy.ones((100, 1000), dtype="float32")), files={})

    assert total.data == 100_000


async def test_memory_is_given_back_after_each_call(pool: WorkerPool):
    """The parent's descriptors don't grow with calls, nor with workers that were killed."""
    await found(pool, call("Echo"))
    before = len(list(Path("/proc/self/fd").iterdir()))

    for _ in range(3):
        await pool.run(call("Payload", bytes=2_000_000), files={})
        with pytest.raises(ExpertTimeout):
            await found(pool, call("Sleeper", seconds=30, deadline_s=0.05))
    await found(pool, call("Echo"))

    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize("spins", [False, True], ids=["sleeping", "spinning"])
async def test_a_call_past_its_deadline_is_killed_and_its_process_is_gone(pool: WorkerPool, spins: bool):
    """However busy it is. The next call finds a new process."""
    old = (await found(pool, call("Echo")))["pid"]

    with pytest.raises(ExpertTimeout, match=r"took longer than its 0\.2 s for probing"):
        await found(pool, call("Sleeper", seconds=60, spins=spins, deadline_s=0.2))

    assert is_gone(old)
    assert (await found(pool, call("Echo")))["pid"] != old


async def test_a_deadline_counts_from_the_calls_start_and_spares_those_behind(pool: WorkerPool):
    """Three calls of 0.3 s in line with deadlines of 0.8 s pass; the one that hangs costs none of them."""
    await found(pool, call("Echo"))
    hanging = found(pool, call("Sleeper", seconds=60, deadline_s=0.8))
    others = [found(pool, call("Sleeper", seconds=0.3, deadline_s=0.8)) for _ in range(4)]

    results = await asyncio.gather(others[0], hanging, *others[1:], return_exceptions=True)

    assert isinstance(results.pop(1), ExpertTimeout)
    assert [result["calls"] for result in results if isinstance(result, dict)] == [1, 1, 2, 3]


async def test_a_crash_is_tried_once_more_in_a_fresh_process(pool: WorkerPool, tmp_path: Path):
    """The second time it is spared and answers from a new process."""
    old = (await found(pool, call("Echo")))["pid"]

    said = await found(pool, call("Crasher", spare=str(tmp_path / "spare")))

    assert said["calls"] == 1
    assert said["pid"] != old
    assert is_gone(old)


async def test_two_crashes_are_the_calls_own(pool: WorkerPool, tmp_path: Path):
    """The error says how the process ended and where its last words are; a queued call is served."""
    crash = found(pool, call("Crasher"))
    behind = found(pool, call("Echo"))

    crashed, said = await asyncio.gather(crash, behind, return_exceptions=True)

    assert isinstance(crashed, ExpertCrashed)
    assert "`probe-crasher` can't do probing here: its worker process crashed (SIGABRT), twice" in str(crashed)
    assert "probe.py" in (tmp_path / "logs" / "workers.log").read_text()
    assert said["calls"] == 1


async def test_a_worker_killed_in_mid_call_is_replaced(pool: WorkerPool, tmp_path: Path):
    """Somebody's kill -9 costs the call a second try, not the result."""
    marker = tmp_path / "marker"
    asked = asyncio.create_task(found(pool, call("Sleeper", seconds=0.4, marker=str(marker))))
    await until(lambda: marker.exists() and marker.read_text() != "")
    victim = int(marker.read_text())

    os.kill(victim, signal.SIGKILL)

    assert (await asked)["pid"] != victim


async def test_a_worker_that_died_while_idle_is_replaced(pool: WorkerPool):
    """The next call is served."""
    old = (await found(pool, call("Echo")))["pid"]
    os.kill(old, signal.SIGKILL)

    assert (await found(pool, call("Echo")))["pid"] != old


async def test_cancelling_a_running_call_ends_its_process(pool: WorkerPool, tmp_path: Path):
    """And lets the next in line go on."""
    marker = tmp_path / "marker"
    running = asyncio.create_task(found(pool, call("Sleeper", seconds=60, spins=True, marker=str(marker))))
    await until(lambda: marker.exists() and marker.read_text() != "")
    behind = asyncio.create_task(found(pool, call("Echo")))

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert is_gone(int(marker.read_text()))
    assert (await behind)["calls"] == 1


async def test_cancelling_a_queued_call_leaves_the_running_one_alone(pool: WorkerPool):
    """It leaves the line; nothing is killed for it."""
    running = asyncio.create_task(found(pool, call("Sleeper", seconds=0.5)))
    await until(lambda: "probe" in pool.pids)
    queued = asyncio.create_task(found(pool, call("Echo")))
    await asyncio.sleep(0.05)

    queued.cancel()

    assert (await running)["pid"] == pool.pids["probe"]


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("expert", "the recording has no speech"),
        ("media", "`a.png` is empty"),
        ("value", "`probe-raiser` failed: ValueError: shapes (3,) and (4,) differ"),
        ("memory", "`probe-raiser` ran out of memory"),
        ("module", "`probe-raiser` needs the Python package `onnx`, which is not installed"),
        ("exit", "`probe-raiser` failed: SystemExit: 3"),
    ],
)
async def test_what_an_adapter_raises_becomes_a_reason_for_a_person(pool: WorkerPool, what: str, says: str):
    """One line; the process stays."""
    with pytest.raises(ExpertError) as raised:
        await found(pool, call("Raiser", what=what))

    assert raised.value.says == says
    assert raised.value.is_passing == (what == "expert")
    assert "probe" in pool.pids


async def test_the_traceback_goes_to_the_log_only(pool: WorkerPool, tmp_path: Path):
    """A person gets one line; whoever looks into it finds the rest."""
    with pytest.raises(ExpertError) as raised:
        await found(pool, call("Raiser", what="value"))

    assert "Traceback" not in str(raised.value)
    assert "Traceback" in (tmp_path / "logs" / "workers.log").read_text()


async def test_an_adapter_outside_the_box_is_never_loaded(pool: WorkerPool):
    """A card can't name `os:system`."""
    from msgspec.structs import replace

    card = replace(probe_card("Echo"), adapter="os:system")
    asked = Call(run="r", task_id=0, task="probing", card=card, args={}, deadline_s=5)

    with pytest.raises(ExpertError, match=r"names the adapter `os:system`; adapters live under"):
        await pool.run(asked, files={})


async def test_closing_ends_busy_and_idle_workers_and_refuses_calls(tmp_path: Path):
    """Within 2 s; the calls under way and in line fail with a reason."""
    pool = WorkerPool(tmp_path)
    await found(pool, call("Echo", runtime="idle"))
    busy = [asyncio.create_task(found(pool, call("Sleeper", seconds=60, spins=True, runtime="busy"))) for _ in range(2)]
    await until(lambda: "busy" in pool.pids)
    pids = list(pool.pids.values())

    async with asyncio.timeout(2):
        await pool.aclose()

    assert all(is_gone(pid) for pid in pids)
    for failed in await asyncio.gather(*busy, return_exceptions=True):
        assert isinstance(failed, ExpertError)
        assert "shut down" in failed.says
    with pytest.raises(ExpertError, match="shut down"):
        await found(pool, call("Echo"))


@pytest.mark.parametrize("spins", [False, True], ids=["sleeping", "spinning"])
async def test_no_worker_outlives_a_parent_that_was_killed(tmp_path: Path, spins: bool):
    """A kill -9 of the parent takes the busy child along."""
    marker = tmp_path / "marker"
    program = f"""
import asyncio
from pathlib import Path
from dragoman.backends.base import Call
from dragoman.backends.box.probe import probe_card
from dragoman.backends.workers import WorkerPool
args = {{"seconds": 60, "spins": {spins}, "marker": {str(marker)!r}}}
call = Call(run="r", task_id=0, task="probing", card=probe_card("Sleeper"), args=args, deadline_s=60)
asyncio.run(WorkerPool(Path({str(tmp_path)!r})).run(call, files={{}}))
"""
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    await until(lambda: marker.exists() and marker.read_text() != "", within_s=20)
    worker = int(marker.read_text())
    assert not is_gone(worker)

    parent.kill()
    await parent.wait()

    await until(lambda: is_gone(worker), within_s=3)


async def test_the_log_is_bounded(pool: WorkerPool, tmp_path: Path):
    """Past a megabyte the old part moves to a second file, which the next move replaces."""
    log = tmp_path / "logs" / "workers.log"
    log.parent.mkdir()
    log.write_text("x" * 1_000_001)

    with pytest.raises(ExpertError):
        await found(pool, call("Raiser", what="value"))

    assert log.stat().st_size < 10_000
    assert (tmp_path / "logs" / "workers.1.log").stat().st_size == 1_000_001
