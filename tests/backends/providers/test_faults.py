"""What goes wrong at a provider: each fault has its own sentence, and is tried again only where that can help."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import hf_server
import pytest
from hf_server import hang, hang_up, reply_with, status

from dragoman.backends.providers.backend import ProvidersBackend
from dragoman.errors import ExpertError, ExpertTimeout

Made = Callable[..., Any]


class Slept:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.naps: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.now += seconds

    def clock(self) -> float:
        return self.now


def backend(server: Any, slept: Slept | None = None, *, token: str = hf_server.TOKEN) -> ProvidersBackend:
    slept = slept or Slept()
    return ProvidersBackend(token, endpoint=server.url, router=server.url, sleep=slept.sleep, clock=slept.clock)


async def fails(server: Any, call: Made, *faults: Any, slept: Slept | None = None, **more: Any) -> ExpertError:
    server.serve_model("org/model", "text-to-image")
    server.faults = list(faults)
    with pytest.raises(ExpertError) as caught:
        await backend(server, slept).run(call("text-to-image", text="a fox", **more))
    return caught.value


SENTENCES = [
    (401, "refused the key (401); set HF_TOKEN to a valid one from huggingface.co/settings/tokens", False),
    (402, "wants payment (402); add credit at huggingface.co/settings/billing", False),
    (403, "does not let this key use the model (403); ask for access at huggingface.co/org/model", False),
    (404, "has no such model or task (404); take another expert", False),
    (410, "no longer serves this model (410); take another expert", False),
    (413, "the input is too large for Hugging Face (hf-inference) (413); hand over a smaller or shorter one", False),
    (422, "can't take this input (422); change the input", False),
    (429, "has too many calls (429); try again later", True),
    (500, "is not working (500); try again later", True),
    (503, "is loading the model or overloaded (503); try again later", True),
    (418, "refused the call (418)", False),
]


@pytest.mark.parametrize(("code", "says", "is_passing"), SENTENCES)
async def test_each_status_has_its_sentence(code: int, says: str, is_passing: bool, server: Any, call: Made):
    """What to do is part of it; the executor tries again only what may pass."""
    error = await fails(server, call, status(code, {"error": "because."}))

    assert says in error.says
    assert error.says.endswith("It says: because.")
    assert error.is_passing is is_passing


async def test_a_model_that_loads_is_waited_for(server: Any, call: Made):
    """503 with `estimated_time`, twice; then the picture."""
    server.serve_model("org/model", "text-to-image")
    loading = status(503, {"error": "Model org/model is currently loading", "estimated_time": 20.0})
    server.faults = [loading, loading]
    slept = Slept()

    made = await backend(server, slept).run(call("text-to-image", text="a fox", deadline_s=100))

    assert made[0].payload == hf_server.png()
    assert slept.naps == [20.0, 20.0]


async def test_a_limit_of_calls_is_waited_out(server: Any, call: Made):
    """429 with Retry-After."""
    server.serve_model("org/model", "text-to-image")
    server.faults = [status(429, headers={"retry-after": "7"})]
    slept = Slept()

    await backend(server, slept).run(call("text-to-image", text="a fox"))

    assert slept.naps == [7.0]


async def test_a_wait_beyond_the_deadline_is_not_begun(server: Any, call: Made):
    """Retry-After of a minute, ten seconds left: the sentence names the wait, and a stand-in can take over."""
    error = await fails(server, call, status(429, headers={"retry-after": "60"}))

    assert "it asks to wait 60 s" in error.says


async def test_endless_silence_ends_at_the_deadline(server: Any, call: Made):
    """The endpoint takes the call and never answers."""
    error = await fails(server, call, hang, deadline_s=0.4)

    assert isinstance(error, ExpertTimeout)
    assert not error.is_passing
    assert "gave no result within" in error.says


async def test_a_broken_connection_may_pass(server: Any, call: Made):
    """Hung up without a word."""
    error = await fails(server, call, hang_up)

    assert error.is_passing


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        (b"<html>Welcome</html>", "text/html"),
        (b'{"result": 1}', "application/json"),
        (b"\x89PNG\r\n\x1a\n cut off", "image/png"),
        (b"", "image/png"),
    ],
)
async def test_what_is_no_picture_is_no_result(payload: bytes, kind: str, server: Any, call: Made):
    """A page, JSON, half a file, nothing: the sentence names what came and what was wanted."""
    error = await fails(server, call, reply_with(payload, kind))

    assert f"sent {kind}" in error.says
    assert "where a picture was wanted" in error.says


async def test_a_redirect_is_not_followed_with_the_token(server: Any, call: Made):
    """302 to another host."""
    error = await fails(server, call, status(302, headers={"location": "http://127.0.0.1:9/"}))

    assert "has moved (302), and a key is not sent after it; check DRAGOMAN_HF_ROUTER" in error.says


async def test_the_token_stands_in_no_error_and_no_log(server: Any, call: Made, caplog: pytest.LogCaptureFixture):
    """A service that repeats the header that it was sent."""
    caplog.set_level(logging.DEBUG)
    server.serve_model("org/model", "text-to-image")
    token = "hf_wrongwrongwrong"
    made = backend(server, token=token)

    with pytest.raises(ExpertError) as caught:
        await made.run(call("text-to-image", text="a fox"))

    assert "(401)" in caught.value.says
    assert token not in f"{caught.value.says} {caught.value.helps} {made!r}"
    assert token not in caplog.text


async def test_a_token_with_odd_letters_is_refused_here(server: Any, call: Made):
    """It was pasted with a dash that no token has."""
    with pytest.raises(ExpertError, match="HF_TOKEN holds characters that no key has"):
        await backend(server, token="hf_–abc").run(call("text-to-image", text="a fox"))


async def test_a_provider_that_is_not_spoken_here_is_left_out_with_the_reason(server: Any, call: Made):
    """One unknown provider, one that serves the model for another task; then a known one joins them."""
    wanted = call("text-to-image", text="a fox")
    server.serve_model("org/model", "text-to-image", provider="acme-cloud")
    server.serve_model("org/model", "image-to-image", provider="fal-ai")
    without = await backend(server).availability(wanted.card)
    server.serve_model("org/model", "text-to-image", provider="nscale")

    with_one = await backend(server).availability(wanted.card)

    assert not without.can_run
    assert "acme-cloud is not spoken here for text-to-image; fal-ai serves it for image-to-image" in without.because
    assert with_one.can_run
    assert "nscale" in with_one.because
    assert "sent there" in with_one.because


async def test_a_live_provider_comes_before_one_in_trouble(server: Any, call: Made):
    """The Hub lists the failing one first."""
    server.serve_model("org/model", "text-to-image", provider="together", status="error")
    server.serve_model("org/model", "text-to-image", provider="nscale")

    await backend(server).run(call("text-to-image", text="a fox"))

    assert [path for path, _, _ in server.requests] == ["/nscale/v1/images/generations"]


async def test_an_unknown_model_says_so(server: Any, call: Made):
    """The Hub has no such repository."""
    found = await backend(server).availability(call("text-to-image").card)

    assert not found.can_run
    assert "the Hugging Face Hub has no such model" in found.because


async def test_the_hub_is_asked_once_until_what_it_said_expires(server: Any, call: Made):
    """Three looks at once and later; a look after ten minutes asks again."""
    server.serve_model("org/model", "text-to-image")
    slept = Slept()
    made = backend(server, slept)
    card = call("text-to-image").card

    for _ in range(3):
        await made.availability(card)
    asked = len(server.hub_requests)
    slept.now += 700
    await made.availability(card)

    assert (asked, len(server.hub_requests)) == (1, 2)


async def test_a_hub_that_hangs_costs_one_probe(server: Any, call: Made):
    """The second look is answered from memory."""
    server.hub_faults = [hang]
    made = backend(server)
    card = call("text-to-image").card

    async with asyncio.timeout(3.0):
        first = await made.availability(card)
    async with asyncio.timeout(0.1):
        second = await made.availability(card)

    assert not first.can_run
    assert second == first
    assert len(server.hub_requests) == 1


async def test_a_file_at_a_private_address_is_not_fetched(server: Any, call: Made):
    """A provider's reply points into the local network; nothing exempts it."""
    server.serve_model("org/model", "text-to-image", provider="fal-ai")

    with pytest.raises(ExpertError, match=r"can't be fetched: .* an address inside a private or local network"):
        await backend(server).run(call("text-to-image", text="a fox"))
