"""What it takes to get from nothing to the README's first answer: megabytes and CPU seconds. Prints Markdown.

Installs into throw-away environments with an empty cache and an empty home, fetches what is needed over the network,
and runs the README's first command. Takes some minutes.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from dragoman.models import box

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
WORDS = re.findall(r'^\$ .*dragoman ask --yes "(.*?)"', README, re.MULTILINE)[0]


@dataclass
class Step:
    """One command and what it took."""

    name: str
    cpu_s: float
    wall_s: float


def megabytes(folder: Path) -> float:
    """The size of all files below, hard links once."""
    found = [path.lstat() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return sum({one.st_ino: one.st_size for one in found}.values()) / 1e6


def took(name: str, command: list[str], *, environ: dict[str, str]) -> tuple[Step, str]:
    """Run the command; what it took with all that it started, and what it printed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    ran = subprocess.run(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Step(name, cpu_s, perf_counter() - start), ran.stdout


def installed(folder: Path, wanted: str, *, environ: dict[str, str]) -> tuple[list[Step], str]:
    """A new environment with `wanted`: what that took, and the megabytes that it downloaded and added, as cells."""
    made, _ = took("make the environment", [sys.executable, "-m", "venv", str(folder)], environ=environ)
    empty = megabytes(folder)
    pip = str(folder / "bin" / "pip")
    step, _ = took(f"pip install '{wanted}'", [pip, "install", "--quiet", wanted], environ=environ)
    added = megabytes(folder) - empty
    wheels = folder / "wheels"
    took("", [pip, "download", "--quiet", "--dest", str(wheels), wanted], environ=environ)
    return [made, step], f"{megabytes(wheels):.0f} | {added:.0f}"


def weights_mb(models: list[str]) -> float:
    """What these experts' packages weigh, each once."""
    files = [file for card in box.cards() if card.id in models for file in card.files]
    return sum({file.package: file.download_bytes for file in files}.values()) / 1e6


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("DRAGOMAN", "OPENAI", "XDG_"))}
        _, core = installed(Path(scratch, "core"), ".", environ={**kept, "HOME": str(Path(scratch, "other"))})
        home = Path(scratch, "home")
        environ = {**kept, "HOME": str(home)}
        steps, whole = installed(Path(scratch, "box"), ".[box]", environ=environ)
        dragoman = str(Path(scratch, "box", "bin", "dragoman"))
        step, path = took("dragoman sample cat", [dragoman, "sample", "cat"], environ=environ)
        steps.append(step)
        ask = [dragoman, "ask", "--yes", "--json", WORDS, path.strip()]
        step, said = took("dragoman ask …", ask, environ=environ)
        steps.append(step)
        again, _ = took("the same again, computed afresh", [*ask, "--fresh"], environ=environ)
        used = [choice["model"] for choice in json.loads(said)["choices"]]
        kept = megabytes(next(home.rglob("models")))
        weights = f"{weights_mb(used):.0f} | {kept:.0f}"
        rows = {"core": core, "core and box": whole, f"weights of {', '.join(used)}": weights}
        show(steps, again, rows=rows)


def show(steps: list[Step], again: Step, *, rows: dict[str, str]) -> None:
    """Two tables."""
    print("| what | MB to download | MB on disk |\n| --- | ---: | ---: |")
    for name, cells in rows.items():
        print(f"| {name} | {cells} |")
    print("\n| step | CPU s | wall s |\n| --- | ---: | ---: |")
    whole = Step("from nothing to the first answer", sum(s.cpu_s for s in steps), sum(s.wall_s for s in steps))
    for step in (*steps, whole, again):
        print(f"| {step.name} | {step.cpu_s:.1f} | {step.wall_s:.0f} |")


if __name__ == "__main__":
    main()
