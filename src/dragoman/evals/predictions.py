"""Predictions in TaskBench's form, a line a gold id. The file is a checkpoint: what stands there isn't done again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.evals.graphs import Case, Graph
from dragoman.evals.linefile import LineFile
from dragoman.evals.rows import Row, rows_of
from dragoman.evals.taskbench import graph_of, id_of
from dragoman.values import Json, Value

__all__ = ["Checkpoint", "Prediction", "read_predictions"]


class Prediction(Value, frozen=True, kw_only=True):
    """What a planner made of one request.

    graph: None where no plan could be read; `unreadable` says why. fault: why it refused; the graph is then empty.
    confidence: the planner's own, None where it tells none.
    """

    id: str
    graph: Graph | None = None
    confidence: float | None = None
    by: str = ""
    fault: str | None = None
    unreadable: str | None = None
    repairs: int = 0
    is_runnable: bool | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


def read_predictions(path: Path, *, notes: list[str]) -> dict[str, Prediction]:
    """The predictions of any file by id; the last line of an id counts. What can't be read is noted and is missing.

    Raises `UsageError` where the file can't be read at all.
    """
    return _by_id(rows_of(path), notes=notes)


def _by_id(rows: Iterable[Row], *, notes: list[str]) -> dict[str, Prediction]:
    found: dict[str, Prediction] = {}
    for row in rows:
        fields = row.fields or {}
        name = id_of(fields)
        if name is None:
            notes.append(f"{row.where}: {row.fault or 'no id'}; passed over")
            continue
        if name in found:
            notes.append(f"{row.where}: id {name} stands there twice; the last counts")
        found[name] = _prediction(name, fields)
    return found


def _prediction(name: str, fields: Mapping[str, Json]) -> Prediction:
    unreadable = fields.get("unreadable")
    graph = None if unreadable else graph_of(fields)
    confidence = fields.get("confidence")
    is_runnable = fields.get("is_runnable")
    return Prediction(
        id=name,
        graph=graph,
        confidence=float(confidence) if isinstance(confidence, (int, float)) else None,
        by=str(fields.get("by") or ""),
        fault=str(fields["fault"]) if fields.get("fault") else None,
        unreadable=str(unreadable) if unreadable else "it holds no plan" if graph is None else None,
        is_runnable=is_runnable if isinstance(is_runnable, bool) else None,
        repairs=_count(fields, "repairs"),
        calls=_count(fields, "calls"),
        tokens_in=_count(fields, "tokens_in"),
        tokens_out=_count(fields, "tokens_out"),
        seconds=float(fields["seconds"]) if isinstance(fields.get("seconds"), (int, float)) else 0.0,
    )


def _count(fields: Mapping[str, Json], key: str) -> int:
    value = fields.get(key)
    return value if isinstance(value, int) else 0


@dataclass(kw_only=True)
class Checkpoint:
    """Predictions so far, kept in a file. tokens: what all of them cost; notes: what was odd in the file."""

    file: LineFile
    done: dict[str, Prediction] = field(default_factory=dict[str, Prediction])
    tokens: int = 0
    notes: list[str] = field(default_factory=list[str])

    def load(self) -> None:
        """Take in what an earlier run left. Raises `UsageError`."""
        self.done = _by_id(self.file.rows(), notes=self.notes)
        self.tokens = sum(prediction.tokens_in + prediction.tokens_out for prediction in self.done.values())

    def add(self, made: Prediction, case: Case) -> None:
        """Keep it, on disk first. Raises `StoreError`."""
        self.file.append(_line(made, case))
        self.done[made.id] = made
        self.tokens += made.tokens_in + made.tokens_out


def _line(prediction: Prediction, case: Case) -> dict[str, Json]:
    """The plan stands there twice: plain, and under `result`, where TaskBench's own program looks for it."""
    graph = prediction.graph or Graph()
    plan: dict[str, Json] = {
        "task_steps": list(graph.steps or ()),
        "task_nodes": [{"task": node.tool, "arguments": list(node.arguments or ())} for node in graph.nodes],
        "task_links": [{"source": source, "target": target} for source, target in graph.links],
    }
    told = {
        key: getattr(prediction, key)
        for key in (
            "confidence",
            "by",
            "fault",
            "unreadable",
            "repairs",
            "is_runnable",
            "calls",
            "tokens_in",
            "tokens_out",
        )
    }
    return (
        {"id": prediction.id, "user_request": case.words, **plan, "result": plan}
        | told
        | {"seconds": prediction.seconds}
    )
