"""Requests to one endpoint over HTTP: opened at the first, bounded in time and bytes, the key kept to it alone."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from dragoman.errors import MindError, MindRefused, MindUnavailable
from dragoman.minds.backoff import retry_after_s
from dragoman.minds.refusals import EndpointError, as_mind_error, hidden, read_error, shown_url
from dragoman.values import Json

if TYPE_CHECKING:
    import httpx

__all__ = ["Endpoint", "Passing", "lines", "received"]

MAX_REPLY_BYTES = 20_000_000
CONNECT_S = 10.0


class Passing(Exception):
    """A failure that may have passed a moment later; `becomes` what is raised if it has not."""

    def __init__(self, becomes: MindError, *, wait_s: float | None = None) -> None:
        super().__init__(str(becomes))
        self.becomes = becomes
        self.wait_s = wait_s


class Endpoint:
    """An OpenAI-style endpoint. `url` is its address, fit to show."""

    def __init__(self, base_url: str, *, key: str | None) -> None:
        self._base_url = base_url.strip().rstrip("/").removesuffix("/chat/completions")
        self.url = shown_url(self._base_url)
        self.key = (key or "").strip() or None
        self._client: httpx.AsyncClient | None = None

    @asynccontextmanager
    async def sent(
        self, method: str, path: str, *, json: Json = None, timeout_s: float
    ) -> AsyncGenerator[httpx.Response]:
        """The response, its body unread. What may pass is raised as `Passing`, the rest as `MindRefused`."""
        import httpx

        if self._client is None:
            self._client = _client(self.key)
        timeout = httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s))
        try:
            address = f"{self._base_url}{path}"
            async with self._client.stream(method, address, json=json, timeout=timeout) as response:
                yield response
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise MindRefused(f"`{self.url}` is no address of an endpoint.", helps="check OPENAI_BASE_URL.") from error
        except httpx.TimeoutException as error:
            raise Passing(MindUnavailable(f"{self.url} did not answer in time.")) from error
        except httpx.RequestError as error:
            reason = hidden(str(error), key=self.key)[:120] or type(error).__name__
            becomes = MindUnavailable(f"no connection to {self.url} ({reason}).", helps="is it running?")
            raise Passing(becomes) from error

    def error(self, response: httpx.Response, text: str) -> EndpointError:
        """What a response that is no success says."""
        wait_s = retry_after_s(response.headers.get("retry-after"))
        return read_error(response.status_code, text, key=self.key, retry_after_s=wait_s)

    def raised(self, error: EndpointError, *, model: str) -> Exception:
        """What the error is raised as."""
        becomes = as_mind_error(error, url=self.url, model=model)
        return Passing(becomes, wait_s=error.retry_after_s) if error.is_passing else becomes

    async def aclose(self) -> None:
        """Close the connections; the next request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


def _client(key: str | None) -> httpx.AsyncClient:
    """The client. Redirects are not followed: the key must not travel to another host."""
    import httpx

    if key is not None and not (key.isascii() and key.isprintable()):
        raise MindRefused("the key holds characters that no key has.", helps="set OPENAI_API_KEY anew.")
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return httpx.AsyncClient(headers=headers, follow_redirects=False)


async def received(response: httpx.Response) -> str:
    """The body as text, up to a bound."""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MAX_REPLY_BYTES:
            raise _too_much()
    return body.decode("utf-8", errors="replace")


async def lines(response: httpx.Response) -> AsyncIterator[str]:
    """The lines of a stream, without their ends, up to a bound."""
    held, came = "", 0
    async for piece in response.aiter_text():
        came += len(piece)
        if came > MAX_REPLY_BYTES:
            raise _too_much()
        *whole, held = (held + piece).split("\n")
        for line in whole:
            yield line.removesuffix("\r")
    yield held


def _too_much() -> MindRefused:
    return MindRefused(f"the endpoint sent more than {MAX_REPLY_BYTES:,} bytes for one reply.")
