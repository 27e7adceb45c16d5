"""The well-known models that inference providers serve: rows of data, and the tasks among them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from dragoman.errors import DragomanError
from dragoman.models.card import ModelCard
from dragoman.tasks.catalogue import SPECS

__all__ = ["SENT", "cards", "read", "tasks"]

SENT = "Runs at an inference provider: what the task needs is sent there."
_PATH = Path(__file__).with_name("cards.toml")


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: str
    tasks: tuple[str, ...]
    license: str
    description: str
    languages: tuple[str, ...] = ()
    rank: int = 500
    options: dict[str, object] = {}


class _Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: tuple[_Row, ...]


@cache
def cards() -> tuple[ModelCard, ...]:
    """The cards of every row. Raises `DragomanError` that names a wrong one."""
    return read(_PATH)


@cache
def tasks() -> frozenset[str]:
    """The tasks for which there is a row."""
    return frozenset(task for card in cards() for task in card.tasks)


def read(path: Path) -> tuple[ModelCard, ...]:
    """The cards of a file of rows; each description says that data is sent."""
    try:
        rows = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Rows).card
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise DragomanError(f"{path.name}: {error}.") from error
    for row in rows:
        if strange := [task for task in row.tasks if task not in SPECS] or ([] if row.tasks else ["none"]):
            raise DragomanError(f"{path.name}: card `{row.id}`: no such task: {', '.join(strange)}.")
    found = {row.id: _card(row) for row in rows}
    if len(found) != len(rows):
        raise DragomanError(f"{path.name}: two rows share an id.")
    return tuple(found.values())


def _card(row: _Row) -> ModelCard:
    card = ModelCard(
        id=row.id, tasks=row.tasks, license=row.license, description=row.description, backend="providers",
        languages=row.languages, rank=row.rank, options=row.options,
    )  # fmt: skip
    return replace(card, description=f"{row.description} {SENT}")
