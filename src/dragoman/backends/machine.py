"""What this machine grants to workers: processors and memory."""

from __future__ import annotations

import math
import os
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")
MOST_THREADS = 8  # past this, models of the box's size gain nothing


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
