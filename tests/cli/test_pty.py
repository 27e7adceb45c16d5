"""A person at a terminal: the question before a download, the live view, Ctrl-C typed."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("fake_dragoman.py")
PATIENCE_S = 20.0


class Person:
    """Somebody who types at a pseudo-terminal and reads what it shows."""

    def __init__(self, argv: list[str], *, columns: int = 100) -> None:
        self._here, there = pty.openpty()
        environ = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "30"}
        self.process = subprocess.Popen(
            argv, stdin=there, stdout=there, stderr=there, env=environ, start_new_session=True, close_fds=True
        )
        os.close(there)
        os.set_blocking(self._here, False)
        self.seen = ""

    def wait_for(self, words: str) -> None:
        """Read until `words` are shown."""
        until = time.monotonic() + PATIENCE_S
        while words not in self.seen:
            assert time.monotonic() < until, self.seen
            self._read()

    def type(self, keys: str) -> None:
        os.write(self._here, keys.encode())

    def end(self) -> int:
        """The exit code."""
        until = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < until, self.seen
            self._read()
        self._read()
        return self.process.returncode

    def leave(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._here)

    def _read(self) -> None:
        time.sleep(0.02)
        try:
            self.seen += os.read(self._here, 65536).decode(errors="replace")
        except (BlockingIOError, OSError):
            return


@pytest.fixture
def person(home: Path, tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Somebody who has asked for a summary that needs a download of 5 MB."""
    people: list[Person] = []

    def ask(*options: str) -> Person:
        plan = json.dumps([{"task": "summarization", "id": 0, "dep": [-1], "args": {"text": "a tale"}}])
        (tmp_path / "script").write_text(json.dumps({"stage": "plan", "reply": plan}))
        mind = f"scripted:{tmp_path / 'script'}"
        argv = [sys.executable, str(PROGRAM), str(tmp_path / "mark"), "ask", "Shorten it", "--mind", mind, *options]
        people.append(Person(argv))
        return people[-1]

    yield ask
    for one in people:
        one.leave()


def test_a_download_is_asked_for_with_size_and_licence(person: Callable[..., Person]):
    """No is no: exit 1, with the command for later."""
    one = person()
    one.wait_for("[Y/n]")
    assert "fake-summarization  5 MB, licence Apache-2.0" in one.seen
    one.type("perhaps\n")
    one.wait_for("y or n, please.")
    one.type("n\n")

    assert one.end() == 1
    assert "was turned down" in one.seen
    assert "dragoman models fetch fake-summarization" in one.seen


def test_ctrl_c_at_the_question_ends_quietly(person: Callable[..., Person]):
    """Typed, not sent."""
    one = person()
    one.wait_for("[Y/n]")
    # A session of its own has no controlling terminal: the signal is sent as the terminal would.
    one.process.send_signal(2)

    assert one.end() == 130
    assert "Traceback" not in one.seen
    assert "stopped; the request is kept" in one.seen


def test_yes_shows_the_live_view_until_ctrl_c(person: Callable[..., Person]):
    """The task and its model are drawn; the cursor is shown again at the end."""
    one = person()
    one.wait_for("[Y/n]")
    one.type("\n")
    one.wait_for("fake-summarization\x1b")
    one.wait_for("running")
    one.process.send_signal(2)

    assert one.end() == 130
    assert "Traceback" not in one.seen
    assert one.seen.rfind("\x1b[?25h") > one.seen.rfind("\x1b[?25l")
