"""What this machine grants to workers: processors, memory, and the part of the environment that is theirs to see."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
MOST_THREADS = 8  # past this, models of the box's size gain nothing

# All else stays out: keys and tokens above all. Packages' own switches are let in by prefix.
SHARED_NAMES = (
    "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "PYTHONHOME", "PYTHONPATH", "SHELL",
    "TEMP", "TMP", "TMPDIR", "TZ", "USER", "VIRTUAL_ENV", "DRAGOMAN_HOME",
)  # fmt: skip
SHARED_PREFIXES = ("LC_", "XDG_", "CUDA_", "OMP_", "MKL_", "OPENBLAS_", "ORT_")


def usable_cpus(*, cgroup: Path = CGROUP) -> int:
    """How many processors this process may use: its affinity, or the control group's quota where that is less."""
    granted = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = (cgroup / "cpu.max").read_text(encoding="ascii").split()
        return max(1, min(granted, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):
        return max(1, granted)


def usable_memory_bytes(*, cgroup: Path = CGROUP) -> int:
    """How much memory this process may use at the most: the machine's, or the control group's limit where less."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(total, int((cgroup / "memory.max").read_text(encoding="ascii")))
    except (OSError, ValueError):
        return total


def thread_count(wanted: int) -> int:
    """`wanted` threads for a worker; 0 means as many as the machine grants, within reason."""
    return wanted if wanted > 0 else min(usable_cpus(), MOST_THREADS)


def worker_environment(environ: Mapping[str, str], *, threads: int) -> dict[str, str]:
    """The variables that a worker gets: few of the parent's and none of its secrets; no hub, a fixed thread count."""
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
