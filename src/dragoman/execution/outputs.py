"""What an expert produced, kept: bytes in the store, files under readable names in the run's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from dragoman.backends.base import Produced
from dragoman.store import Store
from dragoman.values import Kind, Output, Task

__all__ = ["Keeper"]

_FILES: frozenset[Kind] = frozenset({"image", "audio", "video", "table", "document"})
_ENDINGS = {"text": ".txt", "data": ".json"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Keeper:
    """Keeps the outputs of one run. `out`: its folder, made when the first file is written."""

    store: Store
    out: Path

    def keep(self, task: Task, produced: Sequence[Produced]) -> tuple[Output, ...]:
        """Each output as a stored resource. Raises `StoreError`."""
        files = sum(one.kind in _FILES for one in produced)
        return tuple(self._keep(task, one, is_alone=files == 1) for one in produced)

    def _keep(self, task: Task, one: Produced, *, is_alone: bool) -> Output:
        is_file = one.kind in _FILES
        stem = f"{task.id}-{task.task}" + ("" if is_file and is_alone else f"-{one.name}")
        resource = self.store.keep(
            name=stem + _ENDINGS.get(one.kind, ""),
            kind=one.kind,
            media_type=one.media_type,
            text=one.text,
            data=one.data,
            payload=one.payload,
            facts=one.facts or None,
        )
        if is_file:
            resource = replace(resource, name=self.store.export(resource, directory=self.out, stem=stem).name)
        return Output(name=one.name, resource=resource)
