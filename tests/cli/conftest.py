"""What the tests of the terminal share: a home, a command line with fake experts, golden files."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dragoman.backends.base import Call, Produced
from dragoman.cli.main import main
from dragoman.client import Dragoman
from dragoman.testing import FakeBackend, data, media, words

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON value and nothing else."""
        return json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


class Cli:
    """Runs `dragoman` in this process. `backend`: the experts; a test may put others there."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.backend = fake_experts()
        self.opened: list[Dragoman] = []
        self._capsys = capsys
        self._monkeypatch = monkeypatch
        self._folder = folder

    def __call__(self, *argv: str, stdin: str = "") -> Ran:
        self._monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(list(argv), open_dragoman=self._open)
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return Ran(code, out, err)

    def plan(self, *tasks: dict[str, Any], then: str = "") -> str:
        """A `--mind` that plans `tasks`, and answers with `then` if there is one."""
        lines = [{"stage": "plan", "reply": json.dumps(tasks)}]
        lines += [{"stage": "answer", "reply": then}] if then else []
        path = self._folder / "script.jsonl"
        path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
        return f"scripted:{path}"

    def _open(self, **given: Any) -> Dragoman:
        self.opened.append(Dragoman(backends=[self.backend], **given))
        return self.opened[-1]


def fake_experts(**settings: Any) -> FakeBackend:
    """Experts for a few tasks; what they say is plainly made up."""

    def shout(call: Call) -> tuple[Produced, ...]:
        return words(str(call.args["text"]).upper())

    return FakeBackend(
        {
            "summarization": shout,
            "text-to-speech": lambda call: (media(b"RIFF, and whatever else"),),
            "text-classification": lambda call: data([{"label": "POSITIVE", "score": 0.9}]),
        },
        **settings,
    )


def task(name: str, id: int, **args: Any) -> dict[str, Any]:  # noqa: A002
    """One task of a plan in the paper's template."""
    deps = [int(found) for arg in args.values() for found in re.findall(r"<resource>-(\d+)", str(arg))]
    return {"task": name, "id": id, "dep": deps or [-1], "args": args}


@pytest.fixture(name="task")
def task_() -> Callable[..., dict[str, Any]]:
    return task


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home of its own, in which commands work."""
    home = tmp_path / "home"
    monkeypatch.setenv("DRAGOMAN_HOME", str(home))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return home


@pytest.fixture
def cli(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    return Cli(capsys, monkeypatch, tmp_path)


@pytest.fixture
def is_golden(tmp_path: Path) -> Callable[[str, Any], None]:
    """Compares JSON with the golden file of this name, volatile values aside. DRAGOMAN_GOLDEN=write renews it."""

    def compare(name: str, found: Any) -> None:
        path = GOLDEN / f"{name}.json"
        steady = _steady(found, folder=str(tmp_path))
        if os.environ.get("DRAGOMAN_GOLDEN") == "write":
            path.write_text(json.dumps(steady, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        assert steady == json.loads(path.read_text(encoding="utf-8"))

    return compare


_VOLATILE = {"seconds": 0.0, "started": "STARTED"}
_STEADY = (
    (re.compile(r"\b[0-9a-hjkmnp-tv-z]{26}\b"), "RUN"),
    (re.compile(r"\bs-[0-9a-hjkmnp-tv-z]{8}\b"), "SESSION"),
    (re.compile(r"\b\d+(\.\d+)? (s|[kMG]B)\b"), r"N \2"),
)


def _steady(found: Any, *, folder: str) -> Any:
    if isinstance(found, dict):
        return {
            key: _VOLATILE[key] if key in _VOLATILE and value is not None else _steady(value, folder=folder)
            for key, value in found.items()
        }
    if isinstance(found, list):
        return [_steady(one, folder=folder) for one in found]
    if isinstance(found, str):
        found = found.replace(folder, "FOLDER")
        for pattern, steady in _STEADY:
            found = pattern.sub(steady, found)
    return found
