"""Any HTTP API as an expert: one row of data says what is sent and where the result lies."""

from __future__ import annotations

import asyncio
import base64
import binascii
import os
from collections.abc import Callable, Collection, Mapping, Sequence

from dragoman import net
from dragoman.backends.base import Availability, Call, Produced
from dragoman.backends.endpoints.vendor_rows import Vendor, at, filled, headers_of, variables
from dragoman.backends.exchange import Exchange, Received, Sent
from dragoman.backends.made import labels_output, picture_output, shaped, sound_output, text_output
from dragoman.backends.refusals import Service
from dragoman.errors import ExpertError, ExpertTimeout, MediaError, NetRefused
from dragoman.minds.refusals import shown_url
from dragoman.models.card import ModelCard
from dragoman.tasks.catalogue import SPECS
from dragoman.values import Json

__all__ = ["VendorsBackend"]

_FILE_BYTES = 200_000_000


class VendorsBackend:
    """Runs the experts of a person's rows. environ: where keys are looked up (default: the process's)."""

    name = "vendors"
    is_local = False
    limit = 4

    def __init__(
        self,
        rows: Sequence[Vendor],
        *,
        environ: Mapping[str, str] | None = None,
        allow_hosts: Collection[str] = (),
        exchange: Exchange | None = None,
    ) -> None:
        self._rows = {row.id: row for row in rows}
        self._environ = os.environ if environ is None else environ
        self._allow_hosts = tuple(allow_hosts)
        self._exchange = exchange or Exchange()

    def cards(self) -> Sequence[ModelCard]:
        """One per row; each says where data is sent."""
        return tuple(
            ModelCard(
                id=row.id,
                tasks=(row.task,),
                description=f"{row.description} What the task needs is sent to {shown_url(row.url)}.",
                license=row.license,
                backend=self.name,
                languages=row.languages,
                rank=row.rank,
                options={"url": row.url, "body": row.body},
            )
            for row in self._rows.values()
        )

    async def availability(self, card: ModelCard) -> Availability:
        """Whether its key is set. The service itself is not asked."""
        missing = [name for name in variables(self._rows[card.id]) if not self._environ.get(name, "").strip()]
        if missing:
            return Availability(can_run=False, because=f"{' and '.join(missing)} must be set")
        return Availability(can_run=True, because="a service of yours")

    async def prepare(self, card: ModelCard, *, tell: Callable[[int, int], None]) -> int:
        """Nothing is to be fetched."""
        del card, tell
        return 0

    async def run(self, call: Call) -> tuple[Produced, ...]:
        """Run one call. Raises `ExpertError` with what to do."""
        row = self._rows[call.card.id]
        try:
            async with asyncio.timeout(call.deadline_s):
                received = await self._asked(row, call)
                with shaped(received):
                    return await asyncio.to_thread(_outputs, received, row, call)
        except TimeoutError as error:
            raise ExpertTimeout(
                f"{row.id} gave no result within {call.deadline_s:g} s; try again later or allow it more time."
            ) from error

    async def aclose(self) -> None:
        """Nothing is held open."""

    async def _asked(self, row: Vendor, call: Call) -> Received:
        body: Json = await asyncio.to_thread(filled, row.body, lambda name: _value(name, call)) if row.body else None
        headers = headers_of(row, self._environ)
        secret = " ".join(self._environ.get(name, "").strip() for name in variables(row)) or None
        service = Service(
            name=row.id, key_name=" and ".join(variables(row)) or "its key", address_name="vendors.toml", secret=secret
        )
        sent = Sent(url=row.url, method=row.method, headers=headers, body=body)
        if row.send == "form":
            form = {key: str(value) for key, value in (body or {}).items()}
            sent = Sent(url=row.url, method=row.method, headers=headers, form=form)
        received = await self._exchange.ask(sent, service=service, timeout_s=call.deadline_s, tell=call.tell)
        return await self._file(received, row, call) if row.result.form == "url" else received

    async def _file(self, received: Received, row: Vendor, call: Call) -> Received:
        """The file at the address in the reply, fetched without the key."""
        url = at(received.json(), row.result.path)
        if not isinstance(url, str):
            raise received.unlike(f"an address at `{row.result.path}`")
        try:
            found = await net.fetch(
                url, max_bytes=_FILE_BYTES, timeout_s=call.deadline_s, allow_hosts=self._allow_hosts
            )
        except (MediaError, NetRefused) as error:
            raise ExpertError(f"the result of {row.id} can't be fetched: {error.says}") from error
        return Received(payload=found.payload, media_type=found.media_type, says=row.id)


def _value(name: str, call: Call) -> Json:
    """The argument that a place in a body stands for; nothing where the call has none."""
    from dragoman.backends.sendable import as_base64, picture_of, sounds_of

    kind, _, form = name.partition("_")
    if form and kind == "image":
        picture = picture_of(call.args)
        return picture.url if form == "url" else as_base64(picture.payload)
    if form:
        sound = sounds_of(call.args, piece_s=1e6)[0]
        return sound.url if form == "url" else as_base64(sound.payload)
    value = call.args.get(name)
    return list(value) if isinstance(value, tuple) else "" if value is None else value


def _outputs(received: Received, row: Vendor, call: Call) -> tuple[Produced, ...]:
    spec = SPECS[call.task]
    result = row.result
    if result.form == "text":
        name = next(out.name for out in spec.outputs if out.kind == "text")
        whole = received.payload.decode("utf-8", "replace")
        return (text_output(at(received.json(), result.path) if result.path else whole, received=received, name=name),)
    if result.form == "labels":
        rows = at(received.json(), result.path)
        if not isinstance(rows, list):
            raise received.unlike(f"a list at `{result.path}`")
        named = [{"label": at(one, result.label), "score": at(one, result.score)} for one in rows]
        return (labels_output(named, received=received),)
    if result.form == "base64":
        received = _decoded(received, result.path)
    out = next(out for out in spec.outputs if out.kind in ("image", "audio", "video"))
    if out.kind == "video":
        media_type = received.media_type if received.media_type.startswith("video/") else "video/mp4"
        return (Produced(name=out.name, kind="video", media_type=media_type, payload=received.payload),)
    make = picture_output if out.kind == "image" else sound_output
    return (make(received, name=out.name),)


def _decoded(received: Received, path: str) -> Received:
    text = at(received.json(), path)
    try:
        payload = base64.b64decode(str(text).rpartition("base64,")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise received.unlike(f"base64 at `{path}`") from error
    return Received(payload=payload, media_type=received.media_type, says=received.says)
