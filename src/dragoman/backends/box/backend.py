"""The box: packaged experts, fetched into the model store, run in worker processes."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dragoman.backends.base import Availability, Call, Produced
from dragoman.backends.machine import usable_memory_bytes
from dragoman.backends.workers import WorkerPool
from dragoman.errors import ExpertError, FetchError
from dragoman.models import box
from dragoman.models.card import ModelCard
from dragoman.models.fetch import ModelStore
from dragoman.models.packages import missing_tool


class BoxBackend:
    """Runs packaged experts on this machine.

    home: where weights and logs are kept. threads: of each worker; 0 asks the machine. is_offline: nothing is fetched.
    shelf: the experts (default: the rows of `models/box`). environ: the parent's variables (default: the process's).
    """

    name = "box"
    is_local = True
    limit = 16  # more than there are runtimes: each takes one call at a time and keeps the others in line

    def __init__(
        self,
        home: Path,
        *,
        threads: int = 0,
        is_offline: bool = False,
        shelf: Sequence[ModelCard] | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._shelf = box.cards() if shelf is None else tuple(shelf)
        self._is_offline = is_offline
        self._memory_bytes = usable_memory_bytes()
        self._path = (os.environ if environ is None else environ).get("PATH")
        self._installed: dict[str, bool] = {}
        self.store = ModelStore(home, shelf=self._shelf, environ=environ)
        self.workers = WorkerPool(home, threads=threads, environ=environ)

    def cards(self) -> Sequence[ModelCard]:
        """The experts that this backend could run, fetched or not."""
        return self._shelf

    async def availability(self, card: ModelCard) -> Availability:
        """Whether `card` can run now, from a few looks at the disk. Nothing is imported or downloaded."""
        if lacking := self._lacking(card):
            return Availability(can_run=False, because=lacking)
        if self.store.is_fetched(card):
            return Availability(can_run=True)
        needs_bytes = self.store.missing_bytes(card)
        tools = [tool for file in card.files if needs_bytes and (tool := missing_tool(file, path=self._path))]
        says = f"not fetched yet: {_size(needs_bytes)}" if needs_bytes else "fetched, to be unpacked at its first use"
        if tools:
            return Availability(can_run=False, needs_bytes=needs_bytes, because=f"{says}; {tools[0]}")
        if self._is_offline and needs_bytes:
            says = f"{says}, and downloads are off; `dragoman models fetch {card.id}` brings it"
            return Availability(can_run=False, needs_bytes=needs_bytes, because=says)
        return Availability(can_run=True, needs_bytes=needs_bytes, because=says)

    async def prepare(self, card: ModelCard, *, tell: Callable[[int, int], None]) -> int:
        """Fetch what `card` needs; the bytes moved. Raises `FetchError`, offline its kind `Offline`."""
        return await self.store.fetch(card, tell=tell, is_offline=self._is_offline)

    async def run(self, call: Call) -> tuple[Produced, ...]:
        """Run one call in its runtime's worker. Raises `ExpertError`; cancelled, it ends that worker."""
        if not self.store.is_fetched(call.card):
            await self._unpack(call.card)
        return await self.workers.run(call, files=self.store.files_of(call.card))

    async def aclose(self) -> None:
        """End every worker."""
        await self.workers.aclose()

    async def _unpack(self, card: ModelCard) -> None:
        """Put a card together whose parts came along with another's; nothing is downloaded here."""
        try:
            await self.store.fetch(card, tell=_unheard, is_offline=True)
        except FetchError as error:
            raise ExpertError(error.says, helps=error.helps) from error

    def _lacking(self, card: ModelCard) -> str:
        missing = [name for name in card.requires if not self._is_installed(name)]
        if missing:
            return f"needs pip install 'dragoman[box]' ({', '.join(missing)} not installed)"
        if card.memory_bytes > self._memory_bytes:
            return f"needs {_size(card.memory_bytes)} of memory, this machine has {_size(self._memory_bytes)}"
        return ""

    def _is_installed(self, name: str) -> bool:
        if not self._installed.get(name):
            try:
                importlib.metadata.distribution(name)
            except importlib.metadata.PackageNotFoundError:
                self._installed[name] = False
            else:
                self._installed[name] = True
        return self._installed[name]


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{max(1, round(count / 1e6))} MB"


def _unheard(done_bytes: int, total_bytes: int) -> None:
    del done_bytes, total_bytes
