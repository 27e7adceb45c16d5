"""What the mind's endpoint serves besides chat about text: pictures seen and made, speech, transcripts, vectors."""

from __future__ import annotations

import asyncio
import math
import time
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from dragoman import net
from dragoman.backends.base import Availability, Call, Produced
from dragoman.backends.endpoints.sight import ASKED, Sight, has_seen, trial_picture
from dragoman.backends.exchange import Exchange, Received, Sent
from dragoman.backends.made import shaped
from dragoman.backends.mind.backend import RANK
from dragoman.backends.mind.heard import tell as count
from dragoman.backends.mind.questions import VISION_TASKS
from dragoman.backends.refusals import Service
from dragoman.errors import ExpertError, ExpertTimeout, MediaError, NetRefused
from dragoman.minds.refusals import shown_url
from dragoman.models.card import ModelCard
from dragoman.values import Json

if TYPE_CHECKING:
    from dragoman.backends.endpoints.wires import Form

__all__ = ["EndpointBackend", "service_tasks"]

_KEPT_S, _FAILED_KEPT_S, _PROBE_S = 600.0, 60.0, 2.5
_FILE_BYTES = 200_000_000
_SIGHT = "sight"


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    task: str
    path: str
    match: tuple[str, ...]
    description: str
    voice: str | None = None


class _Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    service: tuple[_Row, ...]


@cache
def _services() -> Mapping[str, _Row]:
    text = Path(__file__).with_name("services.toml").read_text(encoding="utf-8")
    return {row.task: row for row in msgspec.convert(tomllib.loads(text), _Rows).service}


def service_tasks() -> frozenset[str]:
    """The tasks that an endpoint may serve besides text: where it has a model for them."""
    return frozenset((*_services(), *VISION_TASKS))


@dataclass(kw_only=True)
class _Listed:
    until: float
    models: tuple[str, ...] = ()
    error: ExpertError | None = None


@dataclass(kw_only=True)
class EndpointBackend:
    """Experts at an OpenAI-style endpoint. model: the one that chats, None where the endpoint has only one.

    memory: the file that keeps whether the model sees. allow_hosts: exempt from the network door where a result lies
    at an address.
    """

    base_url: str
    api_key: str | None = field(repr=False)
    model: str | None
    is_local: bool
    memory: Path
    allow_hosts: Collection[str] = ()
    exchange: Exchange = field(default_factory=Exchange)
    clock: Callable[[], float] = time.monotonic
    name: str = "endpoint"
    limit: int = 4

    def __post_init__(self) -> None:
        self._base = self.base_url.strip().rstrip("/").removesuffix("/chat/completions")
        self._shown = shown_url(self._base)
        self._sight = Sight(self.memory)
        self._listed = _Listed(until=-math.inf)
        self._trial: asyncio.Task[bool] | None = None
        self._service = Service(
            name=self._shown, key_name="OPENAI_API_KEY", address_name="OPENAI_BASE_URL",
            secret=(self.api_key or "").strip() or None,
        )  # fmt: skip

    def cards(self) -> Sequence[ModelCard]:
        """One expert per task that such endpoints serve, and the mind as one that sees."""
        sent = "Runs on this machine." if self.is_local else f"What the task needs is sent to {self._shown}."
        seeing = f"A language model that sees, as expert for pictures. {sent}"
        rows: list[tuple[str, tuple[str, ...], str]] = [
            (f"{self._shown} {row.task}", (row.task,), f"{row.description} {sent}") for row in _services().values()
        ]
        rows.append((f"{self._shown} {_SIGHT}", VISION_TASKS, seeing))
        return tuple(
            ModelCard(
                id=id_, tasks=tasks, description=says, license="not stated", backend=self.name, languages=("*",),
                rank=RANK,
            )
            for id_, tasks, says in rows
        )  # fmt: skip

    async def availability(self, card: ModelCard) -> Availability:
        """Whether the endpoint lists a model for it, or its model has been seen to see."""
        try:
            model = await self._model_for(card)
        except ExpertError as error:
            return Availability(can_run=False, because=error.says)
        if card.tasks == VISION_TASKS:
            return await self._sees(model)
        return Availability(can_run=True, because=f"with its model {model}")

    async def prepare(self, card: ModelCard, *, tell: Callable[[int, int], None]) -> int:
        """Nothing is to be fetched."""
        del card, tell
        return 0

    async def run(self, call: Call) -> tuple[Produced, ...]:
        """Run one call. Raises `ExpertError` with what to do."""
        try:
            async with asyncio.timeout(call.deadline_s):
                model = await self._model_for(call.card)
                return await self._run(call, model)
        except TimeoutError as error:
            raise ExpertTimeout(
                f"{self._shown} gave no result within {call.deadline_s:g} s; try again later or allow it more time."
            ) from error

    async def aclose(self) -> None:
        """End a look at the model's eyes that is still under way."""
        if self._trial is not None and not self._trial.done():
            self._trial.cancel()

    async def _run(self, call: Call, model: str) -> tuple[Produced, ...]:
        from dragoman.backends.endpoints.wires import forms

        tried = await asyncio.to_thread(forms, call, model)
        ends_at = self.clock() + call.deadline_s
        form, received = await self._first_taken(tried, call, ends_at=ends_at)
        received = [await self._file(one, ends_at=ends_at) for one in received]
        if form.reply is not None:
            count(form.reply(received[0]))
        with shaped(received[0]):
            return tuple(await asyncio.to_thread(form.read, received, call, form.bodies))

    async def _first_taken(
        self, tried: Sequence[Form], call: Call, *, ends_at: float
    ) -> tuple[Form, Sequence[Received]]:
        """The first form whose fields the endpoint takes, and its replies."""
        *others, last = tried
        for form in others:
            try:
                return form, await self._replies(form, call, ends_at=ends_at)
            except ExpertError as error:
                if not any(code in error.says for code in ("(400)", "(422)")):
                    raise
        return last, await self._replies(last, call, ends_at=ends_at)

    async def _replies(self, form: Form, call: Call, *, ends_at: float) -> Sequence[Received]:
        return [
            await self._posted(form.path, body.json, files=body.files, timeout_s=ends_at - self.clock(), call=call)
            for body in form.bodies
        ]

    async def _posted(
        self,
        path: str,
        fields: Json,
        *,
        timeout_s: float,
        files: tuple[str, str, bytes, str] | None = None,
        call: Call | None = None,
    ) -> Received:
        url, headers = f"{self._base}{path}", self._headers()
        sent = Sent(url=url, headers=headers, body=fields)
        if files is not None:
            name, file_name, payload, media_type = files
            sent = Sent(url=url, headers=headers, form=fields, files={name: (file_name, payload, media_type)})
        tell = call.tell if call else None
        return await self.exchange.ask(sent, service=self._service, timeout_s=max(0.01, timeout_s), tell=tell)

    async def _file(self, received: Received, *, ends_at: float) -> Received:
        """A reply that names the address of a picture is followed there, without the key."""
        url = _address_in(received)
        if url is None:
            return received
        own = urlsplit(self._base).netloc.rpartition("@")[2]
        try:
            found = await net.fetch(
                url, max_bytes=_FILE_BYTES, timeout_s=max(0.01, ends_at - self.clock()),
                allow_hosts=(*self.allow_hosts, own),
            )  # fmt: skip
        except (MediaError, NetRefused) as error:
            raise ExpertError(f"the result of {self._shown} can't be fetched: {error.says}") from error
        return Received(payload=found.payload, media_type=found.media_type, says=self._shown)

    async def _model_for(self, card: ModelCard) -> str:
        """The endpoint's id of the model that serves `card`. Raises `ExpertError` where it lists none."""
        if card.tasks == VISION_TASKS and self.model:
            return self.model
        models = await self._models()
        if card.tasks == VISION_TASKS:
            if len(models) == 1:
                return models[0]
            raise ExpertError(f"{self._shown} lists {len(models)} models; set DRAGOMAN_MODEL to the one that chats.")
        wanted = _services()[card.tasks[0]].match
        found = next((model for part in wanted for model in models if part in model.casefold()), None)
        if found is None:
            raise ExpertError(f"{self._shown} lists no model for {card.tasks[0]}.")
        return found

    async def _models(self) -> tuple[str, ...]:
        if self._listed.until <= self.clock():
            self._listed = await self._list()
        if self._listed.error is not None:
            raise self._listed.error
        return self._listed.models

    async def _list(self) -> _Listed:
        sent = Sent(url=f"{self._base}/models", method="GET", headers=self._headers())
        try:
            answer = (await self.exchange.ask(sent, service=self._service, timeout_s=_PROBE_S)).json()
        except ExpertError as error:
            return _Listed(until=self.clock() + _FAILED_KEPT_S, error=error)
        rows = answer.get("data") if isinstance(answer, dict) else None
        found = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        return _Listed(until=self.clock() + _KEPT_S, models=tuple(str(name) for name in found if name))

    async def _sees(self, model: str) -> Availability:
        """From memory, or from a trial that is not waited for longer than a probe."""
        sees = self._sight.known(self._base, model)
        if sees is None:
            if self._trial is None or self._trial.done():
                self._trial = asyncio.create_task(self._try(model))
            done, _ = await asyncio.wait({self._trial}, timeout=_PROBE_S)
            if not done:
                return Availability(can_run=False, because=f"whether {model} sees is still being tried")
            sees = self._trial.result()
        if sees:
            return Availability(can_run=True, because=f"{model} has been seen to see")
        return Availability(can_run=False, because=f"{model} was shown a picture and did not see it")

    async def _try(self, model: str) -> bool:
        """Show it a picture of two colours. A failure that may pass is not remembered."""
        from dragoman.backends.providers.chat import picture_message, reply_of

        fields = {"model": model, "messages": [picture_message(ASKED, trial_picture())]}
        try:
            reply = reply_of(await self._posted("/chat/completions", fields, timeout_s=30.0), model=model)
        except ExpertError as error:
            if not error.is_passing and not isinstance(error, ExpertTimeout):
                self._sight.keep(self._base, model, sees=False)
            return False
        sees = has_seen(reply.text)
        self._sight.keep(self._base, model, sees=sees)
        return sees

    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._service.secret}"} if self._service.secret else {}


def _address_in(received: Received) -> str | None:
    if received.media_type != "application/json":
        return None
    answer = received.json()
    rows = answer.get("data") if isinstance(answer, dict) else None
    first = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
    url = first.get("url")
    return url if isinstance(url, str) and url else None
