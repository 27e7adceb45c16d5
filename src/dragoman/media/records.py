"""JSON and JSON lines, parsed strictly into plain values."""

from __future__ import annotations

from pathlib import Path

import msgspec

from dragoman.errors import MediaError
from dragoman.media.bounds import MAX_DATA_BYTES, check_bytes
from dragoman.media.texts import decoded
from dragoman.values import Json

__all__ = ["read_data"]


def read_data(path: Path, *, media_type: str) -> Json:
    """The value that a JSON file holds; of JSON lines the list of their values.

    Raises `MediaError` where it isn't valid JSON, is nested too deeply, or is larger than `MAX_DATA_BYTES`.
    """
    check_bytes(path, limit=MAX_DATA_BYTES, what="data")
    text = decoded(path.read_bytes()).lstrip("\ufeff")
    try:
        if media_type == "application/x-ndjson":
            return [msgspec.json.decode(line) for line in text.splitlines() if line.strip()]
        return msgspec.json.decode(text)
    except RecursionError as error:
        raise MediaError(f"`{path.name}` is nested too deeply.", helps="Hand over a flatter file.") from error
    except (msgspec.DecodeError, UnicodeError) as error:
        raise MediaError(f"`{path.name}` is not valid JSON: {error}.", helps="Mend it, or name it .txt.") from error
