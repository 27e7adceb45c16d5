"""What a second request costs in one conversation: its experts are loaded already. Prints Markdown.

Run it with the experts and samples fetched (`dragoman models fetch --all`, `dragoman sample --all`). Results of earlier
calls are not taken: every request is computed. Linux only, since the workers' CPU is read from /proc.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from time import perf_counter

from dragoman import Dragoman
from dragoman.backends.box.backend import BoxBackend
from dragoman.config import Settings
from dragoman.models.fetch import ModelStore
from dragoman.models.samples import sample

TICKS = os.sysconf("SC_CLK_TCK")
REQUESTS = (
    ("What animal is in this picture?", "cat"),
    ("What does this page say?", "page"),
    ("Transcribe this recording", "speech"),
    ("Translate 'Where is the station?' to Portuguese and say the original aloud", None),
    ("Describe this photo in as much detail as you can", "coffee"),
)


def worker_cpu_s(backend: BoxBackend) -> float:
    """CPU seconds that the live workers have used so far."""
    total = 0
    for pid in backend.workers.pids.values():
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


async def measured(dragoman: Dragoman, backend: BoxBackend, *, words: str, files: list[Path]) -> tuple[float, float]:
    """Wall seconds of a request, and CPU seconds that its workers used."""
    cpu_s, start = worker_cpu_s(backend), perf_counter()
    report = await dragoman.ask(words, files=files, session="bench")
    assert report.status == "answered", report.fault or report.text
    assert not any(getattr(outcome, "cached", False) for outcome in report.outcomes)
    return perf_counter() - start, worker_cpu_s(backend) - cpu_s


async def main() -> None:
    weights = Settings.from_env().home / "models"
    print("| request | first: wall s, CPU s | second | third | second / first CPU | new processes |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "models").symlink_to(weights)
        for words, name in REQUESTS:
            files = [ModelStore(home).path_of(sample(name).card(), sample(name).file.name)] if name else []
            await row(home, words=words, files=files)


async def row(home: Path, *, words: str, files: list[Path]) -> None:
    """One request three times, by workers that it starts itself."""
    settings = Settings.from_env(home=home, mind="embedded", is_fresh=True, is_offline=True)
    backend = BoxBackend(home, is_offline=True)
    async with Dragoman(settings=settings, backends=[backend]) as dragoman:
        first = await measured(dragoman, backend, words=words, files=files)
        started = dict(backend.workers.pids)
        later = [await measured(dragoman, backend, words=words, files=files) for _ in range(2)]
        fresh = sum(pid not in started.values() for pid in backend.workers.pids.values())
    shown = " | ".join(f"{wall:.2f}, {cpu:.2f}" for wall, cpu in (first, *later))
    print(f"| {words} | {shown} | {later[0][1] / first[1]:.2f} | {fresh} |", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
