"""A place where experts run: the one seam between a choice and a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json, Kind, Resource, Value

Tell = Callable[[float, str], None]  # how far a call is, 0..1, and what it is at


def _unheard(fraction: float, says: str) -> None:
    """Progress that nobody listens to."""
    del fraction, says


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """A resource as an expert gets it: the file that holds its bytes, or its words or data."""

    resource: Resource
    path: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One call of an expert. `args` hold words, numbers, lists, and `Item`s where a resource goes in."""

    run: str
    task_id: int
    task: str
    card: ModelCard
    args: dict[str, Arg]
    deadline_s: float
    tell: Tell = field(default=_unheard)


class Produced(Value, frozen=True, kw_only=True):
    """One output as an expert made it: `text` for words, `data` for JSON, `payload` for the bytes of a file."""

    name: str
    kind: Kind
    media_type: str
    text: str | None = None
    data: Json = None
    payload: bytes | None = None
    facts: dict[str, Json] = {}


class Availability(Value, frozen=True, kw_only=True):
    """Whether a card can run here now. `because` says why not, or what it would take, in words for a person."""

    can_run: bool
    needs_bytes: int = 0
    because: str = ""


class Adapter(Protocol):
    """What makes one expert callable inside a worker: loads its files once, then runs calls one after another.

    Made by `Adapter(card=…, files={name: path}, threads=n)`. Heavy imports belong into its methods or its module,
    never into anything that the parent process imports.
    """

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The outputs that the TaskSpec of `task` names. Raises `ExpertError` or `MediaError` with a reason."""
        ...


class Backend(Protocol):
    """A place where experts run. `limit`: how many calls it takes at a time. `is_local`: nothing leaves the machine."""

    name: str
    limit: int
    is_local: bool

    def cards(self) -> Sequence[ModelCard]:
        """The experts that this backend could run, fetched or not."""
        ...

    async def availability(self, card: ModelCard) -> Availability:
        """Whether `card` can run now. Quick and bounded; never downloads."""
        ...

    async def prepare(self, card: ModelCard, *, tell: Callable[[int, int], None]) -> int:
        """Fetch what `card` needs; `tell(done_bytes, total_bytes)`. Returns the bytes moved. Raises `FetchError`."""
        ...

    async def run(self, call: Call) -> tuple[Produced, ...]:
        """Run one call. Raises `ExpertError`; when it is cancelled, what it started is ended."""
        ...

    async def aclose(self) -> None:
        """End every process and connection."""
        ...
