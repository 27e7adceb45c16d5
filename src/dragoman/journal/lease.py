"""Whose run it is: one process at a time works on a run, and a dead process holds nothing."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from dragoman.errors import StoreError, UsageError

__all__ = ["lease"]


@contextmanager
def lease(home: Path, run: str) -> Generator[None]:
    """Hold `run` while the block runs. Raises `UsageError` if another process works on it.

    The lock belongs to the open file, so that the system takes it back when a process dies.
    """
    path = home / "locks" / run
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise StoreError(f"the home folder {home} can't be written: {error.strerror}.") from error
    try:
        _lock(handle, run)
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(handle)


def _lock(handle: int, run: str) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on this system: then nobody else is kept out
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(f"run {run} is being worked on by another process.", helps="wait for it, or end it") from error
