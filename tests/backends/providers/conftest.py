"""A local Hub with its router, calls and files for the tests of the remote experts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.backends.base import Call, Item
from dragoman.models.card import ModelCard
from dragoman.values import Kind, Resource

sys.path.append(str(Path(__file__).parent))


@pytest.fixture
def server() -> Iterator[Any]:
    """A faithful Hub and router on this machine."""
    import hf_server

    with hf_server.running() as found:
        yield found


@pytest.fixture
def item(tmp_path: Path) -> Callable[..., Item]:
    """Bytes as the item that an expert gets."""

    def make(payload: bytes, *, kind: Kind = "image", media_type: str = "image/png", name: str = "it") -> Item:
        path = tmp_path / name
        path.write_bytes(payload)
        return Item(resource=Resource(name=name, kind=kind, media_type=media_type, sha256="0" * 64), path=path)

    return make


@pytest.fixture
def call() -> Callable[..., Call]:
    """A call of an expert of `task`."""

    def make(
        task: str, *, model: str = "org/model", deadline_s: float = 10.0, options: Any = None, **args: Any
    ) -> Call:
        card = ModelCard(
            id=model, tasks=(task,), description="d", license="MIT", backend="providers", options=options or {}
        )
        return Call(run="r", task_id=0, task=task, card=card, args=args, deadline_s=deadline_s)

    return make
