"""Files of records: JSON lines, a JSON list, or one object; what can't be read is named, not fatal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from dragoman.errors import UsageError
from dragoman.values import Json

__all__ = ["Row", "opened", "parsed", "rows_of", "sha256_of", "text_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One record and where it stands. fields: None where the line is no JSON object; `fault` says why."""

    where: str
    fields: dict[str, Json] | None
    fault: str = ""


def text_of(path: Path) -> str:
    """The text of a file. Raises `UsageError` that says what is wrong with it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except IsADirectoryError as error:
        raise UsageError(f"wanted a file; `{path}` is a folder.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"`{path}` can't be read: {error}.") from error


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex; of a folder, of its `.jsonl` files in order. Raises `UsageError`."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    digest = hashlib.sha256()
    try:
        for file in files:
            digest.update(file.read_bytes())
        return digest.hexdigest()
    except OSError as error:
        raise UsageError(f"`{path}` can't be read: {error}.") from error


def parsed(text: str, *, where: str) -> Json:
    """The JSON value of a whole text. Raises `UsageError`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where} is no JSON: {error}.") from error


def rows_of(path: Path) -> Iterator[Row]:
    """The records of a file, or of a folder's `.jsonl` files, in order. Raises `UsageError` where it can't be read."""
    if path.is_dir():
        for file in sorted(path.glob("*.jsonl")):
            yield from rows_of(file)
        return
    text = text_of(path)
    if text.lstrip().startswith("["):
        value = parsed(text, where=f"`{path}`")
        for number, entry in enumerate(cast("list[Json]", value), 1):
            yield _row(entry, where=f"{path.name}:{number}")
        return
    whole = _whole(text)
    if whole is not None:
        yield _row(whole, where=f"{path.name}:1")
        return
    # Not `splitlines`: it also cuts at separators that may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _line(line, where=f"{path.name}:{number}")


def opened(value: Json) -> Json:
    """The value itself, or the list or object that stands as JSON inside a string."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _whole(text: str) -> Json | None:
    """The one object that the text is, where it is one over several lines."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _line(line: str, *, where: str) -> Row:
    try:
        return _row(json.loads(line), where=where)
    except (ValueError, RecursionError) as error:
        return Row(where=where, fields=None, fault=f"no JSON: {error}"[:120])


def _row(value: Json, *, where: str) -> Row:
    if isinstance(value, dict):
        return Row(where=where, fields=cast("dict[str, Json]", value))
    return Row(where=where, fields=None, fault=f"no object, but {type(value).__name__}")
