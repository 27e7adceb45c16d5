"""What comes with a request: the files handed over, those that the words name, and what lies beside them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dragoman.errors import MediaError, NetRefused
from dragoman.store import Store
from dragoman.values import Resource

__all__ = ["find_named", "take_in"]

_MAX_WORDS_CHARS = 20_000  # Names beyond this are not looked for; a pasted article may be long.
_MAX_FOUND = 50
_URL = re.compile(r"https?://[^\s<>\"'`]{3,2000}")
_QUOTED = re.compile(r"[\"“„«'‘`]([^\"”“»'’`\n]{1,200}\.[A-Za-z0-9]{1,5})[\"“”»«'’`]")
_BARE = re.compile(r"(?:~|\.{1,2})?[^\s\"'`“”„«»<>|*?]{0,200}\.[A-Za-z0-9]{1,5}(?![A-Za-z0-9])")
_ASCII_END = re.compile(r"[A-Za-z0-9_.~/\\-]+$")
_SUBTITLES = (".srt", ".vtt")


def find_named(words: str, *, folder: Path) -> tuple[list[Path], list[str]]:
    """The files under `folder` (or by whole path) and the URLs that `words` name, each once, in order."""
    head = words[:_MAX_WORDS_CHARS]
    urls = list(dict.fromkeys(url.rstrip(".,;:!?)]}") for url in _URL.findall(head)))[:_MAX_FOUND]
    rest = _URL.sub(" ", head)
    names = [*_QUOTED.findall(rest), *(name.lstrip("([{") for name in _BARE.findall(rest))]
    paths = [path for name in dict.fromkeys(names) if (path := _found(name, folder=folder)) is not None]
    return list(dict.fromkeys(paths))[:_MAX_FOUND], urls


def _found(name: str, *, folder: Path) -> Path | None:
    """The file of this name, or of the part of it that Chinese words, say, stand before without a space."""
    ascii_part = _ASCII_END.search(name)
    return _existing(name, folder=folder) or (_existing(ascii_part[0], folder=folder) if ascii_part else None)


def _existing(name: str, *, folder: Path) -> Path | None:
    try:
        path = folder / Path(name).expanduser()
        return path if path.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None


async def take_in(
    words: str,
    files: Sequence[Any],
    *,
    store: Store,
    folder: Path,
    allow_hosts: Sequence[str] = (),
    is_offline: bool = False,
) -> tuple[Resource, ...]:
    """Every resource of a request, the files first, in order; each content once. Raises `MediaError`, `NetRefused`."""
    paths, urls = find_named(words, folder=folder)
    sources = [*files, *paths]
    taken: list[Resource] = []
    for source in [*sources, *_beside(sources), *urls]:
        names = [resource.name for resource in taken]
        if isinstance(source, str) and _URL.fullmatch(source):
            if is_offline:
                raise NetRefused(
                    f"`{source}` would have to be fetched, and downloads are off.", helps="leave --offline out"
                )
            _keep(taken, await store.take_url(source, taken=names, allow_hosts=allow_hosts))
        else:
            _keep(taken, await asyncio.to_thread(store.take, source, taken=names))
    return tuple(taken)


def _keep(taken: list[Resource], resource: Resource) -> None:
    """Add it, unless the words only named again what was handed over."""
    if not any(other.sha256 == resource.sha256 and _same_file(other, resource) for other in taken):
        taken.append(resource)


def _same_file(known: Resource, again: Resource) -> bool:
    return again.name == known.name or again.name.endswith("/" + known.name) or known.name == Path(again.name).name


def _beside(sources: Sequence[Any]) -> list[Path]:
    """Subtitle files that lie beside a video under the same stem count as handed over."""
    found: list[Path] = []
    for source in sources:
        if not isinstance(source, (str, Path)) or "://" in str(source)[:12] or str(source).startswith("data:"):
            continue
        path = Path(source).expanduser()
        if path.suffix.lower() in (".mp4", ".mkv", ".mov", ".webm", ".avi", ".m4v"):
            found += [beside for ending in _SUBTITLES if (beside := path.with_suffix(ending)).is_file()]
    return found


def check_files(files: Sequence[Any]) -> None:
    """Raise `MediaError` for what can't be a file at all."""
    for source in files:
        if source is None or source == "":
            raise MediaError("wanted a file; got an empty name.", helps="check the path")
