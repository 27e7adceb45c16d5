"""What all tests share: no network, a clean environment, a home of their own, the real experts where asked for."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
_REAL_CONNECT = socket.socket.connect
_SETTINGS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DRAGOMAN_MODEL", "HF_TOKEN", "HF_ENDPOINT", "DRAGOMAN_ALLOW_HOSTS")


def _connect(self: socket.socket, address: Any) -> None:
    host = address[0] if isinstance(address, tuple) else "local"
    if host not in ("127.0.0.1", "::1", "localhost", "local"):
        raise AssertionError(f"a test reached for the network: {address}")
    _REAL_CONNECT(self, address)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections leave this machine in no test."""
    monkeypatch.setattr(socket.socket, "connect", _connect)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the developer has set for themselves plays no part."""
    for name in _SETTINGS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def weights_home() -> Path:
    """The home in which the experts were fetched before the tests (`dragoman models fetch --all`)."""
    from dragoman.config import Settings

    return Settings.from_env(dict(os.environ)).home


def _home_with_weights(home: Path, weights: Path) -> Path:
    models = weights / "models"
    if not models.is_dir():
        pytest.fail(f"no weights in {models}: run `dragoman models fetch --all --yes` first")
    home.mkdir()
    (home / "models").symlink_to(models)
    return home


@pytest.fixture
def box_home(weights_home: Path, tmp_path: Path) -> Path:
    """A new home that shares only the fetched weights."""
    return _home_with_weights(tmp_path / "home", weights_home)


@pytest.fixture(scope="module")
def shared_box_home(weights_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for all tests of a file."""
    return _home_with_weights(tmp_path_factory.mktemp("box") / "home", weights_home)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of shared benchmark data beside the project, or where DRAGOMAN_SHARED says."""
    folder = Path(os.environ.get("DRAGOMAN_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.fail(f"wanted the benchmark data in {folder}; set DRAGOMAN_SHARED to the folder that holds `data`")
    return folder
