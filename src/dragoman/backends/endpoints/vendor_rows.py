"""Rows of a person's own services: read strictly, filled by name, never evaluated."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, cast
from urllib.parse import urlsplit

import msgspec

from dragoman.errors import UsageError
from dragoman.tasks.catalogue import SPECS
from dragoman.values import Json

__all__ = ["Result", "Vendor", "at", "filled", "headers_of", "read", "variables"]

Form = Literal["text", "labels", "base64", "url", "bytes"]
_PLACE = re.compile(r"\{([a-z_]+)\}")
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_NAMES = frozenset(
    ("text", "context", "target", "source", "voice", "labels", "image_base64", "image_url", "audio_base64", "audio_url")
)
_HELP = "docs/providers.md shows right rows."


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the result lies. path: steps into the JSON (`data.0.url`), empty for the whole reply.

    form: what lies there. label, score: the fields of each row, for labels.
    """

    form: Form
    path: str = ""
    label: str = "label"
    score: str = "score"


class Vendor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One service. `${NAME}` in a header is an environment variable; `{text}` and its like in the body an argument.

    send: the body as JSON or as a form.
    """

    id: str
    task: str
    description: str
    license: str
    url: str
    result: Result
    method: Literal["POST", "PUT", "GET"] = "POST"
    headers: dict[str, str] = {}
    body: dict[str, Json] = {}
    send: Literal["json", "form"] = "json"
    languages: tuple[str, ...] = ("*",)
    rank: int = 600


class _Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    vendor: tuple[Vendor, ...] = ()


def read(path: Path) -> tuple[Vendor, ...]:
    """The rows of a file; none where there is no file. Raises `UsageError` that names the file, the row, the fault."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read: {error}.") from error
    try:
        rows = msgspec.convert(tomllib.loads(text), _Rows).vendor
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise UsageError(f"{path}: {error}. {_HELP}") from error
    for row in rows:
        if faults := _faults(row):
            raise UsageError(f"{path}: vendor `{row.id}`: {'; '.join(faults)}. {_HELP}")
    if len({row.id for row in rows}) != len(rows):
        raise UsageError(f"{path}: two rows share an id. {_HELP}")
    return rows


def filled(template: Json, values: Callable[[str], Json]) -> Json:
    """The template with each `{name}` replaced by its value, as it is where it stands alone, else as words."""
    if isinstance(template, dict):
        return {key: filled(value, values) for key, value in cast("dict[str, Json]", template).items()}
    if isinstance(template, list):
        return [filled(value, values) for value in cast("list[Json]", template)]
    if not isinstance(template, str):
        return template
    alone = _PLACE.fullmatch(template)
    return values(alone[1]) if alone else _PLACE.sub(lambda place: str(values(place[1])), template)


def at(value: Json, path: str) -> Json:
    """What lies at `path`, or None: names into objects, numbers into lists."""
    for step in path.split(".") if path else ():
        if isinstance(value, dict):
            value = cast("dict[str, Json]", value).get(step)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(cast("list[Json]", value)):
            value = value[int(step)]
        else:
            return None
    return value


def variables(row: Vendor) -> tuple[str, ...]:
    """The environment variables that the headers name."""
    return tuple(name for value in row.headers.values() for name in _VARIABLE.findall(value))


def headers_of(row: Vendor, environ: Mapping[str, str]) -> dict[str, str]:
    """The headers with their variables filled in."""
    return {
        name: _VARIABLE.sub(lambda found: environ.get(found[1], "").strip(), value)
        for name, value in row.headers.items()
    }


def _places(template: Json) -> set[str]:
    if isinstance(template, dict):
        return {name for value in cast("dict[str, Json]", template).values() for name in _places(value)}
    if isinstance(template, list):
        return {name for value in cast("list[Json]", template) for name in _places(value)}
    return set(_PLACE.findall(template)) if isinstance(template, str) else set()


def _faults(row: Vendor) -> list[str]:
    parts = urlsplit(row.url)
    strange = sorted(_places(row.body) - _NAMES)
    kinds = {out.kind for out in SPECS[row.task].outputs} if row.task in SPECS else set[str]()
    names = {out.name for out in SPECS[row.task].outputs} if row.task in SPECS else set[str]()
    fits = {"text": "text" in kinds, "labels": "labels" in names}.get(
        row.result.form, bool(kinds & {"image", "audio", "video"})
    )
    checks = {
        f"no such task: {row.task}": row.task in SPECS,
        f"`{row.url[:80]}` is no http(s) address": parts.scheme in ("http", "https") and bool(parts.netloc),
        "the address must not hold a name or password": "@" not in parts.netloc,
        f"no such argument: {', '.join(strange)} (there are: {', '.join(sorted(_NAMES))})": not strange,
        f"{row.task} has no output of the form {row.result.form}": fits or row.task not in SPECS,
        "a header must not hold a key; name an environment variable, as in `Bearer ${ACME_API_KEY}`": all(
            _VARIABLE.search(value) for name, value in row.headers.items() if _is_secret(name)
        ),
    }
    return [says for says, holds in checks.items() if not holds]


def _is_secret(header: str) -> bool:
    return re.search(r"authorization|key|token|secret", header, re.IGNORECASE) is not None
