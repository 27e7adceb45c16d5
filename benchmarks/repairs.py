"""What 1,971 real plans of two weak language models need before they can run: the table of repairs, and what survives.

Each plan goes through the reader and the graph check under the tools of its own data set (TaskBench), with the files
that it names as the run's resources. Run: `python benchmarks/repairs.py [FOLDER]`, the folder holding `taskbench` and
`taskbench-derived`.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.planning.graph import check
from dragoman.planning.reader import read_plan
from dragoman.tasks import OutputSpec, Slot, TaskSpec
from dragoman.values import Kind, Plan, Resource, needs

DOMAINS = ("huggingface", "multimedia")
MINDS = ("CodeLlama-13b", "mistral-7b")
KINDS_BY_SUFFIX: Mapping[str, Kind] = {
    **dict.fromkeys(("jpg", "jpeg", "png", "gif", "bmp", "webp"), "image"),
    **dict.fromkeys(("wav", "mp3", "flac", "ogg", "m4a"), "audio"),
    **dict.fromkeys(("mp4", "avi", "mov", "mkv", "webm"), "video"),
    **dict.fromkeys(("txt", "md"), "text"),
    "pdf": "document",
    "csv": "table",
}
FILE = re.compile(rf"(?:https?://)?[\w./%-]*?([\w%-]+\.({'|'.join(KINDS_BY_SUFFIX)}))\b", re.IGNORECASE)


@dataclass
class Tally:
    """What became of the plans of one model in one domain."""

    plans: int = 0
    with_faults: int = 0
    nodes: int = 0
    nodes_kept: int = 0
    links: int = 0
    links_kept: int = 0
    slowest_s: float = 0.0
    repairs: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)


def shared_data() -> Path:
    """The folder with the data sets: `DRAGOMAN_SHARED`, else `shared` beside the repository."""
    root = os.environ.get("DRAGOMAN_SHARED") or Path(__file__).parents[2] / "shared"
    return Path(root) / "data"


def specs_of(domain: str, *, data: Path) -> dict[str, TaskSpec]:
    """The tools of a TaskBench domain as task specs, by their plain names. A URL counts as text."""
    tools = json.loads((data / "taskbench" / f"data_{domain}" / "tool_desc.json").read_text("utf-8"))["nodes"]
    return {_plain(tool["id"]): _spec(tool) for tool in tools}


def _spec(tool: Mapping[str, Any]) -> TaskSpec:
    kinds = [_kind(kind) for kind in tool["input-type"]]
    slots = tuple(
        Slot(name=kind if at == kinds.index(kind) else f"{kind}_{at + 1}", kinds=(kind,))
        for at, kind in enumerate(kinds)
    )
    outputs = tuple(OutputSpec(name="output", kind=_kind(kind)) for kind in tool["output-type"])
    return TaskSpec(name=_plain(tool["id"]), family="text", description=tool["desc"], slots=slots, outputs=outputs)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


def _kind(written: str) -> Kind:
    kind = written.casefold()
    return "text" if kind == "url" else kind  # type: ignore[return-value]


def ledger_of(text: str) -> list[Resource]:
    """Every file that the plan names, as if it had been handed over."""
    names = {match[1]: KINDS_BY_SUFFIX[match[2].casefold()] for match in FILE.finditer(text)}
    return [
        Resource(name=name, kind=kind, media_type="application/octet-stream", sha256="0" * 64)
        for name, kind in names.items()
    ]


def predictions(domain: str, mind: str, *, data: Path) -> Iterator[dict[str, Any]]:
    """The plans of one model: what it wrote, without what the data set added."""
    path = data / "taskbench-derived" / "predictions" / domain / f"{mind}.jsonl"
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        yield {key: record[key] for key in ("task_nodes", "task_links") if key in record}


def known_nodes(record: Mapping[str, Any], specs: Mapping[str, TaskSpec]) -> Counter[str]:
    """The tools of the domain among the plan's nodes, with their number."""
    names = [_plain(node["task"]) for node in record["task_nodes"] if isinstance(node.get("task"), str)]
    return Counter(name for name in names if name in specs)


def legal_links(record: Mapping[str, Any], specs: Mapping[str, TaskSpec]) -> set[tuple[str, str]]:
    """The links between known nodes of the plan in which the source makes a kind that the target takes."""
    nodes = known_nodes(record, specs)
    found: set[tuple[str, str]] = set()
    for link in record["task_links"]:
        ends = [link.get("source"), link.get("target")] if isinstance(link, dict) else []
        if not ends or not all(isinstance(end, str) for end in ends):
            continue
        source, target = map(_plain, ends)
        if source in nodes and target in nodes and _joins(specs[source], specs[target]):
            found.add((source, target))
    return found


def _joins(source: TaskSpec, target: TaskSpec) -> bool:
    return bool({output.kind for output in source.outputs} & {kind for slot in target.slots for kind in slot.kinds})


def links_in(plan: Plan) -> set[tuple[str, str]]:
    """The pairs of names in which the second task needs the first."""
    name = {task.id: task.task for task in plan.tasks}
    return {(name[other], task.task) for task in plan.tasks for other in needs(task)}


def tally(domain: str, mind: str, *, data: Path) -> Tally:
    """Every plan of one model through reader and check."""
    specs, count = specs_of(domain, data=data), Tally()
    for record in predictions(domain, mind, data=data):
        text = json.dumps(record, ensure_ascii=False)
        ledger, began = ledger_of(text), time.perf_counter()
        read = read_plan(text, ledger=ledger, specs=specs)
        checked = check(read.plan, ledger=ledger, specs=specs)
        count.slowest_s = max(count.slowest_s, time.perf_counter() - began)
        count.plans += 1
        count.with_faults += bool(read.faults or checked.faults)
        _count_kept(count, record, checked.plan, specs)
        merged = Counter(repair.found.split("`")[1] for repair in checked.repairs if "merged" in repair.did)
        count.nodes_kept += sum(
            (merged & (known_nodes(record, specs) - Counter(t.task for t in checked.plan.tasks))).values()
        )
        count.repairs.update(_sort(f"{repair.found}: {repair.did}") for repair in (*read.repairs, *checked.repairs))
        count.faults.update(_sort(fault) for fault in (*read.faults, *checked.faults))
    return count


def _count_kept(count: Tally, record: Mapping[str, Any], plan: Plan, specs: Mapping[str, TaskSpec]) -> None:
    nodes, kept = known_nodes(record, specs), Counter(task.task for task in plan.tasks)
    count.nodes += sum(nodes.values())
    count.nodes_kept += sum((nodes & kept).values())
    links, linked = legal_links(record, specs), links_in(plan)
    count.links += len(links)
    count.links_kept += len(links & linked)
    count.lost.update(f"{a} -> {b}" for a, b in links - linked)


def _sort(says: str) -> str:
    """A repair or fault without what is particular to it, so that those of one sort count together."""
    general = re.sub(r"`[^`]*`", "`…`", says)
    general = re.sub(r"'[^']*'|\"[^\"]*\"|\[[^\]]*\]", "…", general)
    general = re.sub(r", which is not among the resources:.*", ", which is not among the resources", general)
    return re.sub(r"\d+", "N", general)


def table(counts: Mapping[tuple[str, str], Tally], *, most: int = 40) -> str:
    """The figures as Markdown."""
    rows = [
        "| plans of | plans | known nodes kept | type-legal links kept | with a fault left | slowest |",
        "|---|---|---|---|---|---|",
    ]
    for (domain, mind), count in counts.items():
        shares = ((count.nodes_kept, count.nodes), (count.links_kept, count.links), (count.with_faults, count.plans))
        cells = [f"{mind}, {domain}", str(count.plans), *(_share(*share) for share in shares)]
        rows.append(f"| {' | '.join(cells)} | {count.slowest_s * 1000:.0f} ms |")
    return "\n".join([*rows, "", *_sorted_rows("repair", counts, most), "", *_sorted_rows("fault", counts, most)])


def _sorted_rows(what: str, counts: Mapping[tuple[str, str], Tally], most: int) -> Sequence[str]:
    total: Counter[str] = Counter()
    for count in counts.values():
        total += count.repairs if what == "repair" else count.faults
    rows = [f"| {what} | times |", "|---|---|"]
    rows += [f"| {says} | {times} |" for says, times in total.most_common(most)]
    rest = sum(total.values()) - sum(times for _, times in total.most_common(most))
    return [*rows, f"| others | {rest} |"] if rest else rows


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / max(1, whole):.1f} %)"


def main() -> None:
    """Print the tables."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else shared_data()
    counts = {(domain, mind): tally(domain, mind, data=data) for domain in DOMAINS for mind in MINDS}
    print(table(counts))
    if "--lost" in sys.argv:
        for count in counts.values():
            print(count.lost.most_common(20))


if __name__ == "__main__":
    main()
