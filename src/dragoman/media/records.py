"""JSON: parsed strictly into plain values, and written so that it is always valid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import msgspec

from dragoman.errors import MediaError
from dragoman.media.bounds import MAX_DATA_BYTES, check_bytes
from dragoman.media.texts import decoded
from dragoman.values import Json

__all__ = ["json_bytes", "plain_json", "read_data"]


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


def plain_json(data: Json) -> Json:
    """`data` as JSON can hold it: NaN and infinity are null, tuples lists, numpy numbers and arrays plain."""
    return msgspec.json.decode(json_bytes(data))


def json_bytes(data: Json) -> bytes:
    """`data` as JSON. Raises `MediaError` for what JSON can't hold."""
    try:
        return msgspec.json.encode(data, enc_hook=_plain)
    except UnicodeEncodeError:  # half of a surrogate pair, which language models do write
        halves = json.dumps(msgspec.to_builtins(data, enc_hook=_plain, str_keys=True))
        return msgspec.json.encode(_whole(json.loads(halves)))
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise MediaError(f"The result can't be written as JSON: {error}.", helps="Return plain values.") from error


def _plain(thing: object) -> Json:
    """Numpy's numbers and arrays as plain values."""
    if (to_list := getattr(thing, "tolist", None)) is not None:
        return to_list()
    raise TypeError(f"a {type(thing).__name__} is no JSON")


def _whole(data: Json) -> Json:
    """`data` with U+FFFD for each half of a surrogate pair that stands alone."""
    if isinstance(data, str):
        return data.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(data, list):
        return [_whole(item) for item in cast("list[Json]", data)]
    if isinstance(data, dict):
        return {_whole(key): _whole(item) for key, item in cast("dict[str, Json]", data).items()}
    return data
