"""Which providers serve a model, as the Hub says: asked once, remembered for a while, never waited for long."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import quote

from dragoman.backends.exchange import Exchange, Sent
from dragoman.backends.refusals import Service
from dragoman.errors import ExpertError
from dragoman.values import Json

__all__ = ["Mapped", "Mappings"]

_KEPT_S = 600.0
_FAILED_KEPT_S = 60.0
_PROBE_S = 2.5  # below what a selection waits for its probes, so that a slow Hub is remembered as such


@dataclass(frozen=True, kw_only=True, slots=True)
class Mapped:
    """One provider of a model: under which id, for which task, in which state (live, staging, error)."""

    provider: str
    provider_id: str
    task: str
    status: str


@dataclass(kw_only=True)
class _Known:
    until: float
    found: tuple[Mapped, ...] | ExpertError


@dataclass(kw_only=True)
class Mappings:
    """What the Hub at `endpoint` says. Source: huggingface_hub, `expand=inferenceProviderMapping`."""

    endpoint: str
    service: Service
    exchange: Exchange
    clock: Callable[[], float] = time.monotonic
    _known: dict[str, _Known] = field(default_factory=dict[str, _Known])

    async def of(self, model: str) -> tuple[Mapped, ...]:
        """The providers of `model`, the Hub's order. Raises `ExpertError` where it does not say."""
        known = self._known.get(model)
        if known is None or known.until <= self.clock():
            known = self._known[model] = await self._ask(model)
        if isinstance(known.found, ExpertError):
            raise known.found
        return known.found

    def forget(self, model: str) -> None:
        """Ask the Hub anew at the next call: a provider said that it no longer serves the model."""
        self._known.pop(model, None)

    async def _ask(self, model: str) -> _Known:
        url = f"{self.endpoint}/api/models/{quote(model)}?expand=inferenceProviderMapping"
        headers = {"authorization": f"Bearer {self.service.secret}"}
        sent = Sent(url=url, method="GET", headers=headers)
        try:
            received = await self.exchange.ask(sent, service=self.service, timeout_s=_PROBE_S)
            return _Known(until=self.clock() + _KEPT_S, found=_mapped(received.json()))
        except ExpertError as error:
            return _Known(until=self.clock() + _FAILED_KEPT_S, found=error)


def _mapped(reply: Json) -> tuple[Mapped, ...]:
    """The rows of a reply: an object by provider, or a list of objects that name theirs. What is no row is left out."""
    held = reply.get("inferenceProviderMapping") if isinstance(reply, dict) else None
    if isinstance(held, dict):
        rows = [{"provider": name, **row} for name, row in held.items() if isinstance(row, dict)]
    else:
        rows = [row for row in cast("list[Json]", held or []) if isinstance(row, dict)]
    return tuple(found for row in rows if (found := _row(row)) is not None)


def _row(row: Mapping[str, Json]) -> Mapped | None:
    provider, provider_id, task = row.get("provider"), row.get("providerId"), row.get("task")
    if not (isinstance(provider, str) and isinstance(provider_id, str) and isinstance(task, str)):
        return None
    return Mapped(provider=provider, provider_id=provider_id, task=task, status=str(row.get("status", "live")))
