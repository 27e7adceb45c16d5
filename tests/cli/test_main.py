"""The command line as a whole: help, usage errors, and that no traceback reaches a person."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dragoman import __version__
from dragoman.cli.commands import COMMANDS

HEAVY = ("torch", "onnxruntime", "httpx", "rich", "numpy", "msgspec", "PIL", "av")


def dragoman(*argv: str, home: Path, stdout: Any = subprocess.PIPE, **environ: str) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "dragoman", *argv],
        stdout=stdout,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=60,
        check=False,
        env={**os.environ, "DRAGOMAN_HOME": str(home), **environ},
    )


def test_help_lists_every_command(cli: Any):
    """With no words at all, too."""
    ran = cli("--help")

    assert ran.code == 0
    assert all(f"  {name} " in ran.out for name in COMMANDS)
    assert cli().out == ran.out


@pytest.mark.parametrize("name", [*COMMANDS, "models fetch", "models why"])
def test_each_command_has_help(cli: Any, name: str):
    """`dragoman COMMAND --help` on standard output, exit 0."""
    ran = cli(*name.split(), "--help")

    assert ran.code == 0
    assert ran.out.startswith(f"usage: dragoman {name}")


def test_version(cli: Any):
    """As the package has it."""
    assert cli("--version").out == f"dragoman {__version__}\n"


def test_help_imports_nothing_heavy():
    """None of the libraries that take time to load, nor our own rooms."""
    code = (
        "import sys; from dragoman.cli.main import main; main(['--help']); "
        f"print([name for name in {HEAVY!r} + ('dragoman.client', 'dragoman.values') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("modells",), "nearest: `models`"),
        (("--versoin",), "nearest: `--version`"),
        (("What is this?", "cat.png"), 'dragoman ask "What is this?" cat.png'),
        (("tasks", "--jsn"), "nearest: `--json`"),
        (("tasks", "vision"), "takes no words"),
        (("runs", "--limit", "many"), "invalid int value"),
        (("models", "feth"), "nearest: `fetch`"),
    ],
)
def test_wrong_usage_is_one_line_that_helps(cli: Any, typed: tuple[str, ...], says: str):
    """Exit 2, nothing on standard output."""
    ran = cli(*typed)

    assert ran.code == 2
    assert says in ran.err
    assert ran.out == ""


def test_an_error_that_nobody_foresaw_is_a_line_and_a_log(cli: Any, home: Path):
    """The traceback is in the log only."""

    def broken(**given: Any) -> Any:
        raise ZeroDivisionError("by nothing")

    cli._open = broken
    ran = cli("tasks")

    assert ran.code == 1
    assert "ZeroDivisionError: by nothing" in ran.err
    log = home / "logs" / "dragoman.log"
    assert str(log) in ran.err
    assert "Traceback" in log.read_text()


def test_no_space_is_said_plainly(cli: Any):
    """Whatever was written to."""

    def full(**given: Any) -> Any:
        raise OSError(28, "No space left on device")

    cli._open = full
    ran = cli("tasks")

    assert ran.code == 1
    assert ran.err == "dragoman: no space is left on the disk that was written to.\n  make room and try again.\n"


def test_a_closed_pipe_is_silent(home: Path):
    """`dragoman tasks | head -1`."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as nobody:
        ran = dragoman("tasks", home=home, stdout=nobody)

    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux's")
def test_a_full_disk_behind_standard_output_is_a_line(home: Path):
    """`dragoman tasks > /dev/full`."""
    with open("/dev/full", "w") as full:
        ran = dragoman("tasks", home=home, stdout=full)

    assert ran.returncode == 1
    assert ran.stderr.startswith("dragoman: no space is left")


def test_a_home_that_can_not_be_written_is_a_line(tmp_path: Path):
    """It lies under a file."""
    (tmp_path / "file").write_text("x")

    ran = dragoman("ask", "Hello", home=tmp_path / "file" / "home")

    assert ran.returncode == 1
    assert ran.stderr.startswith("dragoman: the home folder")
    assert "DRAGOMAN_HOME" in ran.stderr


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_any_locale_will_do(home: Path, locale: str):
    """Help and a listing with letters beyond ASCII; a file name in Greek that is not there."""
    ran = dragoman(
        "ask", "Τι είναι αυτό;", "λείπει.png", home=home, LC_ALL=locale, PYTHONUTF8="0", PYTHONIOENCODING="ascii"
    )

    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert dragoman("tasks", home=home, LC_ALL=locale, PYTHONIOENCODING="ascii").returncode == 0
