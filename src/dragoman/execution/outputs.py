"""What an expert produced, kept: bytes in the store, files under readable names in the run's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from dragoman.backends.base import Produced
from dragoman.store import Store
from dragoman.values import FILE_KINDS, Output, Resource, Task

__all__ = ["Keeper"]

_ENDINGS = {"text": ".txt", "data": ".json"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Keeper:
    """Keeps the outputs of one run. `out`: its folder, made when the first file is written."""

    store: Store
    out: Path

    def keep(self, task: Task, produced: Sequence[Produced]) -> tuple[Output, ...]:
        """Each output as a stored resource. Raises `StoreError`."""
        files = sum(one.kind in FILE_KINDS for one in produced)
        return tuple(self._keep(task, one, is_alone=files == 1) for one in produced)

    def again(self, task: Task, outputs: Sequence[Output]) -> tuple[Output, ...] | None:
        """Outputs of an earlier run under the names of this one, or None if their bytes are gone."""
        if not all(self.store.has(output.resource.sha256) for output in outputs):
            return None
        files = sum(output.resource.kind in FILE_KINDS for output in outputs)
        return tuple(
            Output(name=output.name, resource=self._named(task, output.name, output.resource, is_alone=files == 1))
            for output in outputs
        )

    def _keep(self, task: Task, one: Produced, *, is_alone: bool) -> Output:
        resource = self.store.keep(
            name=one.name,
            kind=one.kind,
            media_type=one.media_type,
            text=one.text,
            data=one.data,
            payload=one.payload,
            facts=one.facts or None,
        )
        return Output(name=one.name, resource=self._named(task, one.name, resource, is_alone=is_alone))

    def _named(self, task: Task, output: str, resource: Resource, *, is_alone: bool) -> Resource:
        """The resource under a readable name (`2-text-to-speech.wav`); a file is written out under it, too."""
        is_file = resource.kind in FILE_KINDS
        stem = f"{task.id}-{task.task}" + ("" if is_file and is_alone else f"-{output}")
        if is_file:
            return replace(resource, name=self.store.export(resource, directory=self.out, stem=stem).name)
        return replace(resource, name=stem + _ENDINGS.get(resource.kind, ""))
