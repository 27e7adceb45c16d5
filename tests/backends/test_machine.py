"""What the machine grants."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dragoman.backends.machine import MOST_THREADS, thread_count, usable_cpus, usable_memory_bytes


@pytest.mark.parametrize(("quota", "cpus"), [("50000 100000", 1), ("100000 100000", 1), ("max 100000", None)])
def test_a_control_groups_quota_bounds_the_processors(tmp_path: Path, quota: str, cpus: int | None):
    """A machine that shows 64 cores and grants half of one has one."""
    (tmp_path / "cpu.max").write_text(quota)

    assert usable_cpus(cgroup=tmp_path) == (cpus or len(os.sched_getaffinity(0)))


def test_a_control_groups_limit_bounds_the_memory(tmp_path: Path):
    """Without a limit it is the machine's."""
    whole = usable_memory_bytes(cgroup=tmp_path)
    (tmp_path / "memory.max").write_text("1000000")

    assert usable_memory_bytes(cgroup=tmp_path) == 1_000_000 < whole


def test_a_thread_count_is_the_wish_or_what_is_sensible():
    """0 asks the machine."""
    assert thread_count(3) == 3
    assert 1 <= thread_count(0) <= MOST_THREADS
