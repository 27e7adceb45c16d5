"""The experts of this machine, as listings need them: each card with its backend and whether it can run now."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dragoman.backends.base import Availability, Backend
from dragoman.models.card import ModelCard

__all__ = ["Expert", "experts"]

_PROBE_S = 3.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Expert:
    """A card, where it would run, and whether it can."""

    card: ModelCard
    backend: Backend
    available: Availability

    @property
    def is_fetched(self) -> bool:
        """Whether it can run without a download."""
        return self.available.can_run and not self.available.needs_bytes

    @property
    def serves(self) -> bool:
        """Whether it would be chosen from: it runs now, or does once it is fetched."""
        return self.available.can_run


async def experts(backends: Iterable[Backend]) -> Sequence[Expert]:
    """Every expert of these backends; all are probed at once, none for longer than three seconds."""
    pairs = [(backend, card) for backend in backends for card in backend.cards()]
    found = await asyncio.gather(*(_probe(backend, card) for backend, card in pairs))
    return [
        Expert(card=card, backend=backend, available=available)
        for (backend, card), available in zip(pairs, found, strict=True)
    ]


async def _probe(backend: Backend, card: ModelCard) -> Availability:
    try:
        async with asyncio.timeout(_PROBE_S):
            return await backend.availability(card)
    except TimeoutError:
        return Availability(can_run=False, because=f"{backend.name} did not answer within {_PROBE_S:g} s")
