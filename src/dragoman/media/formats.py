"""What a file is. Its bytes decide; its name only tells one kind of text from another."""

from __future__ import annotations

import stat
from difflib import get_close_matches
from pathlib import Path, PurePath

from dragoman.errors import MediaError
from dragoman.media.bounds import MAX_FILE_BYTES, check_bytes
from dragoman.media.signatures import (
    Found,
    container_found,
    media_type_for,
    promised_kind,
    refused_format,
    still_found,
    texty_found,
)
from dragoman.media.texts import decoded, looks_like_text
from dragoman.values import Kind

__all__ = ["sniff"]

_HEAD_BYTES = 4096
_ARTICLE = {"image": "a picture", "audio": "a sound", "video": "a video", "document": "a document"}


def sniff(path: Path, *, name: str) -> tuple[Kind, str]:
    """(kind, media type) of the file at `path`, called `name` by the person.

    Raises `MediaError` where it is missing, a folder, empty, unreadable, of no known format, or text under the name
    of a picture, a sound, a video or a document.
    """
    head = _head(path, name=name)
    if found := texty_found(head):
        return found.kind, found.media_type
    # Before the other signatures, some of which a sentence can begin with ("The free…"). Binary files hold zeros.
    if looks_like_text(head):
        if refusal := refused_format(head):
            raise _unread(name, refusal)
        return _text_kind(head, name=name)
    if found := still_found(head):
        return found.kind, found.media_type
    if found := container_found(head):
        return _tracks(path, found=found, name=name)
    if refusal := refused_format(head):
        raise _unread(name, refusal)
    promised = _ARTICLE.get(promised_kind(PurePath(name).suffix) or "", "a file")
    raise MediaError(
        f"`{name}` is not {promised} that Dragoman can read: its bytes are of no known format.",
        helps="It may be damaged. Pictures, sound, video, PDF, CSV, JSON and text are read.",
    )


def _unread(name: str, refusal: tuple[str, str]) -> MediaError:
    what, instead = refusal
    return MediaError(f"`{name}` is {what}, which Dragoman doesn't read.", helps=instead)


def _head(path: Path, *, name: str) -> bytes:
    """The first bytes of a file that is there, regular, not empty and not too large."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise MediaError(f"`{name}` is a folder; a file was wanted.", helps="Name the files inside it.")
        if not stat.S_ISREG(mode):
            raise MediaError(f"`{name}` is a device or a pipe; a file was wanted.", helps="Save it as a file first.")
        check_bytes(path, limit=MAX_FILE_BYTES, what="a file")
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise MediaError(f"There is no file `{name}`.", helps=_nearest(path)) from error
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise MediaError(f"`{name}` can't be opened: {said}.", helps="Check its permissions and its name.") from error
    if not head:
        raise MediaError(f"`{name}` is empty: 0 bytes.", helps="Save or download it again.")
    return head


def _nearest(path: Path) -> str:
    """A hint with the file whose name is most like the missing one."""
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.exists()]
    except OSError:
        return f"There is no folder `{path.parent}` either." if not path.parent.exists() else "Check the name."
    near = get_close_matches(path.name, names, n=1)
    return f"Did you mean `{near[0]}`?" if near else f"Look into `{path.parent}`."


def _tracks(path: Path, *, found: Found, name: str) -> tuple[Kind, str]:
    """A container is a video if it holds a moving picture, else a sound; its signature decides where FFmpeg can't."""
    from dragoman.media.containers import has_picture, opened

    try:
        with opened(path) as container:
            is_film, is_sound = has_picture(container), bool(container.streams.audio)
    except MediaError:
        return found.kind, found.media_type
    if is_film:
        return "video", found.media_type if found.kind == "video" else f"video/{found.media_type.partition('/')[2]}"
    if is_sound:
        return "audio", found.sound_type or found.media_type
    raise MediaError(f"`{name}` holds neither picture nor sound.", helps="Save or download it again.")


def _text_kind(head: bytes, *, name: str) -> tuple[Kind, str]:
    """Text by its name: a table, data, or words; under the name of a picture, a sound or a film it is refused."""
    suffix = PurePath(name).suffix
    if promised := promised_kind(suffix):
        raise MediaError(
            f"`{name}` is named like {_ARTICLE[promised]}, but holds text.",
            helps=f"Hand over {_ARTICLE[promised]}, or rename it to .txt if the text is meant.",
        )
    media_type = media_type_for(suffix) or _by_words(decoded(head))
    if media_type in ("text/csv", "text/tab-separated-values"):
        return "table", media_type
    if media_type in ("application/json", "application/x-ndjson"):
        return "data", media_type
    return "text", media_type


def _by_words(start: str) -> str:
    """The media type of text whose name doesn't tell."""
    start = start.lstrip("\ufeff \t\r\n").lower()
    if start.startswith(("<!doctype html", "<html")):
        return "text/html"
    return "text/vtt" if start.startswith("webvtt") else "text/plain"
