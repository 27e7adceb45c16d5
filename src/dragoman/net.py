"""The one door to the network for whatever content, a plan or a mind names.

It opens http and https addresses on public machines only. A name is resolved once, every address that it has is
checked, and the connection goes to the address that was checked; each redirect passes the same door again.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dragoman.errors import MediaError, NetRefused

if TYPE_CHECKING:
    import httpx

__all__ = ["Address", "Fetched", "Resolve", "fetch", "is_public", "resolve"]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Awaitable[tuple[Address, ...]]]

MAX_REDIRECTS = 5
_HEADERS = {"User-Agent": "dragoman", "Accept": "*/*", "Accept-Encoding": "identity"}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fetched:
    """What lay at an address: its bytes, the media type that the server declared, where the redirects ended."""

    payload: bytes
    media_type: str
    final_url: str


async def fetch(
    url: str,
    *,
    max_bytes: int,
    timeout_s: float,
    allow_hosts: Collection[str] = (),
    client: httpx.AsyncClient | None = None,
    resolver: Resolve | None = None,
) -> Fetched:
    """What lies at `url`, at most `max_bytes` of it, within `timeout_s` for everything.

    allow_hosts: `host` or `host:port`, exempt from the check of addresses. resolver: name and port to addresses.
    Raises `NetRefused` where the door stays shut, `MediaError` where the other side doesn't deliver.
    """
    import httpx

    try:
        async with asyncio.timeout(timeout_s), _client(client) as sender:
            return await _follow(
                url, sender=sender, max_bytes=max_bytes, allow_hosts=allow_hosts, resolver=resolver or resolve
            )
    except TimeoutError as error:
        raise MediaError(f"{_shown(url)} took longer than {timeout_s:g} s.", helps="Try again later.") from error
    except httpx.HTTPError as error:
        said = str(error) or type(error).__name__
        raise MediaError(f"{_shown(url)} can't be fetched: {said}.", helps="Check the address.") from error


def is_public(address: Address) -> bool:
    """Whether an address is a public machine's: not private, loopback, link-local, reserved, multicast or a shared
    range, and not one of those inside an IPv6 address (mapped, compatible, 6to4, Teredo, NAT64).
    """
    if isinstance(address, ipaddress.IPv6Address):
        if any(not is_public(inner) for inner in _embedded(address)):
            return False
        if address.ipv4_mapped is not None:
            return True
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_loopback or address.is_link_local
    )


async def resolve(host: str, port: int) -> tuple[Address, ...]:
    """The addresses of `host`. Raises `OSError` where it has none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    texts = dict.fromkeys(str(sockaddr[0]).partition("%")[0] for *_, sockaddr in found)
    return tuple(ipaddress.ip_address(text) for text in texts)


def _embedded(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses that an IPv6 address leads to."""
    inside = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64 or address in _COMPATIBLE:
        inside.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [inner for inner in inside if inner is not None]


@asynccontextmanager
async def _client(given: httpx.AsyncClient | None) -> AsyncGenerator[httpx.AsyncClient]:
    """The caller's client, or one of our own: no proxies, which would resolve names behind our back."""
    import httpx

    if given is not None:
        yield given
        return
    async with httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=None) as own:  # noqa: S113
        yield own


async def _follow(
    url: str, *, sender: httpx.AsyncClient, max_bytes: int, allow_hosts: Collection[str], resolver: Resolve
) -> Fetched:
    """The content at the end of the redirects, every one of them checked."""
    import httpx

    for _ in range(MAX_REDIRECTS + 1):
        try:
            wanted = httpx.URL(url)
        except (httpx.InvalidURL, UnicodeError) as error:
            raise NetRefused(f"{_shown(url)} is no web address.", helps="Form: https://host/path") from error
        address = await _checked(wanted, allow_hosts=allow_hosts, resolver=resolver)
        async with _sent(wanted, address=address, sender=sender) as response:
            if response.is_redirect:
                url = str(wanted.join(response.headers["location"]))
                continue
            return await _received(response, wanted=wanted, max_bytes=max_bytes)
    raise NetRefused(f"{_shown(url)} redirects more than {MAX_REDIRECTS} times.", helps="Name the final address.")


async def _checked(url: httpx.URL, *, allow_hosts: Collection[str], resolver: Resolve) -> Address:
    """The address to connect to. Raises `NetRefused` if the URL or any address of its host is not to be opened."""
    if url.scheme not in ("http", "https"):
        raise NetRefused(f"{_shown(str(url))} is not http or https.", helps="Download it yourself, hand over the file.")
    if url.userinfo:
        raise NetRefused("An address with a name or password inside is not opened.", helps="Leave them out.")
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        addresses = await resolver(url.host, port)
    except (OSError, UnicodeError, ValueError) as error:
        raise MediaError(f"There is no host `{url.host}`.", helps="Check the address and the connection.") from error
    if not addresses:
        raise MediaError(f"There is no host `{url.host}`.", helps="Check the address and the connection.")
    shut = next((a for a in addresses if not is_public(a)), None)
    if shut is not None and not _is_allowed(url.host, port, allow_hosts=allow_hosts):
        raise NetRefused(
            f"`{url.host}` is {shut}, an address inside a private or local network, which is not opened.",
            helps=f"If you trust it: DRAGOMAN_ALLOW_HOSTS={url.host}:{port}",
        )
    return addresses[0]


def _is_allowed(host: str, port: int, *, allow_hosts: Collection[str]) -> bool:
    """Whether the person exempted this host, or this host at this port."""
    bare = host.lower().rstrip(".").strip("[]")
    bracketed = f"[{bare}]" if ":" in bare else bare
    listed = {entry.strip().lower() for entry in allow_hosts}
    return not listed.isdisjoint({bare, bracketed, f"{bracketed}:{port}"})


@asynccontextmanager
async def _sent(url: httpx.URL, *, address: Address, sender: httpx.AsyncClient) -> AsyncGenerator[httpx.Response]:
    """The response of the machine at `address`, asked under the host's own name."""
    host = url.netloc.decode("ascii")
    request = sender.build_request(
        "GET",
        url.copy_with(host=str(address)),
        headers={**_HEADERS, "Host": host},
        extensions={"sni_hostname": url.raw_host.decode("ascii")},
    )
    response = await sender.send(request, stream=True, follow_redirects=False)
    try:
        yield response
    finally:
        await response.aclose()


async def _received(response: httpx.Response, *, wanted: httpx.URL, max_bytes: int) -> Fetched:
    """The body of a final response, counted while it comes in."""
    shown = _shown(str(wanted))
    if response.status_code != 200:
        raise MediaError(
            f"{shown} answered {response.status_code} {response.reason_phrase}.", helps="Check the address."
        )
    too_large = MediaError(f"{shown} holds more than {max_bytes:,} bytes.", helps="Hand over a smaller file.")
    if int(response.headers.get("content-length", "0")) > max_bytes:
        raise too_large
    payload = bytearray()
    async for chunk in response.aiter_bytes():
        payload += chunk
        if len(payload) > max_bytes:
            raise too_large
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Fetched(payload=bytes(payload), media_type=media_type, final_url=str(wanted))


def _shown(url: str) -> str:
    """An address fit for a message: without its query, which may hold a key, and not overlong."""
    return f"`{url.partition('?')[0].partition('#')[0][:200]}`"
