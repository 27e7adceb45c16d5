"""The README's blocks do what they show: run as they stand, with the packaged experts, their output compared."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
CONSOLES = [body for language, body in BLOCKS if language == "console"]
PROGRAMS = [body for language, body in BLOCKS if language == "python"]
INSTALL = "python3 -m venv .venv && . .venv/bin/activate && pip install -q '.[box]' && "
MOST_OFF = 3  # percent points by which a score may differ from machine to machine

Shell = Callable[..., subprocess.CompletedProcess[str]]


def steps(block: str) -> list[tuple[str, str]]:
    """Each command of a console block with the output that is shown below it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, shown.strip()) for command, _, shown in (part.partition("\n") for part in parts)]


def steady(text: str) -> str:
    """Output without what differs from run to run: run ids and the folder before them, seconds, scores."""
    text = re.sub(r"(?:~|/)[^\s:]*?/out/[0-9a-hjkmnp-tv-z]{26}/", "OUT/", text)
    text = re.sub(r"\b\d+(\.\d+)? s\b", "N s", text)
    return re.sub(r"\b\d+( ?%)", r"N\1", text).strip()


def scores(text: str) -> list[int]:
    return [int(score) for score in re.findall(r"\b(\d+) ?%", text)]


ALL = [step for block in CONSOLES for step in steps(block)]
FIRST, OTHERS = ALL[0], [step for step in ALL[1:] if step[0].startswith("dragoman")]


@pytest.mark.box
@pytest.mark.timeout(300)
def test_the_first_command_prints_what_is_shown(furnished: Shell):
    """The installing part is checked for its words; the rest runs, and prints the answer shown."""
    command, shown = FIRST
    assert command.startswith(INSTALL)
    ran = furnished(command.removeprefix(INSTALL))

    assert ran.returncode == 0, ran.stderr
    assert steady(ran.stdout) == steady(shown)
    off = [abs(found - wanted) for found, wanted in zip(scores(ran.stdout), scores(shown), strict=True)]
    assert max(off) <= MOST_OFF, (ran.stdout, shown)
    (sound,) = re.findall(r"\S+\.wav", ran.stdout)
    assert Path(sound).stat().st_size > 100_000


@pytest.mark.box
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("command", "shown"), OTHERS, ids=lambda text: text[:60])
def test_every_other_command_is_served(command: str, shown: str, furnished: Shell):
    """Over files of the names that it uses; where output is shown, that is what comes."""
    ran = furnished(command)

    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.stdout.strip()
    assert not shown or steady(ran.stdout) == steady(shown)


@pytest.mark.box
@pytest.mark.timeout(300)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda text: text.split("\n")[0])
def test_every_program_runs(program: str, furnished: Shell):
    """Written to a file and run as it stands."""
    ran = furnished(f"cat > program.py <<'END'\n{program}\nEND\npython program.py")

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


def test_the_second_command_passes_the_tests():
    """`make test`, which installs what the tests need and fetches the experts first."""
    assert ALL[1][0] == "make test"


def test_every_block_is_run():
    """There is no block in a language that these tests don't know."""
    assert {language for language, _ in BLOCKS} == {"console", "python"}
    assert len(ALL) == len(OTHERS) + 2
