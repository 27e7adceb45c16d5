"""Experts at Hugging Face's inference providers. What is sent leaves the machine, and every card says so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dragoman import net
from dragoman.backends.base import Availability, Call, Produced
from dragoman.backends.exchange import Exchange, Received, Sent
from dragoman.backends.made import shaped
from dragoman.backends.providers import cards as rows
from dragoman.backends.providers.hub import Mapped, Mappings
from dragoman.backends.providers.wire import Body
from dragoman.backends.refusals import Service
from dragoman.config import HF_ENDPOINT, HF_ROUTER
from dragoman.errors import ExpertError, ExpertTimeout, MediaError, NetRefused
from dragoman.models.card import ModelCard

if TYPE_CHECKING:
    from dragoman.backends.providers.routes import Route

__all__ = ["ProvidersBackend"]

CONVERSATIONAL = "conversational"
_FILE_BYTES = 200_000_000
_SIBLINGS = {"feature-extraction", "sentence-similarity"}  # hf-inference serves both with the same models


class ProvidersBackend:
    """Runs experts at inference providers, through Hugging Face's router.

    token: `HF_TOKEN`. endpoint, router: where the Hub and the router stand. allow_hosts: exempt from the network door
    where a provider's result is fetched. cards: the experts (default: the rows beside this file).
    """

    name = "providers"
    is_local = False
    limit = 8

    def __init__(
        self,
        token: str,
        *,
        endpoint: str = HF_ENDPOINT,
        router: str = HF_ROUTER,
        allow_hosts: Collection[str] = (),
        cards: Sequence[ModelCard] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._token, self._router = token.strip(), router.rstrip("/")
        self._cards = rows.cards() if cards is None else tuple(cards)
        self._allow_hosts, self._sleep, self._clock = tuple(allow_hosts), sleep, clock
        self._exchange = Exchange(sleep=sleep, clock=clock)
        hub = self._service("the Hugging Face Hub", model="", address_name="HF_ENDPOINT")
        self._mappings = Mappings(endpoint=endpoint.rstrip("/"), service=hub, exchange=self._exchange, clock=clock)

    def cards(self) -> Sequence[ModelCard]:
        """The well-known models that providers serve."""
        return self._cards

    async def availability(self, card: ModelCard) -> Availability:
        """Whether a provider serves `card` in a format spoken here; asked of the Hub once, then remembered."""
        try:
            found, skipped = self._choice(card, await self._mappings.of(card.id))
        except ExpertError as error:
            return Availability(can_run=False, because=error.says)
        if not found:
            why = f" ({'; '.join(skipped)})" if skipped else ""
            return Availability(can_run=False, because=f"no inference provider serves it now{why}")
        return Availability(can_run=True, because=f"at {found[0].provider}; what the task needs is sent there")

    async def prepare(self, card: ModelCard, *, tell: Callable[[int, int], None]) -> int:
        """Nothing is to be fetched."""
        del card, tell
        return 0

    async def run(self, call: Call) -> tuple[Produced, ...]:
        """Run one call at the first provider that serves it. Raises `ExpertError` with what to do."""
        ends_at = self._clock() + call.deadline_s
        try:
            async with asyncio.timeout(call.deadline_s):
                found, skipped = self._choice(call.card, await self._mappings.of(call.card.id))
                if not found:
                    why = "; ".join(skipped) or "take another expert"
                    raise ExpertError(f"no inference provider serves {call.card.id} now; {why}.")
                return await self._at(found[0], call, ends_at=ends_at)
        except TimeoutError as error:
            raise ExpertTimeout(
                f"{call.card.id} gave no result within {call.deadline_s:g} s; try again later or allow it more time."
            ) from error

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _choice(self, card: ModelCard, mapped: Sequence[Mapped]) -> tuple[list[Mapped], list[str]]:
        """The providers that can be called, those in best state first, and why the others can't."""
        from dragoman.backends.providers.routes import ROUTES

        wanted = wire_task(card)
        found: list[Mapped] = []
        skipped: list[str] = []
        for one in mapped:
            if one.task != wanted and not (one.provider == "hf-inference" and {one.task, wanted} == _SIBLINGS):
                skipped.append(f"{one.provider} serves it for {one.task}")
            elif wanted != CONVERSATIONAL and wanted not in ROUTES.get(one.provider, {}):
                skipped.append(f"{one.provider} is not spoken here for {wanted}")
            else:
                found.append(one)
        order = {"live": 0, "staging": 1}
        return sorted(found, key=lambda one: order.get(one.status, 2)), skipped

    async def _at(self, mapped: Mapped, call: Call, *, ends_at: float) -> tuple[Produced, ...]:
        from dragoman.backends.providers.routes import CHATTING, ROUTES

        is_chat = mapped.task == CONVERSATIONAL
        route = CHATTING if is_chat else ROUTES[mapped.provider][wire_task(call.card)]
        base = self._router if is_chat else f"{self._router}/{mapped.provider}"
        service = self._service(f"Hugging Face ({mapped.provider})", model=call.card.id)
        errand = _Errand(backend=self, base=base, service=service, ends_at=ends_at)
        if is_chat:  # the router picks the provider and knows the model by the Hub's id
            mapped = replace(mapped, provider_id=call.card.id)
        bodies = await asyncio.to_thread(route.wire.bodies, call, mapped.provider_id)
        received: list[Received] = []
        for place, body in enumerate(bodies):
            call.tell(place / len(bodies), f"sent to {mapped.provider}")
            received.append(await self._sent(body, route, mapped=mapped, errand=errand, call=call))
        if is_chat:
            self._count(received[0], call)
        with shaped(received[0]):
            return tuple(await asyncio.to_thread(route.wire.read, received, call, bodies))

    def _count(self, received: Received, call: Call) -> None:
        from dragoman.backends.mind.heard import tell
        from dragoman.backends.providers.chat import reply_of

        tell(reply_of(received, model=call.card.id))

    async def _sent(self, body: Body, route: Route, *, mapped: Mapped, errand: _Errand, call: Call) -> Received:
        sent = _request(body, url=f"{errand.base}{route.address(mapped.provider_id)}", token=self._token, route=route)
        try:
            left_s = max(0.01, errand.ends_at - self._clock())
            received = await self._exchange.ask(sent, service=errand.service, timeout_s=left_s, tell=call.tell)
        except ExpertError as error:
            if not error.is_passing:  # it may be gone from this provider: the Hub is asked anew
                self._mappings.forget(call.card.id)
            raise
        if route.settle is None:
            return received
        with shaped(received):
            return await route.settle(received, errand)

    def _service(self, name: str, *, model: str, address_name: str = "DRAGOMAN_HF_ROUTER") -> Service:
        return Service(
            name=name,
            key_name="HF_TOKEN",
            address_name=address_name,
            secret=self._token,
            keys="huggingface.co/settings/tokens, with leave to call inference providers",
            billing="huggingface.co/settings/billing",
            access=f"huggingface.co/{model}",
        )

    async def further(self, url: str, *, service: Service, ends_at: float) -> Received:
        """A further reply behind the router."""
        sent = Sent(url=url, method="GET", headers={"authorization": f"Bearer {self._token}"})
        left_s = max(0.01, ends_at - self._clock())
        return await self._exchange.ask(sent, service=service, timeout_s=left_s)

    async def file(self, url: str, *, service: Service, ends_at: float) -> Received:
        """A result's file, fetched without the token."""
        left_s = max(0.01, ends_at - self._clock())
        try:
            found = await net.fetch(url, max_bytes=_FILE_BYTES, timeout_s=left_s, allow_hosts=self._allow_hosts)
        except (MediaError, NetRefused) as error:
            raise ExpertError(f"the result of {service.name} can't be fetched: {error.says}") from error
        return Received(payload=found.payload, media_type=found.media_type, says=service.name)

    async def pause(self, seconds: float) -> None:
        """Wait before the next look."""
        await self._sleep(seconds)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Errand:
    """What a route may do for a result (see `routes.Errand`)."""

    backend: ProvidersBackend
    base: str
    service: Service
    ends_at: float

    async def get(self, path: str) -> Received:
        return await self.backend.further(f"{self.base}{path}", service=self.service, ends_at=self.ends_at)

    async def download(self, url: str) -> Received:
        return await self.backend.file(url, service=self.service, ends_at=self.ends_at)

    async def sleep(self, seconds: float) -> None:
        await self.backend.pause(seconds)


def wire_task(card: ModelCard) -> str:
    """The task under which providers list `card`: its own, or `conversational` for a model that chats."""
    return str(card.options.get("wire") or card.tasks[0])


def _request(body: Body, *, url: str, token: str, route: Route) -> Sent:
    headers = {"authorization": f"Bearer {token}", "accept": body.accept or "*/*", **dict(route.headers)}
    if body.files is not None:
        field, name, payload, media_type = body.files
        return Sent(url=url, headers=headers, form=body.json, files={field: (name, payload, media_type)})
    if body.content is not None:
        return Sent(url=url, headers={**headers, "content-type": body.media_type}, content=body.content)
    return Sent(url=url, headers=headers, body=body.json)
