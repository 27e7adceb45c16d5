"""Remote experts in whole runs: what a key switches on, a picture made far away, a local expert that fails."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman import Dragoman
from dragoman.backends.base import Call, Produced
from dragoman.backends.remote import remote_backends
from dragoman.config import Settings
from dragoman.errors import ExpertError
from dragoman.testing import FakeBackend

sys.path.append(str(Path(__file__).parent / "providers"))
PAINT = "Paint me a watercolor of a fox"


@pytest.fixture
def server() -> Iterator[Any]:
    """A faithful Hub and router on this machine."""
    import hf_server

    with hf_server.running() as found:
        found.serve_model("black-forest-labs/FLUX.1-schnell", "text-to-image")
        yield found


def settings(home: Path, server: Any, **more: Any) -> Settings:
    import hf_server

    return Settings(home=home, hf_token=hf_server.TOKEN, hf_endpoint=server.url, hf_router=server.url, **more)


async def test_a_picture_is_made_at_a_provider_and_lies_in_a_file(tmp_path: Path, server: Any):
    """No expert for it on this machine; the choice says that the words were sent."""
    import hf_server

    async with Dragoman(settings=settings(tmp_path, server)) as d:
        found = await d.ask(PAINT)
        (path,) = d.out(found.run).glob("*.png")

    assert found.status == "answered"
    assert path.read_bytes() == hf_server.png()
    assert str(path) in found.text
    choice = found.choices[0]
    assert (choice.backend, choice.model) == ("providers", "black-forest-labs/FLUX.1-schnell")
    assert "sent there" in choice.reason
    assert "fox" in server.requests[0][2]["inputs"]


async def test_where_local_sends_nothing_and_asks_nobody(tmp_path: Path, server: Any):
    """Not even which provider would serve."""
    async with Dragoman(settings=settings(tmp_path, server, where="local")) as d:
        found = await d.ask(PAINT)

    assert found.status == "refused"
    assert (server.requests, server.hub_requests) == ([], [])


async def test_offline_sends_nothing(tmp_path: Path, server: Any):
    """Downloads are off, and so are providers."""
    async with Dragoman(settings=settings(tmp_path, server, is_offline=True)) as d:
        found = await d.ask(PAINT)

    assert found.status == "refused"
    assert (server.requests, server.hub_requests) == ([], [])


async def test_a_local_expert_that_fails_is_stood_in_for_far_away(tmp_path: Path, server: Any):
    """The local one gives up; the provider's makes the picture."""

    def broken(call: Call) -> tuple[Produced, ...]:
        raise ExpertError("out of memory.")

    given = settings(tmp_path, server)
    backends = [FakeBackend({"text-to-image": broken}, name="near"), *remote_backends(given, None)]
    async with Dragoman(settings=given, backends=backends) as d:
        found = await d.ask(PAINT)

    outcome = found.outcomes[0]
    assert found.status == "answered"
    assert found.choices[0].backend == "near"
    assert (outcome.backend, outcome.attempts) == ("providers", 2)  # pyright: ignore[reportAttributeAccessIssue]


def test_without_key_and_endpoint_nothing_is_added(tmp_path: Path):
    """An empty list."""
    assert remote_backends(Settings(home=tmp_path), None) == []


def test_registration_imports_nothing_heavy():
    """With a token too: the client of HTTP, pictures and arrays come at the first call."""
    code = (
        "import sys; from pathlib import Path; from dragoman.config import Settings; "
        "from dragoman.backends.remote import remote_backends; "
        "assert remote_backends(Settings(home=Path('x')), None) == []; "
        "assert 'dragoman.backends.providers' not in sys.modules; "
        "backend, = remote_backends(Settings(home=Path('x'), hf_token='hf_x'), None); assert backend.cards(); "
        "print([name for name in ('httpx', 'numpy', 'PIL', 'soundfile', 'onnxruntime') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.strip() == "[]"


def test_the_token_stands_in_no_settings_that_are_shown(tmp_path: Path):
    """Read from the environment, left out of the repr."""
    found = Settings.from_env({"HF_TOKEN": " hf_secret\n", "DRAGOMAN_HOME": str(tmp_path)})

    assert found.hf_token == "hf_secret"
    assert "hf_secret" not in repr(found)
