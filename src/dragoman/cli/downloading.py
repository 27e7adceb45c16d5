"""One download told on standard error: a bar where lines can be redrawn, else a line at its start and end."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Self

from dragoman.cli.figures import size
from dragoman.cli.terminal import Terminal
from dragoman.models.card import ModelCard

__all__ = ["Progress"]

_SHOW_EVERY_S = 0.2
_BAR_CELLS = 24


class Progress:
    """How far the download of a card is; quiet where nothing is to be fetched. A context manager."""

    def __init__(self, card: ModelCard, terminal: Terminal, *, total_bytes: int) -> None:
        self._terminal = terminal
        self._card = card
        self._total_bytes = total_bytes
        self._is_live = terminal.has_live_view
        self._shown_at = 0.0

    def __enter__(self) -> Self:
        if self._total_bytes and not self._is_live:
            card = self._card
            self._terminal.say(f"fetching {card.id}: {size(self._total_bytes)}, licence {card.license}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._total_bytes:
            return
        if self._is_live:
            self._terminal.stderr.write("\r\x1b[K")
        if error is None:
            self._terminal.say(f"{self._card.id} is fetched")

    def tell(self, done_bytes: int, total_bytes: int) -> None:
        """Show that so much is there."""
        if not self._is_live or not total_bytes or monotonic() - self._shown_at < _SHOW_EVERY_S:
            return
        self._shown_at = monotonic()
        full = round(_BAR_CELLS * min(1.0, done_bytes / total_bytes))
        bar = "#" * full + "-" * (_BAR_CELLS - full)
        line = f"{self._card.id}  [{bar}] {size(done_bytes)} of {size(total_bytes)}, licence {self._card.license}"
        self._terminal.redraw(line)
