"""One worker process as its parent sees it: started, asked, listened to, ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress

import msgspec

from dragoman.backends import wire
from dragoman.backends.base import Produced, Tell
from dragoman.errors import ExpertError

BOOT_S = 60.0
STDERR_BYTES = 16_384


class ChildDied(Exception):
    """The process went away, or spoke out of turn, before it answered."""


class CallBroke(ExpertError):
    """The adapter gave up on the call; its process is well. `trace` is for the log."""

    def __init__(self, broke: wire.Broke) -> None:
        super().__init__(broke.says, helps=broke.helps, is_passing=broke.is_passing)
        self.trace = broke.trace


class Child:
    """A worker process that takes one call at a time. Made by `Child.spawn`, up after `boot`, gone after `end`."""

    def __init__(self, process: Process, *, inbox: int, outbox: int) -> None:
        self._process = process
        self._inbox = inbox
        self._outbox = outbox
        self._said = bytearray()
        self._listener = asyncio.create_task(self._listen())
        self._burial: asyncio.Task[None] | None = None

    @classmethod
    async def spawn(cls, *, environ: Mapping[str, str], threads: int) -> Child:
        """A worker that is starting. Raises `OSError` if the system can't start one."""
        inbox, outbox = wire.shared_file(), wire.shared_file()
        # -P: a file in the working folder must not pass for a library.
        command = (sys.executable, "-P", "-m", "dragoman.backends.worker", "serve")
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                *map(str, (os.getpid(), inbox, outbox, threads)),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env=dict(environ),
                pass_fds=(inbox, outbox),
                start_new_session=True,
            )
        except BaseException:
            os.close(inbox)
            os.close(outbox)
            raise
        return cls(process, inbox=inbox, outbox=outbox)

    @property
    def pid(self) -> int:
        """Its process id, which is its process group's, too."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether its end has not been seen yet."""
        return self._process.returncode is None

    @property
    def ending(self) -> str:
        """How it ended, in words for a person."""
        code = self._process.returncode
        if code == -signal.SIGKILL:
            return "was killed, perhaps for want of memory"
        if code is not None and code < 0:
            return f"crashed ({signal.Signals(-code).name})"
        return f"ended by itself (exit {code})"

    @property
    def last_words(self) -> str:
        """The end of what it printed, for the log."""
        return self._said.decode(errors="replace").strip()

    async def boot(self) -> None:
        """Wait until it is up. Raises `ChildDied` if it is not within a minute."""
        try:
            async with asyncio.timeout(BOOT_S):
                await self._hear()
        except TimeoutError as error:
            raise ChildDied(f"it was not up after {BOOT_S:.0f} s") from error

    async def call(self, order: wire.Order, *, tell: Tell) -> tuple[Produced, ...]:
        """What the order made. Raises `CallBroke`, or `ChildDied` if the process went away."""
        await self._send(order)
        while True:
            match await self._hear():
                case wire.Told(id=order.id, fraction=fraction, says=says):
                    tell(fraction, says)
                case wire.Made(id=order.id, outputs=outputs):
                    return outputs
                case wire.Broke(id=order.id) as broke:
                    raise CallBroke(broke)
                case other:
                    raise ChildDied(f"it said {type(other).__name__} out of turn")

    async def end(self) -> None:
        """Kill it with all that it started, and come back when it is gone."""
        if self.is_alive:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        if self._burial is None:
            self._burial = asyncio.create_task(self._bury())
        await asyncio.shield(self._burial)

    async def _send(self, order: wire.Order) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(wire.pack(order, shared=self._inbox))
            await self._process.stdin.drain()
        except ConnectionError as error:
            raise ChildDied("it went away before it was asked") from error

    async def _hear(self) -> wire.Message:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            is_shared, size = wire.HEADER.unpack(await stdout.readexactly(wire.HEADER.size))
            if is_shared:
                return wire.unpack(await asyncio.to_thread(wire.take_shared, size, shared=self._outbox))
            return wire.unpack(await stdout.readexactly(size))
        except (asyncio.IncompleteReadError, ConnectionError, EOFError) as error:
            raise ChildDied("it went away") from error
        except msgspec.DecodeError as error:
            raise ChildDied(f"it can't be understood: {error}") from error

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        while piece := await self._process.stderr.read(4096):
            self._said += piece
            del self._said[:-STDERR_BYTES]

    async def _bury(self) -> None:
        await self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()
        # What it started may have left its group and hold standard error open; that end is not waited for long.
        await asyncio.wait([self._listener], timeout=0.5)
        self._listener.cancel()
        os.close(self._inbox)
        os.close(self._outbox)
