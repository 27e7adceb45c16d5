"""Adapters that need no weights: they try out the workers themselves, for `doctor` and for the tests.

Light enough to import anywhere. Each does one thing that a real expert might do to its process.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from dragoman.backends.base import Item, Produced, Tell
from dragoman.errors import ExpertError, MediaError
from dragoman.models.card import ADAPTERS, ModelCard
from dragoman.values import Arg, Json


def probe_card(name: str = "Echo", *, runtime: str = "probe", **options: Json) -> ModelCard:
    """A card for one of the adapters in this file."""
    return ModelCard(
        id=f"probe-{name.lower()}",
        tasks=(),
        description="Tries out a worker process.",
        license="Apache-2.0",
        runtime=runtime,
        adapter=f"{ADAPTERS}probe:{name}",
        options=options,
    )


class Probe:
    """Base of the probes: keeps what it was made and called with, and counts its calls."""

    def __init__(self, *, card: ModelCard, files: Mapping[str, Path], threads: int) -> None:
        self.card = card
        self.files = files
        self.threads = threads
        self.calls = 0

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """What `made` returns."""
        self.calls += 1
        self.task = task
        tell(0.5, "halfway")
        return self.made(args)

    def made(self, args: dict[str, Arg]) -> list[Produced]:
        """One data output: what `found` says about this call."""
        return [Produced(name="found", kind="data", media_type="application/json", data=self.found(args))]

    def found(self, args: dict[str, Arg]) -> Json:
        """What a probe does and reports."""
        raise NotImplementedError


class Echo(Probe):
    """Reports its arguments, its process and what that process can see."""

    def found(self, args: dict[str, Arg]) -> Json:
        """The call itself, and the process that answers it."""
        return {
            "task": self.task,
            "args": {name: _seen(arg) for name, arg in args.items()},
            "pid": os.getpid(),
            "calls": self.calls,
            "threads": self.threads,
            "files": {name: str(path) for name, path in self.files.items()},
            "environ": sorted(os.environ),
            "modules": sorted(sys.modules),
        }


class Sleeper(Probe):
    """Sleeps for `args["seconds"]`, or spins that long without a pause when `args["spins"]`."""

    def found(self, args: dict[str, Arg]) -> Json:
        """Its process, afterwards. Its process id is in the file `args["marker"]` from the start."""
        until = time.monotonic() + args["seconds"]
        if "marker" in args:
            Path(args["marker"]).write_text(str(os.getpid()), encoding="ascii")
        if not args.get("spins"):
            time.sleep(args["seconds"])
        while time.monotonic() < until:
            pass
        return {"pid": os.getpid(), "calls": self.calls}


class Crasher(Probe):
    """Aborts its process, as a bad pointer in a library would, unless the file `args["spare"]` exists."""

    def found(self, args: dict[str, Arg]) -> Json:
        """Its process, if it was spared. It leaves `args["spare"]` behind before it aborts."""
        spare = Path(args.get("spare", os.devnull + "/none"))
        if not spare.exists():
            if "spare" in args:
                spare.touch()
            os.abort()
        return {"pid": os.getpid(), "calls": self.calls}


class Printer(Probe):
    """Prints to standard output, below Python too, as chatty libraries do."""

    def found(self, args: dict[str, Arg]) -> Json:
        """How much it printed, of `args["lines"]` lines."""
        sys.stdout.write("a library says hello\n" * args["lines"])
        sys.stdout.flush()
        return {"written": os.write(1, b"\x00\x01 from below\n" * args["lines"])}


class Raiser(Probe):
    """Raises what `args["what"]` names."""

    def found(self, args: dict[str, Arg]) -> Json:
        """Nothing ever."""
        raised: dict[str, BaseException] = {
            "expert": ExpertError("the recording has no speech", helps="Try another one.", is_passing=True),
            "media": MediaError("`a.png` is empty"),
            "value": ValueError("shapes (3,) and (4,) differ\nand a second line"),
            "memory": MemoryError(),
            "module": ModuleNotFoundError("No module named 'onnx'", name="onnx"),
            "exit": SystemExit(3),
        }
        raise raised[args["what"]]


class Payload(Probe):
    """Returns `args["bytes"]` bytes, and the sum of the array or bytes that came in as `args["given"]`."""

    def made(self, args: dict[str, Arg]) -> list[Produced]:
        """The bytes as an image, the sum as data."""
        given = args.get("given", b"")
        total = given.sum() if hasattr(given, "sum") else sum(given)
        return [
            Produced(name="payload", kind="image", media_type="image/png", payload=b"\x07" * args["bytes"]),
            Produced(name="sum", kind="data", media_type="application/json", data=total),
        ]


def _seen(arg: Arg) -> Json:
    if isinstance(arg, Item):
        return {"resource": arg.resource.name, "path": str(arg.path)}
    if isinstance(arg, list):
        return [_seen(element) for element in arg]
    return arg


def reverse(files: Mapping[str, Path], out: Path) -> None:
    """A `convert`: writes each file backwards into `NAME.reversed`, and fails on one that is all zeros."""
    for name, path in files.items():
        content = path.read_bytes()
        if not content.strip(b"\x00"):
            raise ValueError(f"{name} holds nothing but zeros")
        (out / f"{name}.reversed").write_bytes(content[::-1])
