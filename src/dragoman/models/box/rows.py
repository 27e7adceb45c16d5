"""Rows of packaged experts, read strictly: a wrong row is an error that names the file and the row."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from dragoman.errors import DragomanError
from dragoman.models.card import ADAPTERS, ModelCard, WeightFile
from dragoman.tasks.catalogue import SPECS

ID = re.compile(r"[a-z0-9][a-z0-9._-]*")
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
SOURCE = re.compile(
    r"(pypi:[A-Za-z0-9._-]+==[^!/\s]+|npm:(@[a-z0-9._-]+/)?[a-z0-9._-]+@[^!/\s]+|package:[A-Za-z0-9._-]+)!/.+"
)
SHA256 = re.compile(r"[0-9a-f]{64}")
HELP = "models/box/README.md shows a right row."


class _Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: tuple[ModelCard, ...] = ()


@cache
def cards() -> tuple[ModelCard, ...]:
    """Every packaged expert. Raises `DragomanError` if a row is wrong or two rows share an id."""
    return read(*sorted(Path(__file__).parent.glob("*.toml")))


def read(*paths: Path) -> tuple[ModelCard, ...]:
    """The cards of these files of rows. Raises `DragomanError` that names the file, the row and what is wrong."""
    found: dict[str, ModelCard] = {}
    for path in paths:
        for card in _rows(path):
            if card.id in found:
                raise DragomanError(f"{path.name}: the id `{card.id}` is taken by another row; give it one of its own.")
            found[card.id] = card
    return tuple(found.values())


def _rows(path: Path) -> tuple[ModelCard, ...]:
    try:
        rows = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Rows)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise DragomanError(f"{path.name}: {error}. {HELP}") from error
    for card in rows.card:
        faults = [*_faults(card), *(fault for file in card.files for fault in _file_faults(file))]
        if faults:
            raise DragomanError(f"{path.name}: card `{card.id}`: {'; '.join(faults)}. {HELP}")
    return rows.card


def _faults(card: ModelCard) -> list[str]:
    names = [*(file.name for file in card.files), *card.converted]
    strange = ", ".join(task for task in card.tasks if task not in SPECS)
    checks = {
        f"the id must be like {ID.pattern}": ID.fullmatch(card.id) is not None,
        f"the adapter `{card.adapter}` must be module:Class under {ADAPTERS}": _is_under_adapters(card.adapter),
        f"convert `{card.convert}` must be module:function under {ADAPTERS}": (
            not card.convert or _is_under_adapters(card.convert)
        ),
        "`convert` and `converted` go together": bool(card.convert) == bool(card.converted),
        "it names no runtime": bool(card.runtime),
        f"no such task: {strange}": not strange,
        "two of its files share a name": len(names) == len(set(names)),
        f"a file's name must be like {NAME.pattern}": all(NAME.fullmatch(name) for name in names),
    }
    return [says for says, holds in checks.items() if not holds]


def _file_faults(file: WeightFile) -> list[str]:
    checks = {
        f"`{file.source}` is none of pypi:NAME==VERSION!/…, npm:NAME@VERSION!/…, package:NAME!/…": (
            SOURCE.fullmatch(file.source) is not None
        ),
        f"`{file.name}` has no SHA-256": file.is_installed or SHA256.fullmatch(file.sha256) is not None,
        f"`{file.name}` must say its bytes and download_bytes": (
            file.is_installed or (file.bytes > 0 and file.download_bytes > 0)
        ),
        f"`{file.name}`: wheel_tags are three: interpreter, ABI, platform": len(file.wheel_tags) in (0, 3),
    }
    return [says for says, holds in checks.items() if not holds]


def _is_under_adapters(path: str) -> bool:
    module, _, name = path.partition(":")
    return module.startswith(ADAPTERS) and name.isidentifier()
