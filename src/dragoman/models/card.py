"""What is known of one expert."""

from __future__ import annotations

import msgspec

from dragoman.values import Json, Value


class WeightFile(Value, frozen=True, kw_only=True):
    """One file of an expert, and where it comes from.

    name: its name in the model store. source: `pypi:NAME==VERSION!/path/in/wheel`, `npm:NAME@VERSION!/path/in/tarball`,
    or `package:NAME!/path` for a file that lies inside an installed runtime. sha256: of the file itself ("" only for
    `package:`, where pip has checked it). skip_bytes, take_bytes: the part of the member that is wanted.
    """

    name: str
    source: str
    sha256: str
    bytes: int
    download_bytes: int
    license: str = "not stated"
    skip_bytes: int = 0
    take_bytes: int | None = None
    wheel_tags: tuple[str, ...] = ()


class ModelCard(Value, frozen=True, kw_only=True):
    """One expert: a row of data.

    tasks: TaskSpec names it serves. languages: BCP 47, `*` for any, empty where language plays no part. runtime: the
    worker that can load it (one per library). adapter: `module:Class` under `dragoman.backends.box`. rank: among the
    experts of a task, smaller is preferred before any record exists. convert: a function name run once after fetching.
    notes: what a person should know (trained on, limits).
    """

    id: str
    tasks: tuple[str, ...]
    description: str
    license: str
    backend: str = "box"
    runtime: str = ""
    adapter: str = ""
    languages: tuple[str, ...] = ()
    files: tuple[WeightFile, ...] = ()
    requires: tuple[str, ...] = ()
    revision: str = ""
    memory_bytes: int = 0
    rank: int = 100
    downloads: int = 0
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    notes: str = ""

    @property
    def weights_bytes(self) -> int:
        """Bytes on disk of all its files."""
        return sum(file.bytes for file in self.files)

    @property
    def download_bytes(self) -> int:
        """Bytes that fetching it moves, its files' packages counted once each."""
        return sum({file.source.partition("!")[0]: file.download_bytes for file in self.files}.values())
