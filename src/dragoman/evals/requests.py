"""A data set's words as a Request: what they name is handed over, as far as its name tells what it is."""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Iterator, Mapping
from typing import cast

from dragoman.evals.tools import ToolList
from dragoman.values import KINDS, Json, Kind, Plan, Resource, Turn

__all__ = ["resource_of", "resources_named", "turns_of"]


def resources_named(words: str, *, tools: ToolList) -> tuple[Resource, ...]:
    """A resource for each file and address that the words name, in order. No such file exists, and none is looked for.

    An address is data where the tools have a type of their own for addresses, else what its ending tells or a document.
    """
    from dragoman.planning.embedded.masks import masks

    takes_addresses = any(slot.says for spec in tools.specs.values() for slot in spec.slots)
    kinds: dict[str, Kind] = {}
    for mask in masks(words[:20_000]):
        if mask.kind == "file" and mask.file_kind is not None:
            kinds.setdefault(mask.value, mask.file_kind)
        elif mask.kind == "url":
            kinds.setdefault(mask.value, "data" if takes_addresses else mask.file_kind or "document")
    return tuple(_resource(name, kind) for name, kind in kinds.items())


def resource_of(row: Mapping[str, Json]) -> Resource | None:
    """The resource of a `{"name", "kind", …}` of our own format, or None where it is none."""
    name, kind = row.get("name"), row.get("kind")
    if not isinstance(name, str) or kind not in KINDS:
        return None
    found = _resource(name, kind)
    facts = {key: row[key] for key in ("made_by", "output") if key in row}
    text = row.get("text")
    return Resource(
        name=found.name,
        kind=found.kind,
        media_type=found.media_type,
        sha256=found.sha256,
        text=text if isinstance(text, str) else None,
        data=row.get("data"),
        facts=facts,
    )


def turns_of(history: Json) -> tuple[Turn, ...]:
    """The earlier turns of a conversation in our own format; what is no turn is passed over."""
    entries = cast("list[Json]", history) if isinstance(history, list) else []
    return tuple(_turn(cast("dict[str, Json]", entry)) for entry in entries if isinstance(entry, dict))


def _turn(entry: Mapping[str, Json]) -> Turn:
    asked, made = tuple(_resources(entry.get("asked"))), tuple(_resources(entry.get("made")))
    return Turn(
        words=str(entry.get("words", "")),
        answer=str(entry.get("answer", "")),
        plan=_plan(entry.get("plan"), (*asked, *made)),
        asked=asked,
        made=made,
    )


def _plan(value: Json, ledger: tuple[Resource, ...]) -> Plan:
    if not value:
        return Plan()
    from dragoman.planning.reader import read_plan

    return read_plan(json.dumps(value), ledger=ledger).plan


def _resources(value: Json) -> Iterator[Resource]:
    for entry in cast("list[Json]", value) if isinstance(value, list) else ():
        found = resource_of(cast("dict[str, Json]", entry)) if isinstance(entry, dict) else None
        if found is not None:
            yield found


def _resource(name: str, kind: Kind) -> Resource:
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return Resource(name=name, kind=kind, media_type=media_type, sha256=digest)
