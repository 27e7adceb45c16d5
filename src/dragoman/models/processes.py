"""Helper processes (pip, npm, a converter): what they may see, how they are watched, and that they end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from dragoman.errors import FetchError

LOOK_EVERY_S = 0.25
TAIL_BYTES = 16_384

# All else stays out: keys and tokens above all. Packages' own switches are let in by prefix.
SHARED_NAMES = (
    "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "PYTHONHOME", "PYTHONPATH", "SHELL",
    "TEMP", "TMP", "TMPDIR", "TZ", "USER", "VIRTUAL_ENV", "DRAGOMAN_HOME",
)  # fmt: skip
SHARED_PREFIXES = ("LC_", "XDG_", "CUDA_", "OMP_", "MKL_", "OPENBLAS_", "ORT_")
SECRET_ENDINGS = ("_API_KEY", "HF_TOKEN", "HUB_TOKEN", "_SECRET", "_SECRET_ACCESS_KEY")

# The kernel ends the program when its parent is gone, however that ended (Linux; elsewhere it runs to its end).
_TIED = "import ctypes,os,sys;sys.platform=='linux'and ctypes.CDLL(None).prctl(1,9);os.execvp(sys.argv[1],sys.argv[1:])"


def worker_environment(environ: Mapping[str, str], *, threads: int) -> dict[str, str]:
    """The variables for processes that run weights: few of the parent's, none of its secrets; no hub."""
    shared = {k: v for k, v in environ.items() if k in SHARED_NAMES or k.startswith(SHARED_PREFIXES)}
    return shared | {
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "OMP_NUM_THREADS": str(threads),
        "OPENBLAS_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "PYTHONUTF8": "1",
    }


def installer_environment(environ: Mapping[str, str], *, scratch: Path) -> dict[str, str]:
    """The variables for pip and npm: the parent's without the keys of models; temporary files in `scratch`."""
    return {k: v for k, v in environ.items() if not k.endswith(SECRET_ENDINGS)} | {"TMPDIR": str(scratch)}


async def run_watched(
    command: Sequence[str],
    *,
    scratch: Path,
    environ: Mapping[str, str],
    stall_s: float,
    tell: Callable[[int], None],
) -> tuple[int, str]:
    """Run `command` in `scratch`; its exit code and the end of what it printed.

    tell: the bytes in `scratch`, a few times a second. Raises `FetchError` when nothing grows for `stall_s`. Whatever
    ends the wait ends the process and what it started.
    """
    log = scratch / "said.log"
    with log.open("wb") as sink:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", "-c", _TIED, *command),
            cwd=scratch, env=dict(environ), stdin=DEVNULL, stdout=sink, stderr=sink, start_new_session=True,
        )  # fmt: skip
    try:
        await _watch(process, scratch=scratch, stall_s=stall_s, tell=tell)
    except TimeoutError as error:
        raise FetchError(f"{Path(command[0]).name} moved nothing for {stall_s:g} s and was stopped") from error
    finally:
        await _end(process)
    return process.returncode or 0, log.read_bytes()[-TAIL_BYTES:].decode(errors="replace")


async def _watch(process: Process, *, scratch: Path, stall_s: float, tell: Callable[[int], None]) -> None:
    ending = asyncio.ensure_future(process.wait())
    seen_bytes, quiet_s = -1, 0.0
    try:
        while not (await asyncio.wait([ending], timeout=LOOK_EVERY_S))[0]:
            now_bytes = await asyncio.to_thread(bytes_in, scratch)
            quiet_s = 0.0 if now_bytes != seen_bytes else quiet_s + LOOK_EVERY_S
            seen_bytes = now_bytes
            if quiet_s > stall_s:
                raise TimeoutError
            tell(now_bytes)
    finally:
        ending.cancel()


async def _end(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    await asyncio.shield(asyncio.ensure_future(process.wait()))


def bytes_in(folder: Path) -> int:
    """Bytes of all files under `folder`, which may change meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(parent, name)).st_size  # noqa: PTH118 - called often, on many files
    return total
