"""Where content lives: bytes stored once under their hash, and whatever comes in or out made a Resource."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import re
import secrets
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote, urlsplit

from dragoman import media, net
from dragoman.errors import MediaError, StoreError
from dragoman.media import plain_json
from dragoman.values import Json, Kind, Resource

if TYPE_CHECKING:
    import httpx

__all__ = ["Store", "plain_json"]

_SHA256 = re.compile(r"[0-9a-f]{64}")
_CHUNK_BYTES = 1 << 20
_URL_TIMEOUT_S = 60.0
_MAX_URL_BYTES = 500_000_000


def _open_new(path: Path) -> BinaryIO:
    """A file that did not exist, opened for writing."""
    return path.open("xb")


class Store:
    """The blobs under `home`, shared by processes: `blobs/ab/<sha256>`, written once, never changed.

    Nothing is created before the first write. open_new: opens a new file for writing.
    """

    def __init__(self, home: Path, *, open_new: Callable[[Path], BinaryIO] = _open_new) -> None:
        self.home = home
        self._blobs = home / "blobs"
        self._open_new = open_new

    def path(self, sha256: str) -> Path:
        """The file that holds these bytes; it is not to be changed. Raises `StoreError` where they are not stored."""
        if not self.has(sha256):
            raise StoreError(
                f"Content {sha256[:12]}… is not in the store at {self.home}.", helps="Hand the file over again."
            )
        return self._place(sha256)

    def has(self, sha256: str) -> bool:
        """Whether these bytes are stored."""
        return _SHA256.fullmatch(sha256) is not None and self._place(sha256).is_file()

    def size(self, sha256: str) -> int:
        """How many bytes they are. Raises `StoreError` where they are not stored."""
        return self.path(sha256).stat().st_size

    def put_bytes(self, payload: bytes) -> str:
        """Store `payload` and return its SHA-256. Raises `StoreError`."""
        sha256 = hashlib.sha256(payload).hexdigest()
        return sha256 if self.has(sha256) else self._put(iter((payload,)))

    def put_file(self, path: Path) -> str:
        """Store a copy of the file at `path`, read once, and return its SHA-256. Raises `MediaError`, `StoreError`."""
        try:
            file = path.open("rb")
        except OSError as error:
            raise MediaError(
                f"`{path.name}` can't be opened: {error.strerror}.", helps="Check its permissions."
            ) from error
        with file:
            return self._put(_chunks(file, name=path.name))

    def take(self, source: object, *, name: str | None = None, taken: Collection[str] = ()) -> Resource:
        """What a person hands over as a Resource: a path, `file:` or `data:` URL, bytes, a Pillow image, an array.

        An array is a (H, W, 3) uint8 picture; a sound is (samples, rate in Hz). name: instead of its own. taken: names
        that are in use. The person's file is only read. Raises `MediaError`, `StoreError`.
        """
        at_door = media.arrived(source)
        path = at_door.path or self.path(self.put_bytes(at_door.payload))
        called = media.clean_name(name or at_door.name or f"content{at_door.suffix}")
        kind, media_type = media.sniff(path, name=called)
        if not (name or at_door.name):
            called = f"{kind}{media.extension(media_type)}"
        with _called(called, path):
            facts = media.facts(path, kind=kind, media_type=media_type)
        sha256 = self.put_file(path)
        folder = media.clean_name(at_door.folder) if at_door.folder else ""
        return self._resource(
            sha256,
            name=media.free_name(called, folder=folder, taken=taken),
            kind=kind,
            media_type=media_type,
            facts=facts,
            text=media.words_of(path, media_type=media_type) if kind == "text" else None,
            data=media.read_data(path, media_type=media_type) if kind == "data" else None,
        )

    async def take_url(
        self,
        url: str,
        *,
        name: str | None = None,
        taken: Collection[str] = (),
        allow_hosts: Collection[str] = (),
        max_bytes: int = _MAX_URL_BYTES,
        timeout_s: float = _URL_TIMEOUT_S,
        client: httpx.AsyncClient | None = None,
    ) -> Resource:
        """What lies at a web address as a Resource, fetched through the network door. Raises `NetRefused` too."""
        fetched = await net.fetch(url, max_bytes=max_bytes, timeout_s=timeout_s, allow_hosts=allow_hosts, client=client)
        called = name or PurePath(unquote(urlsplit(url).path)).name
        if called and not PurePath(called).suffix:
            called += media.extension(fetched.media_type).replace(".bin", "")
        return await asyncio.to_thread(self.take, fetched.payload, name=called or None, taken=taken)

    def keep(
        self,
        *,
        name: str,
        kind: Kind,
        media_type: str,
        text: str | None = None,
        data: Json = None,
        payload: bytes | None = None,
        facts: dict[str, Json] | None = None,
    ) -> Resource:
        """What a task produced as a Resource: `text` for words, `payload` for the bytes of a file, else `data`.

        facts: measured where they are not given. Raises `MediaError` for a payload that can't be read, `StoreError`.
        """
        if payload is None:
            payload = media.json_bytes(data) if text is None else text.encode("utf-8", "replace")
        sha256 = self.put_bytes(payload)
        called = media.clean_name(name)
        if facts is None:
            with _called(called, self._place(sha256)):
                facts = media.facts(self._place(sha256), kind=kind, media_type=media_type)
        return self._resource(
            sha256,
            name=called,
            kind=kind,
            media_type=media_type,
            facts=facts,
            text=payload.decode("utf-8", "replace") if kind == "text" else None,
            data=media.read_data(self._place(sha256), media_type=media_type) if kind == "data" else None,
        )

    def export(self, resource: Resource, *, directory: Path, stem: str) -> Path:
        """A copy of `resource` in `directory` under a readable name (`2-text-to-speech.wav`); never over another file.

        Raises `StoreError`.
        """
        source = self.path(resource.sha256)
        with self._told(directory):
            directory.mkdir(parents=True, exist_ok=True)
            target, file = self._new_in(directory, media.safe_stem(stem), media.extension(resource.media_type))
            try:
                with file, source.open("rb") as bytes_:
                    for chunk in iter(lambda: bytes_.read(_CHUNK_BYTES), b""):
                        file.write(chunk)
            except BaseException:
                target.unlink(missing_ok=True)
                raise
        return target

    def _new_in(self, directory: Path, stem: str, suffix: str) -> tuple[Path, BinaryIO]:
        """A new file in `directory`, numbered until its name is free."""
        for number in count(1):
            target = directory / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
            with suppress(FileExistsError):
                return target, self._open_new(target)
        raise AssertionError(stem)

    def _resource(
        self,
        sha256: str,
        *,
        name: str,
        kind: Kind,
        media_type: str,
        facts: dict[str, Json],
        text: str | None,
        data: Json,
    ) -> Resource:
        return Resource(
            name=name,
            kind=kind,
            media_type=media_type,
            sha256=sha256,
            size_bytes=self.size(sha256),
            text=text,
            data=data,
            facts=facts,
        )

    def _place(self, sha256: str) -> Path:
        return self._blobs / sha256[:2] / sha256

    def _put(self, chunks: Iterator[bytes]) -> str:
        """Write `chunks` beside the blobs, then move them to the place that their hash names."""
        digest = hashlib.sha256()
        unfinished = self._blobs / f".new-{secrets.token_hex(8)}"
        with self._told(self.home):
            try:
                self._blobs.mkdir(parents=True, exist_ok=True)
                with self._open_new(unfinished) as file:
                    for chunk in chunks:
                        digest.update(chunk)
                        file.write(chunk)
                place = self._place(digest.hexdigest())
                place.parent.mkdir(exist_ok=True)
                unfinished.replace(place)  # the same bytes, should another process have been faster
            finally:
                with suppress(OSError):
                    unfinished.unlink(missing_ok=True)
        return digest.hexdigest()

    @contextmanager
    def _told(self, folder: Path) -> Generator[None]:
        """An `OSError` while writing to `folder`, as a `StoreError` in plain words."""
        try:
            yield
        except OSError as error:
            raise StoreError(f"Nothing can be written to {folder}: {_why(error)}.", helps=_HELPS) from error


_HELPS = "Make room or allow writing there, or choose another folder: DRAGOMAN_HOME for the store, --out for results."


def _why(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "writing is not allowed there"
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        return "a file stands where a folder was wanted"
    return error.strerror or str(error)


@contextmanager
def _called(name: str, path: Path) -> Generator[None]:
    """A complaint about the file at `path` under the name that a person knows; a blob's own says nothing to them."""
    try:
        yield
    except MediaError as error:
        raise MediaError(error.says.replace(path.name, name), helps=error.helps) from error


def _chunks(file: BinaryIO, *, name: str) -> Iterator[bytes]:
    """The bytes of a person's file. A fault of theirs is no fault of the store."""
    while True:
        try:
            chunk = file.read(_CHUNK_BYTES)
        except OSError as error:
            raise MediaError(f"`{name}` can't be read: {error.strerror}.", helps="Copy it elsewhere first.") from error
        if not chunk:
            return
        yield chunk
