"""Errors that nobody foresaw: one line for the person, the traceback in a log."""

from __future__ import annotations

import errno
import tempfile
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from dragoman.cli.terminal import Terminal

__all__ = ["complain_about"]

_LOG_BYTES = 1_000_000


def complain_about(error: Exception, *, argv: list[str], terminal: Terminal) -> None:
    """Say in a line what happened. `DRAGOMAN_DEBUG=1` shows the traceback, too."""
    if terminal.environ.get("DRAGOMAN_DEBUG", "") not in ("", "0"):
        terminal.say("".join(traceback.format_exception(error)).rstrip())
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        terminal.complain("no space is left on the disk that was written to.", helps="make room and try again.")
        return
    what = f"{type(error).__name__}: {str(error)[:200]}".rstrip(": ")
    log = _logged(error, argv=argv)
    where = f"the details are in {log}" if log else "the details could not be written to a log"
    terminal.complain(f"something went wrong inside ({what}).", helps=f"{where}; DRAGOMAN_DEBUG=1 shows them here.")


def _logged(error: Exception, *, argv: list[str]) -> Path | None:
    """The log in the home folder, or where that can't be written, in the folder for temporary files."""
    entry = f"{datetime.now(UTC).isoformat(timespec='seconds')} dragoman {' '.join(argv[:1])}\n"
    entry += "".join(traceback.format_exception(error)) + "\n"
    for folder in (_home_logs, _new_folder):
        with suppress(OSError, RuntimeError, ValueError):
            return _appended(folder() / "dragoman.log", entry)
    return None


def _home_logs() -> Path:
    from dragoman.config import Settings

    return Settings.from_env().home / "logs"


def _new_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="dragoman-"))


def _appended(path: Path, entry: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > _LOG_BYTES:
        path.replace(path.with_suffix(".1.log"))
    with path.open("a", encoding="utf-8", errors="backslashreplace") as log:
        log.write(entry)
    return path
