"""How long the embedded planner takes a request: CPU milliseconds over paraphrases and demonstrations. Prints Markdown.

The first call is measured in a process of its own; it loads the planner and its words.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import process_time
from typing import Any

from dragoman.journal.template import plan_from_json
from dragoman.planning.demonstrations import FOLDER as DEMONSTRATIONS
from dragoman.values import Request, Resource, Turn

PARAPHRASES = Path(__file__).parents[1] / "tests" / "planning" / "paraphrases"
REPEATS = 3
LONG = "The committee met on Tuesday and spoke about the harbour. " * 860  # 50,000 characters, the most that is read

FIRST = """
from time import process_time
start = process_time()
from dragoman.planning.embedded import plan
from dragoman.values import Request
loaded = process_time()
plan(Request(words="Translate 'Where is the station?' to Portuguese and say the original aloud"))
print(1000 * (loaded - start), 1000 * (process_time() - loaded))
"""


def resource(row: Mapping[str, Any]) -> Resource:
    """A file of a request, or something that an earlier turn made."""
    return Resource(
        name=row["name"],
        kind=row["kind"],
        media_type="",
        sha256="",
        text=row.get("text"),
        data=row.get("data"),
        facts={key: row[key] for key in ("made_by", "output") if key in row},
    )


def request(row: Mapping[str, Any]) -> Request:
    """One line of JSON as a request."""
    history: list[Turn] = []
    names: set[str] = set()
    for turn in row.get("history", ()):
        asked, made = (tuple(resource(one) for one in turn.get(key, ())) for key in ("asked", "made"))
        names |= {one.name for one in (*asked, *made)}
        plan = plan_from_json(turn.get("plan", []), names=names)
        history.append(Turn(words=turn["words"], answer=turn["answer"], plan=plan, asked=asked, made=made))
    words = row["words"] if "words" in row else row["request"]
    return Request(words=words, resources=tuple(map(resource, row.get("files", ()))), history=tuple(history))


def requests(folder: Path) -> Iterator[Request]:
    """Every request in the files of a folder."""
    for path in sorted(folder.glob("*.jsonl")):
        yield from (request(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line)


def cpu_ms(one: Request) -> float:
    """The least of some calls."""
    from dragoman.planning.embedded import plan

    found: list[float] = []
    for _ in range(REPEATS):
        start = process_time()
        plan(one)
        found.append(1000 * (process_time() - start))
    return min(found)


def main() -> None:
    run = subprocess.run([sys.executable, "-c", FIRST], check=True, capture_output=True, text=True)
    load_ms, first_ms = map(float, run.stdout.split())
    article = Request(words=f"Summarize this in three sentences: {LONG}"[:50_000])
    kinds = {
        "paraphrases": list(requests(PARAPHRASES)),
        "demonstrations": list(requests(DEMONSTRATIONS)),
        "a request of 50,000 characters": [article],
    }
    cpu_ms(kinds["demonstrations"][0])
    print("| requests | count | median ms | p95 ms | max ms |\n| --- | ---: | ---: | ---: | ---: |")
    for name, group in kinds.items():
        times = sorted(cpu_ms(one) for one in group)
        p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
        print(f"| {name} | {len(times)} | {statistics.median(times):.1f} | {p95:.1f} | {times[-1]:.1f} |")
    print(f"\nFirst call in a new process: {load_ms:.0f} ms to import, {first_ms:.0f} ms to load its words and plan.")


if __name__ == "__main__":
    main()
