"""The one door to the network for whatever content, a plan or a mind names.

It opens http and https addresses on public machines only. A name is resolved once, every address that it has is
checked, and the connection goes to the address that was checked; each redirect passes the same door again.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
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
_CONNECT_TIMEOUT_S = 10.0  # one of several addresses
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")
_LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")


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
        said = str(error).rstrip(".") or type(error).__name__
        raise MediaError(f"{_shown(url)} can't be fetched: {said}.", helps="Check the address.") from error


def is_public(address: Address) -> bool:
    """Whether an address is a public machine's: not private, loopback, link-local, reserved, multicast or a shared
    range, and not one of those inside an IPv6 address (mapped, compatible, 6to4, Teredo, NAT64).
    """
    if isinstance(address, ipaddress.IPv6Address):
        inside = _embedded(address)
        if address.is_site_local or address in _LOCAL_NAT64 or any(not is_public(inner) for inner in inside):
            return False
        if address.ipv4_mapped is not None or address in _NAT64:
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
    """The caller's client, or one of our own.

    Ours uses no proxy, which would resolve names behind our back, and no connection twice: it would be found by the
    address alone, though made under another host's certificate.
    """
    import httpx

    if given is not None:
        yield given
        return
    limits = httpx.Limits(max_keepalive_connections=0)
    timeout = httpx.Timeout(None, connect=_CONNECT_TIMEOUT_S)
    async with httpx.AsyncClient(trust_env=False, follow_redirects=False, limits=limits, timeout=timeout) as own:
        yield own


async def _follow(
    url: str, *, sender: httpx.AsyncClient, max_bytes: int, allow_hosts: Collection[str], resolver: Resolve
) -> Fetched:
    """The content at the end of the redirects, every one of them checked."""
    wanted = _parsed(url)
    for _ in range(MAX_REDIRECTS + 1):
        addresses = await _checked(wanted, allow_hosts=allow_hosts, resolver=resolver)
        async with _answered(wanted, addresses=addresses, sender=sender) as response:
            if not response.is_redirect:
                return await _received(response, wanted=wanted, max_bytes=max_bytes)
            wanted = _parsed(response.headers["location"], base=wanted)
    raise NetRefused(f"{_shown(url)} redirects more than {MAX_REDIRECTS} times.", helps="Name the final address.")


def _parsed(url: str, *, base: httpx.URL | None = None) -> httpx.URL:
    """`url`, relative to `base`, as a web address without credentials. Raises `NetRefused`."""
    import httpx

    try:
        parsed = httpx.URL(url) if base is None else base.join(url)
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise NetRefused(f"{_shown(url)} is no web address.", helps="Form: https://host/path") from error
    if parsed.scheme not in ("http", "https"):
        raise NetRefused(f"{_shown(url)} is not http or https.", helps="Download it yourself and hand over the file.")
    if not parsed.host:
        raise NetRefused(f"{_shown(url)} names no host.", helps="Form: https://host/path")
    if parsed.userinfo:
        raise NetRefused(f"{_shown(url)} holds a name or password.", helps="Leave them out.")
    return parsed


async def _checked(url: httpx.URL, *, allow_hosts: Collection[str], resolver: Resolve) -> tuple[Address, ...]:
    """The addresses to connect to. Raises `NetRefused` if any address of the host is not to be opened."""
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        addresses = await resolver(url.host, port)
    except (OSError, UnicodeError, ValueError):
        addresses = ()
    if not addresses:
        raise MediaError(f"There is no host `{url.host}`.", helps="Check the address and the connection.")
    shut = next((address for address in addresses if not is_public(address)), None)
    if shut is not None and not _is_allowed(url.host, port, allow_hosts=allow_hosts):
        host = f"[{url.host}]" if ":" in url.host else url.host
        raise NetRefused(
            f"`{url.host}` is {shut}, an address inside a private or local network, which is not opened.",
            helps=f"If you trust it: DRAGOMAN_ALLOW_HOSTS={host}:{port}",
        )
    return addresses


def _is_allowed(host: str, port: int, *, allow_hosts: Collection[str]) -> bool:
    """Whether the person exempted this host, or this host at this port."""
    bare = host.lower().rstrip(".").strip("[]")
    bracketed = f"[{bare}]" if ":" in bare else bare
    listed = {entry.strip().lower() for entry in allow_hosts}
    return not listed.isdisjoint({bare, bracketed, f"{bracketed}:{port}"})


@asynccontextmanager
async def _answered(
    url: httpx.URL, *, addresses: Sequence[Address], sender: httpx.AsyncClient
) -> AsyncGenerator[httpx.Response]:
    """The response of the first machine among `addresses` that can be reached."""
    import httpx

    for address in addresses[:-1]:
        try:
            response = await _sent(url, address=address, sender=sender)
            break
        except (httpx.ConnectError, httpx.ConnectTimeout):
            continue
    else:
        response = await _sent(url, address=addresses[-1], sender=sender)
    try:
        yield response
    finally:
        await response.aclose()


async def _sent(url: httpx.URL, *, address: Address, sender: httpx.AsyncClient) -> httpx.Response:
    """The response of the machine at `address`, asked under the host's own name, for which its certificate must be."""
    request = sender.build_request(
        "GET",
        url.copy_with(host=str(address)),
        headers={**_HEADERS, "Host": url.netloc.decode("ascii")},
        extensions={"sni_hostname": url.raw_host.decode("ascii")},
    )
    return await sender.send(request, stream=True, follow_redirects=False)


async def _received(response: httpx.Response, *, wanted: httpx.URL, max_bytes: int) -> Fetched:
    """The body of a final response, counted while it comes in."""
    shown = _shown(str(wanted))
    if not response.is_success:
        raise MediaError(
            f"{shown} answered {response.status_code} {response.reason_phrase}.", helps="Check the address."
        )
    too_large = MediaError(f"{shown} holds more than {max_bytes:,} bytes.", helps="Hand over a smaller file.")
    stated = response.headers.get("content-length", "")
    if stated.isdecimal() and int(stated) > max_bytes:
        raise too_large
    payload = bytearray()
    async for chunk in response.aiter_bytes():
        payload += chunk
        if len(payload) > max_bytes:
            raise too_large
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Fetched(payload=bytes(payload), media_type=media_type, final_url=str(wanted))


def _shown(url: str) -> str:
    """An address fit for a message: not overlong, without a query or credentials, which may be secret."""
    return f"`{re.sub(r'//[^/]*@', '//', re.split('[?#]', url)[0])[:200]}`"
