"""The ways in which content is handed over: a path, an address with the content in it, bytes, a picture, an array."""

from __future__ import annotations

import base64
import binascii
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from dragoman.errors import MediaError
from dragoman.media.bounds import MAX_FILE_BYTES, check_limit
from dragoman.media.pictures import pixels_of, png_bytes, readable
from dragoman.media.signatures import extension
from dragoman.media.sounds import mono_of, wav_bytes

__all__ = ["Arrived", "arrived"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrived:
    """Content at the door: a file of the person's at `path`, or its bytes as `payload`.

    name: what it calls itself, "" where it has no name. folder: that it lies in. suffix: what a declared media type
    adds to a missing name.
    """

    path: Path | None = None
    payload: bytes = b""
    name: str = ""
    folder: str = ""
    suffix: str = ""


def arrived(source: object) -> Arrived:
    """`source` as it is: a path, `file:` or `data:` URL, bytes, a Pillow image, a (H, W, 3) uint8 picture, or
    (samples, rate in Hz) of a sound. Raises `MediaError` for anything else.
    """
    if isinstance(source, Path):
        return _file(source)
    if isinstance(source, str):
        return _named(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Arrived(payload=bytes(cast("bytes", source)))
    if _is_a(source, "PIL.Image", "Image"):
        with readable("picture"):
            return Arrived(payload=png_bytes(pixels_of(cast("Any", source))))
    if _is_a(source, "numpy", "ndarray"):
        return _array(source)
    if isinstance(source, tuple) and len(cast("tuple[object, ...]", source)) == 2:
        samples, rate_hz = cast("tuple[object, object]", source)
        if _is_a(samples, "numpy", "ndarray") and not isinstance(rate_hz, (str, bytes, type(None))):
            return Arrived(payload=wav_bytes(mono_of(cast("Any", samples)), rate_hz=int(cast("Any", rate_hz))))
    raise MediaError(
        f"A file, an address, bytes, a picture or an array was wanted; a {type(source).__name__} came.",
        helps="Hand over a path as text, bytes, a Pillow image, a uint8 array, or (samples, rate_hz) for sound.",
    )


def _is_a(source: object, module: str, name: str) -> bool:
    """Whether `source` is an instance of a class whose module the caller has imported; imports nothing itself."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(source, getattr(loaded, name))


def _array(source: object) -> Arrived:
    pixels = cast("Any", source)
    if pixels.ndim == 1:
        raise MediaError(
            "A sound needs its rate; an array alone came.",
            helps="Hand over (samples, rate_hz), for example (x, 16000).",
        )
    return Arrived(payload=png_bytes(pixels))


def _named(source: str) -> Arrived:
    scheme = source.partition(":")[0].lower()
    if scheme == "data":
        return _data_url(source)
    if scheme == "file":
        return _file_url(source)
    if scheme in ("http", "https"):
        raise MediaError("An address of the web is fetched, not opened.", helps="Use `Store.take_url`.")
    return _file(Path(source))


def _file(path: Path) -> Arrived:
    try:
        path = path.expanduser()
    except RuntimeError as error:
        raise MediaError(f"There is no home folder for `{path}`.", helps="Write the path in full.") from error
    whole = path if path.name not in ("", "..") else path.absolute()
    return Arrived(path=path, name=whole.name or str(whole), folder=path.absolute().parent.name)


def _file_url(source: str) -> Arrived:
    parts = urlsplit(source)
    if parts.netloc not in ("", "localhost"):
        raise MediaError(f"`{parts.netloc}` is another machine; a file of this one was wanted.", helps="Copy it here.")
    return _file(Path(unquote(parts.path)))


def _data_url(source: str) -> Arrived:
    """The content of `data:[type][;base64],…`. Raises `MediaError` where it breaks the form."""
    check_limit(len(source), limit=MAX_FILE_BYTES, what="bytes of a file", name="data URL")
    declared, comma, body = source[len("data:") :].partition(",")
    if not comma:
        raise MediaError("A data URL needs a comma before its content.", helps="Form: data:image/png;base64,iVBOR…")
    media_type, *options = declared.split(";")
    try:
        payload = unquote_to_bytes(body)
        if any(option.strip().lower() == "base64" for option in options):
            payload = base64.b64decode(b"".join(payload.split()) + b"==", altchars=_altchars(payload))
    except (binascii.Error, ValueError) as error:
        raise MediaError("The data URL's base64 is broken.", helps="Encode the bytes again.") from error
    suffix = extension(media_type.strip().lower() or "text/plain")
    return Arrived(payload=payload, suffix="" if suffix == ".bin" else suffix)


def _altchars(payload: bytes) -> bytes | None:
    """The two letters of the URL-safe alphabet, where `payload` uses them."""
    return b"-_" if b"-" in payload or b"_" in payload else None
