"""The network door: public machines only, at the address that was checked; redirects, bytes and time bounded."""

from __future__ import annotations

import asyncio
import gzip
import ipaddress
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import httpx
import pytest

from dragoman.errors import MediaError, NetRefused
from dragoman.net import Address, Fetched, fetch
from dragoman.store import Store

Answer = Callable[[str], bytes]


def response(body: bytes = b"", *, status: str = "200 OK", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    if "content_length" not in headers:
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join([*lines, "connection: close", "", ""]).encode() + body


@asynccontextmanager
async def server(answer: Answer, *, asked: list[str] | None = None, pause_s: float = 0.0) -> AsyncIterator[int]:
    """A server on this machine that answers each request head with `answer(head)`; yields its port."""
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        if asked is not None:
            asked.append(head)
        with suppress(ConnectionError):
            await asyncio.sleep(pause_s)
            writer.write(answer(head))
            await writer.drain()
        with suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        listening.close()
        await asyncio.gather(*serving)
        await listening.wait_closed()


def resolver(*texts: str, asked: list[tuple[str, int]] | None = None):
    async def resolve(host: str, port: int) -> tuple[Address, ...]:
        if asked is not None:
            asked.append((host, port))
        return tuple(ipaddress.ip_address(text) for text in texts)

    return resolve


async def get(url: str, *, max_bytes: int = 10_000, timeout_s: float = 5.0, **how: object) -> Fetched:
    return await fetch(url, max_bytes=max_bytes, timeout_s=timeout_s, **how)


# --- which addresses ------------------------------------------------------------------------------------------

WRITTEN = (
    "http://127.0.0.1/ http://localhost:8080/x https://[::1]/ http://169.254.169.254/latest/meta-data/ http://0x7f.1/ "
    "http://2130706433/ http://017700000001/ http://[::ffff:10.0.0.1]/ http://0/"
)


@pytest.mark.parametrize("url", WRITTEN.split())
async def test_inside_addresses_are_refused_however_they_are_written(url):
    """Names, numbers, hexadecimal, octal, IPv6; the message names the way to allow it."""
    with pytest.raises(NetRefused, match="an address inside a private or local network") as refused:
        await get(url)
    assert "DRAGOMAN_ALLOW_HOSTS=" in refused.value.helps


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("file:///etc/passwd", "is not http or https"),
        ("ftp://example.com/a", "is not http or https"),
        ("gopher://example.com/", "is not http or https"),
        ("example.com/a.jpg", "is not http or https"),
        ("http:///a", "names no host"),
        ("http://ada:secret@example.com/", "holds a name or password"),
        ("http://exa mple.com:port/", "is no web address"),
        ("http://[::1/", "is no web address"),
    ],
)
async def test_what_is_no_plain_web_address_is_refused(url, says):
    """Other schemes, no host, credentials, nonsense; a secret is not repeated."""
    with pytest.raises(NetRefused, match=says) as refused:
        await get(url)
    assert "secret" not in str(refused.value)


async def test_one_inside_address_among_several_shuts_the_door():
    """A name that is both outside and inside may mean the inside next time."""
    with pytest.raises(NetRefused, match=r"`site.test` is 10.0.0.1"):
        await get("http://site.test/", resolver=resolver("93.184.216.34", "10.0.0.1"))


@pytest.mark.parametrize("addresses", [(), None])
async def test_an_unknown_host_is_told(addresses):
    """No addresses, or an error of the resolver."""

    async def unknown(host: str, port: int) -> tuple[Address, ...]:
        raise OSError("no such name")

    with pytest.raises(MediaError, match=r"There is no host `nowhere.test`"):
        await get("http://nowhere.test/", resolver=unknown if addresses is None else resolver(*addresses))


# --- which connection --------------------------------------------------------------------------------------------


async def test_the_connection_goes_to_the_address_that_was_checked():
    """Under the host's own name, for the server and for its certificate; the name is resolved once."""
    sent: list[httpx.Request] = []
    resolved: list[tuple[str, int]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, content=b"x", headers={"content-type": "Image/PNG; charset=x"})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        fetched = await get(
            "https://Bücher.test:8443/a?b=c", client=client, resolver=resolver("93.184.216.34", asked=resolved)
        )

    assert str(sent[0].url) == "https://93.184.216.34:8443/a?b=c"
    assert sent[0].headers["host"] == "xn--bcher-kva.test:8443"
    assert sent[0].extensions["sni_hostname"] == "xn--bcher-kva.test"
    assert len(resolved) == 1
    assert resolved[0][1] == 8443
    assert (fetched.payload, fetched.media_type) == (b"x", "image/png")


async def test_the_next_address_is_tried_when_one_cannot_be_reached():
    """Two of three are down; all three down is told."""
    tried: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        tried.append(request.url.host)
        if request.url.host != "8.8.4.4":
            raise httpx.ConnectError("down")
        return httpx.Response(200, content=b"x")

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        await get("http://site.test/", client=client, resolver=resolver("2606:4700::1", "1.1.1.1", "8.8.4.4"))
        assert tried == ["2606:4700::1", "1.1.1.1", "8.8.4.4"]
        with pytest.raises(MediaError, match=r"`http://site.test/` can't be fetched: down"):
            await get("http://site.test/", client=client, resolver=resolver("1.1.1.1", "1.0.0.1"))


async def test_an_allowed_host_is_opened_at_its_port():
    """By name, by name and port, by a name that only our resolver knows; another port stays shut."""
    asked: list[str] = []
    async with server(lambda head: response(b"hello", content_type="text/plain"), asked=asked) as port:
        for allowed in ("127.0.0.1", f"127.0.0.1:{port}", f" 127.0.0.1:{port} "):
            fetched = await get(f"http://127.0.0.1:{port}/a", allow_hosts=[allowed])
            assert fetched.payload == b"hello"
            assert (fetched.media_type, fetched.final_url) == ("text/plain", f"http://127.0.0.1:{port}/a")
        await get(f"http://site.test:{port}/", allow_hosts=["site.test"], resolver=resolver("127.0.0.1"))
        assert f"host: site.test:{port}" in asked[-1].lower()
        for allowed in (f"127.0.0.1:{port + 1}", "localhost", ""):
            with pytest.raises(NetRefused):
                await get(f"http://127.0.0.1:{port}/", allow_hosts=[allowed])


# --- redirects ---------------------------------------------------------------------------------------------------


async def test_redirects_are_followed_and_checked_again():
    """Relative and absolute ones lead on; one that leads inside is refused, and so is another scheme."""
    targets = {
        "/a": "b",
        "/b": "/c",
        "/inside": "http://localhost/",
        "/file": "file:///etc/passwd",
        "/odd": "http://a:port/",
    }

    def answer(head: str) -> bytes:
        path = head.split()[1]
        return response(status="302 Found", location=targets[path]) if path in targets else response(b"there")

    async with server(answer) as port:
        base, allowed = f"http://127.0.0.1:{port}", [f"127.0.0.1:{port}"]
        fetched = await get(f"{base}/a", allow_hosts=allowed)
        assert (fetched.payload, fetched.final_url) == (b"there", f"{base}/c")
        for path, says in [("/inside", "inside a private"), ("/file", "is not http")]:
            with pytest.raises(NetRefused, match=says):
                await get(base + path, allow_hosts=allowed)
        with pytest.raises(MediaError, match="Invalid URL in location header"):
            await get(f"{base}/odd", allow_hosts=allowed)


async def test_redirects_end():
    """Five are followed, a circle is not."""
    hops = iter(range(100))

    def answer(head: str) -> bytes:
        hop = next(hops)
        return response(b"there") if hop == 5 else response(status="301 Moved", location="/again")

    async with server(answer) as port:
        url, allowed = f"http://127.0.0.1:{port}/", ["127.0.0.1"]
        assert (await get(url, allow_hosts=allowed)).payload == b"there"
        with pytest.raises(NetRefused, match="redirects more than 5 times"):
            await get(url, allow_hosts=allowed)


# --- bounds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_stated", [True, False])
async def test_too_many_bytes_are_refused(is_stated):
    """Stated in the head, or found while they come in; as many as are allowed are taken."""

    def answer(head: str) -> bytes:
        size = int(head.split()[1][1:])
        whole = response(bytes(size))
        return whole if is_stated else whole.replace(f"content-length: {size}\r\n".encode(), b"")

    async with server(answer) as port:
        base, allowed = f"http://127.0.0.1:{port}", ["127.0.0.1"]
        assert len((await get(f"{base}/10000", allow_hosts=allowed)).payload) == 10_000
        with pytest.raises(MediaError, match=f"`{base}/10001` holds more than 10,000 bytes"):
            await get(f"{base}/10001", allow_hosts=allowed)


async def test_unpacked_bytes_count():
    """A megabyte of zeros, sent packed although nobody asked for it."""
    packed = gzip.compress(bytes(1_000_000))
    async with server(lambda head: response(packed, content_encoding="gzip")) as port:
        with pytest.raises(MediaError, match="holds more than 10,000 bytes"):
            await get(f"http://127.0.0.1:{port}/", allow_hosts=["127.0.0.1"])


async def test_a_slow_server_is_left():
    """The deadline holds for everything together."""
    async with server(lambda head: response(b"late"), pause_s=0.5) as port:
        with pytest.raises(MediaError, match=r"took longer than 0\.1 s"):
            await get(f"http://127.0.0.1:{port}/", timeout_s=0.1, allow_hosts=["127.0.0.1"])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (response(b"gone", status="404 Not Found"), "answered 404 Not Found"),
        (response(b"oops", status="500 Internal Server Error"), "answered 500"),
        (response(b"short", content_length="99"), "can't be fetched"),
        (response(b"x", content_length="many"), "can't be fetched"),
        (response(b"no gzip", content_encoding="gzip"), "can't be fetched"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "can't be fetched"),
        (b"", "can't be fetched"),
    ],
)
async def test_what_a_server_does_wrong_is_told_in_one_line(content, says):
    """Status, a body cut off, lengths and packing that aren't true, another protocol, silence; no query is repeated."""
    async with server(lambda head: content) as port:
        with pytest.raises(MediaError, match=says) as refused:
            await get(f"http://127.0.0.1:{port}/a?key=secret", allow_hosts=["127.0.0.1"])
    assert "secret" not in str(refused.value)
    assert f"`http://127.0.0.1:{port}/a`" in str(refused.value)


# --- as a resource -----------------------------------------------------------------------------------------------


async def test_an_address_becomes_a_resource(tmp_path):
    """Named by the end of its path, its type by its bytes, its extension by what the server said."""
    store = Store(tmp_path)
    async with server(lambda head: response(b"a,b\n1,2\n", content_type="text/csv")) as port:
        base, allowed = f"http://127.0.0.1:{port}", ["127.0.0.1"]
        table = await store.take_url(f"{base}/my%20table?x=1", allow_hosts=allowed)
        again = await store.take_url(f"{base}/t.csv", allow_hosts=allowed, taken=["t.csv"])
        named = await store.take_url(f"{base}/", name="n.csv", allow_hosts=allowed)
        bare = await store.take_url(f"{base}/", allow_hosts=allowed)
        with pytest.raises(MediaError, match=r"`photo.jpg` is named like a picture, but holds text"):
            await store.take_url(f"{base}/photo.jpg", allow_hosts=allowed)

    assert (table.name, table.kind, table.facts) == ("my table.csv", "table", {"rows": 1, "columns": 2})
    assert (again.name, named.name) == ("t-2.csv", "n.csv")
    assert (bare.name, bare.kind) == ("text.txt", "text")
