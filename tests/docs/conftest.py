"""What the tests of README and examples share: a shell in a prepared folder, with `dragoman` on its path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from dragoman.models.fetch import ModelStore
from dragoman.models.samples import sample

ROOT = Path(__file__).parents[2]
ARTICLE = """In 1843 Ada Lovelace published her notes on the Analytical Engine, which Charles Babbage had designed in
London. Her notes were three times as long as the paper that she had translated. They hold a method for computing
Bernoulli numbers. Babbage never finished the engine. The government stopped paying for it after years of delays. A
century later Alan Turing discussed her remarks in a famous paper. Parts of the engine stand in a museum in London."""

Shell = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `dragoman` and `python` as this Python runs them."""
    folder = tmp_path_factory.mktemp("bin")
    for name, command in (("dragoman", f"{sys.executable} -m dragoman"), ("python", sys.executable)):
        (folder / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (folder / name).chmod(0o755)
    return folder


def shell_in(folder: Path, *, home: Path, programs: Path) -> Shell:
    """Runs one line in bash and returns what it printed; nothing can be downloaded."""
    clean = {key: os.environ[key] for key in ("HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH") if key in os.environ}

    def run(
        line: str, *, timeout_s: float = 240, environ: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        variables = {
            **clean,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "DRAGOMAN_HOME": str(home),
            "DRAGOMAN_OFFLINE": "1",
            **(environ or {}),
        }
        return subprocess.run(
            ["bash", "-c", line], cwd=folder, env=variables, capture_output=True, text=True, timeout=timeout_s
        )

    return run


@pytest.fixture
def shell(tmp_path: Path, programs: Path) -> Shell:
    """A shell in an empty folder, with an empty home."""
    (tmp_path / "work").mkdir()
    return shell_in(tmp_path / "work", home=tmp_path / "home", programs=programs)


@pytest.fixture(scope="module")
def furnished(shared_box_home: Path, programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A shell with the fetched experts, in a folder that holds the files which the README speaks of."""
    folder = tmp_path_factory.mktemp("files")
    photos = {
        "a.jpg": "motorcycle",
        "e.jpg": "coffee",
        "cat.png": "cat",
        "1.png": "cat",
        "2.png": "coffee",
        "3.png": "cat",
    }
    for name, what in photos.items():
        shutil.copy(_sample(shared_box_home, what), folder / name)
    _draw_sign("NO PARKING\nON SUNDAY", folder / "sign.png")
    _encode_speech(_sample(shared_box_home, "speech"), folder / "talk.mp3")
    (folder / "article.txt").write_text(ARTICLE, encoding="utf-8")
    return shell_in(folder, home=shared_box_home, programs=programs)


def _sample(home: Path, name: str) -> Path:
    one = sample(name)
    path = ModelStore(home).path_of(one.card(), one.file.name)
    assert path.is_file(), f"fetch the samples first: dragoman sample --all ({path})"
    return path


def _draw_sign(text: str, path: Path) -> None:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (900, 360), "white")
    ImageDraw.Draw(image).multiline_text((60, 60), text, fill="black", font=ImageFont.load_default(72), spacing=30)
    image.save(path)


def _encode_speech(source: Path, target: Path) -> None:
    import av
    from av.audio.stream import AudioStream

    with av.open(str(source)) as sound, av.open(str(target), "w", format="mp3") as file:
        stream = file.add_stream("mp3", rate=16000)
        assert isinstance(stream, AudioStream)
        for frame in sound.decode(audio=0):
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
