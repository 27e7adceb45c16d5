"""One call of a remote expert over HTTP: bounded in time and bytes, its key kept to it, its refusals said in words."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from dragoman.backends.base import Tell
from dragoman.backends.refusals import Service, refusal
from dragoman.errors import ExpertError, ExpertTimeout
from dragoman.minds.refusals import hidden
from dragoman.values import Json

if TYPE_CHECKING:
    import httpx

__all__ = ["Exchange", "Received", "Sent"]

MAX_REPLY_BYTES = 200_000_000
CONNECT_S = 10.0
MAX_WAITS = 20
_LONGEST_WAIT_S = 30.0  # a model that loads is asked again at least that often


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """One request. `body` is JSON; `content` bytes of the type that `headers` name; `files` a form with files."""

    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    body: Json = None
    content: bytes | None = None
    form: Mapping[str, str] | None = None
    files: Mapping[str, tuple[str, bytes, str]] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Received:
    """A reply that was no refusal. `says` who sent it, as messages name it."""

    payload: bytes
    media_type: str
    says: str

    def json(self) -> Json:
        """The reply as JSON. Raises `ExpertError` where it is something else."""
        try:
            return json.loads(self.payload)
        except (ValueError, RecursionError) as error:
            raise self.unlike("JSON") from error

    def object(self) -> dict[str, Json]:
        """The reply as a JSON object. Raises `ExpertError` where it is something else."""
        found = self.json()
        if not isinstance(found, dict):
            raise self.unlike("a JSON object")
        return cast("dict[str, Json]", found)

    def unlike(self, wanted: str) -> ExpertError:
        """The error for a reply that is not what was `wanted`."""
        came = self.media_type or "no stated type"
        start = hidden(" ".join(self.payload[:80].decode("utf-8", "replace").split()), key=None)
        shown = f", beginning {start!r}" if "text" in came or "json" in came else ""
        return ExpertError(
            f"{self.says} sent {came}{shown} where {wanted} was wanted; another expert or a later try may do."
        )


class Exchange:
    """Sends requests. A client is opened for each: the same backend is used from one event loop after another.

    Sleep and clock can be passed in.
    """

    def __init__(
        self,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sleep, self._clock = sleep, clock

    async def ask(self, sent: Sent, *, service: Service, timeout_s: float, tell: Tell | None = None) -> Received:
        """The reply, waited for where the service says how long (a model that loads, a limit of calls).

        Raises `ExpertTimeout` after `timeout_s`, else `ExpertError` with what to do.
        """
        ends_at = self._clock() + timeout_s
        try:
            async with asyncio.timeout(timeout_s):
                return await self._in_time(sent, service=service, ends_at=ends_at, tell=tell)
        except TimeoutError as error:
            raise ExpertTimeout(
                f"{service.name} gave no result within {timeout_s:g} s; try again later or allow it more time."
            ) from error

    async def _in_time(self, sent: Sent, *, service: Service, ends_at: float, tell: Tell | None) -> Received:
        for _ in range(MAX_WAITS):
            status, headers, payload = await self._once(sent, service=service)
            if 200 <= status < 300:
                media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
                return Received(payload=payload, media_type=media_type, says=service.name)
            refused = refusal(status, headers, payload, service=service)
            wait_s = min(refused.wait_s or 0.0, _LONGEST_WAIT_S)
            if not refused.error.is_passing or not wait_s or self._clock() + wait_s >= ends_at:
                raise refused.error
            if tell is not None:
                tell(0.0, f"{service.name} asks to wait {wait_s:.0f} s")
            await self._sleep(wait_s)
        raise ExpertError(f"{service.name} asked to wait {MAX_WAITS} times in a row; try again later.")

    async def _once(self, sent: Sent, *, service: Service) -> tuple[int, Mapping[str, str], bytes]:
        import httpx

        _check_key(service)
        timeout = httpx.Timeout(None, connect=CONNECT_S)
        try:
            async with (
                # Redirects are not followed: the key must not travel to another host.
                httpx.AsyncClient(follow_redirects=False, timeout=timeout, verify=_certificates()) as client,
                client.stream(sent.method, sent.url, **_parts(sent)) as response,
            ):
                return response.status_code, response.headers, await _received(response, service=service)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise ExpertError(f"the address of {service.name} is none; check {service.address_name}.") from error
        except httpx.ConnectError as error:
            raise ExpertError(
                f"no connection to {service.name}; check the network, or that it is running.", is_passing=True
            ) from error
        except httpx.RequestError as error:
            reason = hidden(str(error), key=service.secret)[:120] or type(error).__name__
            raise ExpertError(f"{service.name} broke the call off ({reason}); try again.", is_passing=True) from error


def _parts(sent: Sent) -> dict[str, Any]:
    parts = {"json": sent.body, "content": sent.content, "data": sent.form, "files": sent.files}
    return {"headers": dict(sent.headers), **{name: part for name, part in parts.items() if part is not None}}


async def _received(response: httpx.Response, *, service: Service) -> bytes:
    """The body, counted while it comes in."""
    payload = bytearray()
    async for piece in response.aiter_bytes():
        payload += piece
        if len(payload) > MAX_REPLY_BYTES:
            raise ExpertError(
                f"{service.name} sent more than {MAX_REPLY_BYTES:,} bytes, the most that is taken; ask for less."
            )
    return bytes(payload)


def _check_key(service: Service) -> None:
    secret = service.secret
    if secret is not None and not (secret.isascii() and secret.isprintable()):
        raise ExpertError(f"{service.key_name} holds characters that no key has; set it anew.")


@cache
def _certificates() -> Any:
    """The trusted certificates, read once: that takes longer than a call on a local network."""
    import httpx

    return httpx.create_ssl_context()
