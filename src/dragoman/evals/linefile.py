"""A file of results, a JSON object a line, each on disk before it counts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import StoreError, UsageError
from dragoman.evals.rows import Row, rows_of
from dragoman.values import Json

__all__ = ["LineFile"]


@dataclass(frozen=True, kw_only=True, slots=True)
class LineFile:
    """path: None keeps nothing. settings: a hash of what the results depend on; it stands in every line."""

    path: Path | None
    settings: str

    def rows(self) -> Iterator[Row]:
        """What an earlier run left; a last line that was cut off is dropped from the file.

        Raises `UsageError` where a line was written under other settings.
        """
        if self.path is None or not self.path.exists():
            return
        _drop_torn_end(self.path)
        for row in rows_of(self.path):
            if row.fields is not None and row.fields.get("settings") != self.settings:
                raise UsageError(
                    f"{row.where} in `{self.path}` was written by another program, or under other settings.",
                    helps="Name another file; `--score-only` scores predictions as they are.",
                )
            yield row

    def append(self, fields: Mapping[str, Json]) -> None:
        """Write one more line. Raises `StoreError`."""
        if self.path is None:
            return
        line = json.dumps({**fields, "settings": self.settings}, ensure_ascii=False)
        try:
            with self.path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(line + "\n")
        except OSError as error:
            says = f"`{self.path}` can't be written: {error}."
            raise StoreError(says, helps="free space, or name another file") from error


def _drop_torn_end(path: Path) -> None:
    """A process that died while it wrote leaves half a line; it would spoil the next one."""
    try:
        with path.open("rb+") as file:
            whole = file.read()
            end = whole.rfind(b"\n") + 1
            if end == len(whole):
                return
            if _is_json(whole[end:]):
                file.write(b"\n")
            else:
                file.truncate(end)
    except OSError as error:
        raise UsageError(f"`{path}` can't be read and written: {error}.") from error


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
