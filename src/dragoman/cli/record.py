"""How the experts have done on this machine, counted from the journal's latest runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dragoman import events as ev
from dragoman.journal.log import Journal
from dragoman.values import Done, Failed

__all__ = ["Record", "records"]

_RUNS = 100


@dataclass(kw_only=True, slots=True)
class Record:
    """Calls that one expert did and failed; `seconds`: the mean of those it did."""

    done: int = 0
    failed: int = 0
    seconds: float = 0.0


def records(home: Path, *, runs: int = _RUNS) -> Mapping[str, Record]:
    """By model id, over the last `runs` runs; only models that were called are there."""
    path = home / "journal.sqlite"
    found: dict[str, Record] = {}
    if not path.exists():
        return found
    journal = Journal(path)
    for row in journal.runs(limit=runs):
        for event in journal.events(row.run):
            if isinstance(event, (ev.TaskDone, ev.TaskFailed)):
                _count(found, event.outcome)
    return found


def _count(found: dict[str, Record], outcome: object) -> None:
    match outcome:
        case Done(model=model, seconds=seconds, cached=False):
            record = found.setdefault(model, Record())
            record.seconds = round((record.seconds * record.done + seconds) / (record.done + 1), 3)
            record.done += 1
        case Failed(model=str(model), attempts=attempts) if attempts:
            found.setdefault(model, Record()).failed += 1
        case _:
            pass
