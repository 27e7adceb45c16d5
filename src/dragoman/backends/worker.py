"""A worker process: loads adapters, runs their calls one at a time, and ends with its parent.

`python -m dragoman.backends.worker serve …` is started by `backends.workers`, `… convert …` by `models.fetch`. What a
library prints goes to standard error, so that it can't break into the frames. Ctrl-C is the parent's business.
"""

from __future__ import annotations

import math
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from dragoman.backends.base import Adapter, Produced, Tell
from dragoman.backends.wire import HEADER, Broke, Made, Message, Order, Ready, Told, pack, take_shared, unpack
from dragoman.errors import DragomanError, ExpertError
from dragoman.models.card import ADAPTERS, ModelCard
from dragoman.registry import load
from dragoman.values import Json

TELL_EVERY_S = 0.05
TRACE_CHARS = 16_000
PR_SET_PDEATHSIG = 1


class ConvertJob(msgspec.Struct, frozen=True, kw_only=True):
    """What `convert` is told on its command line, as JSON: `module:function`, the input files, the folder to write."""

    function: str
    files: dict[str, str]
    out: str


class Bench:
    """The adapters that this process has loaded, and the calls that run on them."""

    def __init__(self, *, threads: int, send: Callable[[Message], None]) -> None:
        self._threads = threads
        self._send = send
        self._loaded: dict[tuple[str, str, tuple[str, ...]], Adapter] = {}

    def answer(self, order: Order) -> None:
        """Run the order and send what it made, or why it broke. Raises nothing but what ends the process."""
        try:
            outputs = self._adapter(order).run(task=order.task, args=order.args, tell=self._teller(order.id))
            reply: Message = Made(id=order.id, outputs=tuple(plain_output(output) for output in outputs))
            self._send(reply)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - third-party code: whatever it raises becomes a reason
            self._send(reason(error, call_id=order.id, card=order.card))

    def _adapter(self, order: Order) -> Adapter:
        key = (order.card.id, order.card.revision, tuple(order.files.values()))
        if key not in self._loaded:
            files = {name: Path(path) for name, path in order.files.items()}
            self._loaded[key] = load_adapter(order.card, files=files, threads=self._threads)
        return self._loaded[key]

    def _teller(self, call_id: int) -> Tell:
        told_at = -math.inf

        def tell(fraction: float, says: str) -> None:
            nonlocal told_at
            if time.monotonic() - told_at >= TELL_EVERY_S:
                told_at = time.monotonic()
                self._send(Told(id=call_id, fraction=float(fraction), says=str(says)[:200]))

        return tell


def load_adapter(card: ModelCard, *, files: Mapping[str, Path], threads: int) -> Adapter:
    """The card's adapter with its weights loaded. Raises `ExpertError` for a path outside the box's adapters."""
    if not card.adapter.startswith(ADAPTERS):
        raise ExpertError(f"`{card.id}` names the adapter `{card.adapter}`; adapters live under {ADAPTERS}")
    return load(card.adapter)(card=card, files=dict(files), threads=threads)


def plain_output(output: object) -> Produced:
    """The output with its data as plain JSON. Raises `TypeError` if it is no `Produced` or holds something else."""
    if not isinstance(output, Produced):
        raise TypeError(f"an adapter returns Produced values, this one returned {type(output).__name__}")
    return msgspec.structs.replace(output, data=plain(output.data))


def plain(data: Any) -> Json:
    """`data` as JSON can say it: arrays as lists, numbers that are not finite as None. Raises `TypeError`."""
    if isinstance(data, str):
        return str(data)
    if data is None or isinstance(data, (bool, int)):
        return data
    if isinstance(data, float):
        return float(data) if math.isfinite(data) else None
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in cast("dict[Any, Any]", data).items()}
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in cast("list[Any]", data)]
    if hasattr(data, "tolist"):
        return plain(data.tolist())
    raise TypeError(f"data holds a {type(data).__name__}, which JSON can't say")


def reason(error: BaseException, *, call_id: int, card: ModelCard) -> Broke:
    """Why a call failed, in one line for a person; what was raised on purpose keeps its words."""
    if isinstance(error, ExpertError):
        return Broke(id=call_id, says=error.says, helps=error.helps, is_passing=error.is_passing)
    if isinstance(error, DragomanError):
        return Broke(id=call_id, says=error.says, helps=error.helps)
    trace = "".join(traceback.format_exception(error))[-TRACE_CHARS:]
    if isinstance(error, MemoryError):
        return Broke(id=call_id, says=f"`{card.id}` ran out of memory", helps="Try a smaller input.", trace=trace)
    if isinstance(error, ModuleNotFoundError):
        says = f"`{card.id}` needs the Python package `{error.name}`, which is not installed"
        return Broke(id=call_id, says=says, helps="pip install 'dragoman[box]'", trace=trace)
    first_line = str(error).strip().partition("\n")[0][:200]
    says = f"`{card.id}` failed: {type(error).__name__}" + (f": {first_line}" if first_line else "")
    return Broke(id=call_id, says=says, trace=trace)


def serve(*, inbox: int, outbox: int, threads: int) -> None:
    """Answer orders from standard input until it ends. inbox, outbox: shared memory for large messages in and out."""
    source, sink = _claim_pipes()
    lock = threading.Lock()

    def send(message: Message) -> None:
        with lock:
            sink.write(pack(message, shared=outbox))
            sink.flush()

    orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
    threading.Thread(target=_read_orders, args=(source, inbox, orders), daemon=True).start()
    bench = Bench(threads=threads, send=send)
    send(Ready(pid=os.getpid()))
    while True:
        bench.answer(orders.get())


def _claim_pipes() -> tuple[BinaryIO, BinaryIO]:
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink


def _read_orders(source: BinaryIO, inbox: int, orders: queue.SimpleQueue[Order]) -> None:
    # A thread of its own: the end of standard input must end this process in the middle of a call, too.
    while len(header := source.read(HEADER.size)) == HEADER.size:
        is_shared, size = HEADER.unpack(header)
        body = take_shared(size, shared=inbox) if is_shared else source.read(size)
        order = unpack(body)
        if isinstance(order, Order):
            orders.put(order)
    os._exit(0)


def convert(job: ConvertJob) -> None:
    """Run a card's `convert` on its input files. Raises `ExpertError` for a function outside the box."""
    os.dup2(2, 1)
    if not job.function.startswith(ADAPTERS):
        raise ExpertError(f"`{job.function}` can't convert: such functions live under {ADAPTERS}")
    load(job.function)({name: Path(path) for name, path in job.files.items()}, Path(job.out))


def end_with(parent_pid: int) -> None:
    """Make the kernel end this process when its parent is gone, however busy it is then (Linux only)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(0)


def _be_a_good_child() -> None:
    import faulthandler
    import resource

    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # When memory runs out, the kernel shall end the worker and leave the run alive.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")


def main(argv: list[str]) -> None:
    """`serve PARENT INBOX OUTBOX THREADS` or `convert PARENT JOB`."""
    end_with(int(argv[1]))
    _be_a_good_child()
    if argv[0] == "serve":
        serve(inbox=int(argv[2]), outbox=int(argv[3]), threads=int(argv[4]))
    else:
        convert(msgspec.json.decode(argv[2], type=ConvertJob))


if __name__ == "__main__":
    main(sys.argv[1:])
