"""The box as a backend: what is available, what is fetched, what runs."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from dragoman.backends.base import Backend, Call
from dragoman.backends.box.backend import BoxBackend
from dragoman.backends.box.probe import probe_card
from dragoman.errors import ExpertError, Offline
from dragoman.models import box
from dragoman.models.card import ModelCard, WeightFile

FILE = WeightFile(
    name="w.bin", source="pypi:tiny==1.0!/w.bin", sha256="0" * 64, bytes=18_000_000, download_bytes=17_400_000
)
WANTING = replace(probe_card("Echo"), id="wanting", files=(FILE,))


@pytest.fixture
async def backend(tmp_path: Path) -> AsyncIterator[BoxBackend]:
    backend = BoxBackend(tmp_path, threads=1, shelf=[probe_card("Echo"), WANTING])
    yield backend
    await backend.aclose()


def call(card: ModelCard) -> Call:
    return Call(run="r", task_id=0, task="probing", card=card, args={"x": 1}, deadline_s=30)


async def test_a_card_without_wants_runs_at_once(backend: BoxBackend):
    """Available, nothing to prepare, and a result from a worker."""
    card = backend.cards()[0]

    assert (await backend.availability(card)).can_run
    assert await backend.prepare(card, tell=lambda done, total: None) == 0
    (output,) = await backend.run(call(card))

    assert output.data["args"] == {"x": 1}


async def test_what_is_not_fetched_says_its_size(backend: BoxBackend):
    """It can run once the run has leave to fetch it."""
    available = await backend.availability(WANTING)

    assert available.can_run
    assert available.needs_bytes == 17_400_000
    assert available.because == "not fetched yet: 17 MB"


async def test_offline_what_is_not_fetched_cannot_run(tmp_path: Path):
    """It says which command brings it; so does preparing it."""
    backend = BoxBackend(tmp_path, is_offline=True, shelf=[WANTING])

    available = await backend.availability(WANTING)

    assert not available.can_run
    assert "`dragoman models fetch wanting`" in available.because
    with pytest.raises(Offline, match="`wanting` is not fetched yet"):
        await backend.prepare(WANTING, tell=lambda done, total: None)


async def test_a_missing_runtime_names_the_extra(backend: BoxBackend):
    """Found by its metadata; nothing is imported."""
    card = replace(probe_card("Echo"), requires=("msgspec", "no-such-runtime"))

    available = await backend.availability(card)

    assert not available.can_run
    assert available.because == "needs pip install 'dragoman[box]' (no-such-runtime not installed)"


async def test_a_model_larger_than_the_machine_is_not_offered(backend: BoxBackend):
    """It says how much it needs and how much there is."""
    available = await backend.availability(replace(probe_card("Echo"), memory_bytes=10**15))

    assert not available.can_run
    assert available.because.startswith("needs 1000000.0 GB of memory, this machine has")


async def test_without_npm_its_packages_are_not_offered(tmp_path: Path):
    """Before anything is tried."""
    file = replace(FILE, source="npm:@t/tiny@1.0.0!/package/w.bin")
    card = replace(WANTING, files=(file,))
    backend = BoxBackend(tmp_path, shelf=[card], environ={**os.environ, "PATH": "/nowhere"})

    available = await backend.availability(card)

    assert not available.can_run
    assert available.because == "not fetched yet: 17 MB; needs npm to fetch it; install Node.js"


async def test_running_what_was_not_fetched_fails_with_the_command(backend: BoxBackend):
    """A call never downloads."""
    with pytest.raises(ExpertError, match="`wanting` is not fetched yet") as raised:
        await backend.run(call(WANTING))

    assert "`dragoman models fetch wanting`" in raised.value.helps


async def test_the_default_shelf_is_the_packaged_experts(tmp_path: Path):
    """And it is a backend as the stages know one."""
    backend: Backend = BoxBackend(tmp_path)

    assert backend.cards() is box.cards()
    assert backend.is_local
    assert all([(await backend.availability(card)).because or True for card in backend.cards()])
