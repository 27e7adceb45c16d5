"""Names to dotted paths, imported on demand: the way in for backends, minds and adapters."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from dragoman.errors import UsageError

__all__ = ["load", "load_named"]


def load(path: str) -> Any:
    """The object at `package.module:Name`. Raises `ImportError` or `AttributeError` if it is not there."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def load_named(name: str, *, table: Mapping[str, str], what: str) -> Any:
    """The object that `table` lists under `name`. An unknown name raises `UsageError` with all right ones."""
    if name not in table:
        raise UsageError(f"no {what} `{name}`; there are: {', '.join(sorted(table))}.")
    return load(table[name])
