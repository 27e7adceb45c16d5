"""Room for work under way: locked folders, scratch folders that are swept, threads that can be told to stop."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import tempfile
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
TRY_EVERY_S = 0.1
YOUNG_S = 60.0


@asynccontextmanager
async def locked(folder: Path) -> AsyncGenerator[None]:
    """Alone with `folder`, which is made if needed, among all processes and tasks. The kernel frees it with its holder.

    The lock is on the folder itself: no lock file is left behind.
    """
    descriptor = _opened(folder)
    try:
        # Tried again and again: a thread that waits in flock() could not be cancelled.
        while not _lock(descriptor):  # noqa: ASYNC110 - another process holds it: there is no event to wait for
            await asyncio.sleep(TRY_EVERY_S)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def scratch_folder(root: Path) -> Generator[Path]:
    """A new folder under `root`, removed afterwards; those of processes that were killed are swept first."""
    root.mkdir(parents=True, exist_ok=True)
    _sweep(root)
    folder = Path(tempfile.mkdtemp(dir=root))
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


async def in_thread(work: Callable[[threading.Event], T]) -> T:
    """What `work(stop)` returns, run in a thread. Cancelled, it sets `stop` and waits until the thread has seen it."""
    stop = threading.Event()
    running = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        with suppress(Exception):
            await running
        raise


def _opened(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    return os.open(folder, os.O_RDONLY)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sweep(root: Path) -> None:
    for folder in root.iterdir():
        with suppress(OSError):
            # A folder this young may be one that its maker has not locked yet.
            if time.time() - folder.stat().st_mtime < YOUNG_S:
                continue
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                if _lock(descriptor):
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(descriptor)
