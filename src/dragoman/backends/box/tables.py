"""A table into an adapter."""

from __future__ import annotations

from dragoman.backends.base import Item
from dragoman.errors import ExpertError
from dragoman.values import Arg


def table_of(args: dict[str, Arg]) -> Item:
    """The table handed over. Raises `ExpertError` if there is none."""
    item = args.get("table")
    if not isinstance(item, Item) or item.resource.kind != "table":
        came = f"{item.resource.kind} came" if isinstance(item, Item) else "none came"
        raise ExpertError(f"a table (CSV, TSV) is wanted as `table`; {came}.")
    return item
