"""Ctrl-C: work ends within two seconds, at the second one at once; nothing is left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman.cli import early
from dragoman.cli.interrupts import Loop

PROGRAM = Path(__file__).with_name("fake_dragoman.py")
PATIENCE_S = 20.0  # for starting under load; what is promised is measured from the signal


@pytest.fixture
def asking(home: Path, tmp_path: Path) -> Callable[[str], subprocess.Popen[str]]:
    """A process that runs one task on a text, up to the moment when its expert has begun."""
    mark = tmp_path / "mark"

    def ask(text: str) -> subprocess.Popen[str]:
        plan = json.dumps([{"task": "summarization", "id": 0, "dep": [-1], "args": {"text": text}}])
        (tmp_path / "script").write_text(json.dumps({"stage": "plan", "reply": plan}))
        argv = (str(mark), "ask", "Shorten it", "--mind", f"scripted:{tmp_path / 'script'}")
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), *argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + PATIENCE_S
        while not mark.exists():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.05)
        return process

    return ask


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str, float]:
    """Exit code, output, error, and how long the end took."""
    began = time.monotonic()
    out, err = process.communicate(timeout=PATIENCE_S)
    return process.returncode, out, err, time.monotonic() - began


def test_ctrl_c_ends_a_run_and_says_what_is_kept(asking: Any, cli: Any):
    """While an expert works."""
    process = asking("a text")
    process.send_signal(signal.SIGINT)
    code, out, err, _ = ended(process)

    assert code == 130
    assert out == ""
    assert "Traceback" not in err
    assert "stopped; the request is kept: dragoman resume " in err
    assert cli("show", err.split()[-1]).code == 0
    assert cli("runs", "--json").json[0]["status"] == "cancelled"


def test_work_that_does_not_end_is_ended(asking: Any):
    """An expert that takes no cancellation costs less than its minute."""
    process = asking("hang")
    process.send_signal(signal.SIGINT)
    code, _, err, took_s = ended(process)

    assert code == 130
    assert "Traceback" not in err
    assert took_s < 10


def test_a_second_ctrl_c_ends_at_once(asking: Any):
    """Before the patience for the first is over."""
    process = asking("hang")
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    code, _, err, took_s = ended(process)

    assert code == 130
    assert "Traceback" not in err
    assert took_s < 1.2


def test_sigterm_stops_in_order_too(asking: Any, cli: Any):
    """As `kill` and service managers send it."""
    process = asking("a text")
    process.send_signal(signal.SIGTERM)

    assert ended(process)[0] == 130
    assert cli("runs", "--json").json[0]["status"] == "cancelled"


def test_no_worker_outlives_its_run(home: Path, tmp_path: Path):
    """A real worker process, busy, when Ctrl-C comes twice."""
    mark = tmp_path / "mark"
    program = f"""
import asyncio
from pathlib import Path
from dragoman.backends.base import Call
from dragoman.backends.box.backend import BoxBackend
from dragoman.backends.box.probe import probe_card
from dragoman.cli.interrupts import Loop

async def work():
    card = probe_card("Sleeper")
    box = BoxBackend(Path({str(home)!r}), shelf=[card])
    args = {{"seconds": 60, "spins": True, "marker": {str(mark)!r}}}
    try:
        await box.run(Call(run="r", task_id=0, task="t", card=card, args=args, deadline_s=60))
    except asyncio.CancelledError:
        await asyncio.sleep(60)

with Loop() as loop:
    loop.run(work())
"""
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + PATIENCE_S
    while not (mark.exists() and mark.read_text()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)

    assert process.returncode in (130, -signal.SIGINT)
    assert is_gone(int(mark.read_text()))


def is_gone(pid: int) -> bool:
    """Whether the process ends within a few seconds."""
    for _ in range(50):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_ctrl_c_that_python_lost_while_loading_still_counts():
    """It was noted, and whatever begins next does not begin."""
    with pytest.raises(KeyboardInterrupt):
        early.note(signal.SIGINT, None)
    begun: list[str] = []

    async def work() -> None:
        begun.append("work")

    with Loop() as loop:
        with pytest.raises(KeyboardInterrupt):
            loop.run(work())
        assert begun == []
        loop.run(work())

    assert begun == ["work"]
