"""What was computed before: results by model, task, parameters and the hashes of what went in.

One SQLite file, `cache.sqlite`; the bytes lie in the store. A hit calls nothing. Two processes may share it.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import cast

import msgspec

from dragoman.backends.base import Item
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json, Output

__all__ = ["ResultCache", "key_of"]

_SCHEMA = "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, outputs BLOB NOT NULL, used TEXT NOT NULL)"
_DECODER = msgspec.json.Decoder(tuple[Output, ...])
_TIMEOUT_S = 2.0


def key_of(card: ModelCard, task: str, args: Mapping[str, Arg]) -> str:
    """The SHA-256 under which the result of this call is kept.

    The card stands in whole, with the hashes of its files, and so does our version, since adapters change with it.
    """
    call = {
        "dragoman": version("dragoman"),
        "card": card,
        "task": task,
        "args": {key: _plain(arg) for key, arg in args.items()},
    }
    return hashlib.sha256(msgspec.json.encode(call, order="deterministic")).hexdigest()


def _plain(arg: Arg) -> Json:
    if isinstance(arg, Item):
        return {"sha256": arg.resource.sha256, "kind": arg.resource.kind}
    if isinstance(arg, (list, tuple)):
        # Where several go in together, results speak of them by name.
        items = cast("list[Arg]", arg)
        return [[_plain(item), item.resource.name] if isinstance(item, Item) else _plain(item) for item in items]
    if isinstance(arg, dict):
        return {key: _plain(value) for key, value in cast("dict[str, Arg]", arg).items()}
    return arg


class ResultCache:
    """Results of earlier calls. A file that can't be used is no reason to fail: then nothing is remembered."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, key: str) -> tuple[Output, ...] | None:
        """The outputs kept under `key`, or None."""
        try:
            with closing(self._open()) as connection:
                row = connection.execute("SELECT outputs FROM results WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error:
            return None
        return _DECODER.decode(row[0]) if row else None

    def put(self, key: str, outputs: tuple[Output, ...]) -> None:
        """Keep `outputs` under `key`, in place of what was there."""
        try:
            with closing(self._open()) as connection, connection:
                connection.execute(
                    "INSERT OR REPLACE INTO results VALUES (?, ?, datetime('now'))", (key, msgspec.json.encode(outputs))
                )
        except sqlite3.Error:
            return

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_TIMEOUT_S)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_SCHEMA)
        return connection
