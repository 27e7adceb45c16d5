"""What a run may fetch, and what it fetched: weights come once, with permission, in sight."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from dragoman import events as ev
from dragoman.backends.base import Backend
from dragoman.errors import DownloadDenied, Offline
from dragoman.journal.stream import Stream
from dragoman.models.card import ModelCard

__all__ = ["AskDownload", "Downloads", "Need"]

_SHOW_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Need:
    """A card that has to be fetched before it can run, and how many bytes that moves."""

    card: ModelCard
    bytes: int


AskDownload = Callable[[Sequence[Need]], Awaitable[bool]]


@dataclass(kw_only=True)
class Downloads:
    """The run's allowance. `ask`: how to ask the person, or None where nobody can be asked."""

    stream: Stream
    may_download: bool
    is_offline: bool
    limit_bytes: int
    ask: AskDownload | None = None
    moved_bytes: int = 0
    _allowed_bytes: int = 0
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])

    async def permit(self, needs: Sequence[Need]) -> None:
        """Get leave for everything that the plan needs. Raises `Offline` or `DownloadDenied` with the command."""
        total = sum(need.bytes for need in needs)
        if not needs or self.may_download:
            self._allowed_bytes += total
            return
        command = "dragoman models fetch " + " ".join(need.card.id for need in needs)
        if self.is_offline:
            raise Offline(f"{_names(needs)} would have to be fetched first, and downloads are off.", helps=command)
        if self.ask is not None:
            if not await self.ask(needs):
                raise DownloadDenied(f"the download of {_names(needs)} was turned down.", helps=command)
        elif self._allowed_bytes + total > self.limit_bytes:
            raise DownloadDenied(
                f"{_megabytes(total)} would have to be fetched ({_names(needs)}); "
                f"without being asked, a run fetches up to {_megabytes(self.limit_bytes)}.",
                helps=f"allow it with --yes, or fetch first: {command}",
            )
        self._allowed_bytes += total

    async def prepare(self, backend: Backend, card: ModelCard) -> None:
        """Have `card` ready to run, once, however many tasks want it. Raises `FetchError`."""
        async with self._locks.setdefault(card.id, asyncio.Lock()):
            available = await backend.availability(card)
            if available.needs_bytes == 0:
                return
            if self._allowed_bytes < available.needs_bytes:
                await self.permit([Need(card, available.needs_bytes)])
            self._allowed_bytes -= available.needs_bytes
            moved = await backend.prepare(card, tell=self._teller(card))
            self.moved_bytes += moved  # read after the wait: other cards are fetched meanwhile

    def _teller(self, card: ModelCard) -> Callable[[int, int], None]:
        shown_at = -_SHOW_EVERY_S
        is_whole = False

        def tell(done_bytes: int, total_bytes: int) -> None:
            nonlocal shown_at, is_whole
            if is_whole or (monotonic() - shown_at < _SHOW_EVERY_S and done_bytes < total_bytes):
                return
            is_whole = done_bytes >= total_bytes
            shown_at = monotonic()
            self.stream.emit(
                ev.Fetching,
                model=card.id,
                says=f"fetching {card.id}",
                license=card.license,
                done_bytes=done_bytes,
                total_bytes=total_bytes,
            )

        return tell


def _megabytes(count: int) -> str:
    return f"{max(1, round(count / 1e6))} MB"


def _names(needs: Sequence[Need]) -> str:
    return ", ".join(f"{need.card.id} ({_megabytes(need.bytes)}, {need.card.license})" for need in needs)
