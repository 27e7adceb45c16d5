"""Fakes for our tests and for yours: a backend whose experts are functions, and the small values they need."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from dragoman.backends.base import Availability, Call, Produced
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Json, Kind

__all__ = ["FakeBackend", "card", "data", "media", "words"]

Expert = Callable[[Call], Sequence[Produced]]


def card(task: str, *, id: str = "", languages: tuple[str, ...] = (), rank: int = 100) -> ModelCard:  # noqa: A002
    """The card of a fake expert for `task`."""
    return ModelCard(
        id=id or f"fake-{task}",
        tasks=(task,),
        description=f"A fake expert for {task}.",
        license="Apache-2.0",
        languages=languages,
        rank=rank,
    )


def words(text: str, *, name: str = "text") -> tuple[Produced, ...]:
    """One text output."""
    return (Produced(name=name, kind="text", media_type="text/plain", text=text),)


def data(rows: Json, *, name: str = "labels") -> tuple[Produced, ...]:
    """One data output."""
    return (Produced(name=name, kind="data", media_type="application/json", data=rows),)


def media(payload: bytes, *, kind: Kind = "audio", media_type: str = "audio/wav", name: str = "speech") -> Produced:
    """One file output; its facts are made up, so that any bytes do."""
    return Produced(name=name, kind=kind, media_type=media_type, payload=payload, facts={"is_fake": True})


class FakeBackend:
    """A backend whose experts are functions of the call. It remembers the calls in `calls`.

    experts: per task name the function; it may raise `ExpertError`. seconds: how long each call takes. needs_bytes:
    what each card claims to need fetched before its first call.
    """

    is_local = True

    def __init__(
        self,
        experts: Mapping[str, Expert],
        *,
        name: str = "fake",
        limit: int = 64,
        seconds: float = 0.0,
        needs_bytes: int = 0,
        cards: Sequence[ModelCard] | None = None,
    ) -> None:
        self.name = name
        self.limit = limit
        self.calls: list[Call] = []
        self.fetched: list[str] = []
        self.is_closed = False
        self._experts = experts
        self._seconds = seconds
        self._needs_bytes = needs_bytes
        self._cards = tuple(cards) if cards is not None else tuple(card(task) for task in experts)

    def cards(self) -> Sequence[ModelCard]:
        """One card per task, or those it was made with."""
        return self._cards

    async def availability(self, card: ModelCard) -> Availability:
        """Always there; not yet fetched where `needs_bytes` says so."""
        return Availability(can_run=True, needs_bytes=0 if card.id in self.fetched else self._needs_bytes)

    async def prepare(self, card: ModelCard, *, tell: Callable[[int, int], None]) -> int:
        """Pretend to fetch; nothing is moved but the count."""
        tell(self._needs_bytes, self._needs_bytes)
        self.fetched.append(card.id)
        return self._needs_bytes

    async def run(self, call: Call) -> tuple[Produced, ...]:
        """What the expert of the call's task returns, after `seconds`."""
        self.calls.append(call)
        await asyncio.sleep(self._seconds)
        if call.task not in self._experts:
            raise ExpertError(f"this backend has no expert for {call.task}.")
        return tuple(self._experts[call.task](call))

    async def aclose(self) -> None:
        """Remember that it was closed."""
        self.is_closed = True
