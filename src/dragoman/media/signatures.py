"""What the first bytes of a file say: the signatures of the formats that are read, and of those that are not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dragoman.values import Kind

__all__ = [
    "EXTENSIONS",
    "Found",
    "container_found",
    "extension",
    "media_type_for",
    "promised_kind",
    "refused_format",
    "still_found",
    "texty_found",
]

# Media type -> the extension that files of ours get; other extensions of the same type follow.
EXTENSIONS: dict[str, tuple[str, ...]] = {
    "image/jpeg": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "image/png": (".png", ".apng"),
    "image/gif": (".gif",),
    "image/bmp": (".bmp", ".dib"),
    "image/tiff": (".tif", ".tiff"),
    "image/webp": (".webp",),
    "image/heic": (".heic", ".heif", ".hif"),
    "image/avif": (".avif",),
    "image/jp2": (".jp2", ".j2k", ".jpx"),
    "image/x-icon": (".ico",),
    "image/x-portable-anymap": (".ppm", ".pgm", ".pbm", ".pnm"),
    "image/vnd.adobe.photoshop": (".psd",),
    "audio/wav": (".wav", ".wave"),
    "audio/mpeg": (".mp3", ".mp2"),
    "audio/flac": (".flac",),
    "audio/ogg": (".ogg", ".oga", ".opus", ".spx"),
    "audio/mp4": (".m4a", ".m4b"),
    "audio/aac": (".aac",),
    "audio/aiff": (".aiff", ".aif", ".aifc"),
    "audio/basic": (".au", ".snd"),
    "audio/x-caf": (".caf",),
    "audio/amr": (".amr",),
    "audio/webm": (".weba",),
    "audio/x-matroska": (".mka",),
    "audio/x-ms-wma": (".wma",),
    "video/mp4": (".mp4", ".m4v"),
    "video/quicktime": (".mov", ".qt"),
    "video/3gpp": (".3gp", ".3g2"),
    "video/webm": (".webm",),
    "video/x-matroska": (".mkv",),
    "video/x-msvideo": (".avi",),
    "video/x-ms-wmv": (".wmv", ".asf"),
    "video/x-flv": (".flv",),
    "video/mpeg": (".mpg", ".mpeg", ".vob"),
    "video/mp2t": (".mts", ".m2ts"),  # `.ts` is TypeScript as often
    "video/ogg": (".ogv",),
    "application/pdf": (".pdf",),
    "text/csv": (".csv",),
    "text/tab-separated-values": (".tsv", ".tab"),
    "application/json": (".json", ".geojson", ".ipynb"),
    "application/x-ndjson": (".jsonl", ".ndjson"),
    "text/html": (".html", ".htm", ".xhtml"),
    "text/markdown": (".md", ".markdown"),
    "application/x-subrip": (".srt",),
    "text/vtt": (".vtt",),
    "text/plain": (".txt", ".text", ".log"),
}

_BY_EXTENSION = {suffix: media_type for media_type, suffixes in EXTENSIONS.items() for suffix in suffixes}
_KIND_OF_PREFIX: dict[str, Kind] = {"image": "image", "audio": "audio", "video": "video"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A format that was recognised. `sound_type`: the media type where the container holds no moving picture."""

    kind: Kind
    media_type: str
    sound_type: str | None = None


def extension(media_type: str) -> str:
    """The extension for files of this media type, with its dot; `.bin` for an unknown one."""
    return EXTENSIONS.get(media_type, (".bin",))[0]


def media_type_for(suffix: str) -> str | None:
    """The media type that files with this extension (`.jpg`, any case) usually have."""
    return _BY_EXTENSION.get(suffix.lower())


def promised_kind(suffix: str) -> Kind | None:
    """The kind that an extension promises where its bytes can't be text: `image`, `audio`, `video`, `document`."""
    media_type = media_type_for(suffix) or ""
    if media_type == "application/pdf":
        return "document"
    return _KIND_OF_PREFIX.get(media_type.partition("/")[0])


_STILL = (
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb"II\*\x00|MM\x00\*|II\+\x00|MM\x00\+"), "image/tiff"),
    (re.compile(rb"BM....\x00\x00\x00\x00", re.DOTALL), "image/bmp"),
    (re.compile(rb"\x00\x00\x00\x0cjP  \r\n|\xff\x4f\xff\x51"), "image/jp2"),
    (re.compile(rb"\x00\x00\x01\x00[\x01-\x40]\x00"), "image/x-icon"),
    (re.compile(rb"8BPS\x00[\x01\x02]"), "image/vnd.adobe.photoshop"),
    (re.compile(rb"....ftyp(?:avif|avis|mif1....(?:....)*?avif)", re.DOTALL), "image/avif"),
    (re.compile(rb"....ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)", re.DOTALL), "image/heic"),
)
_PIXMAP = re.compile(rb"P[1-6]\s(?:#[^\n]*\n|\s)*\d{1,6}\s+\d{1,6}\s")
_SOUND = (
    (re.compile(rb"(?:RIFF|RF64)....WAVE", re.DOTALL), "audio/wav"),
    (re.compile(rb"fLaC"), "audio/flac"),
    (re.compile(rb"ID3[\x02-\x04]"), "audio/mpeg"),
    (re.compile(rb"\xff[\xf0\xf1\xf8\xf9]"), "audio/aac"),
    (re.compile(rb"\xff[\xe2-\xe7\xf2-\xf7\xfa-\xfd][^\xf0-\xff]", re.DOTALL), "audio/mpeg"),
    (re.compile(rb"FORM....AIF[FC]", re.DOTALL), "audio/aiff"),
    (re.compile(rb"\.snd\x00\x00"), "audio/basic"),
    (re.compile(rb"caff\x00"), "audio/x-caf"),
    (re.compile(rb"#!AMR"), "audio/amr"),
)
_CONTAINER = (
    (re.compile(rb"....ftyp(?:M4A |M4B )", re.DOTALL), "audio/mp4", "audio/mp4"),
    (re.compile(rb"....ftypqt  |....(?:moov|mdat|wide|free|skip)", re.DOTALL), "video/quicktime", "audio/mp4"),
    (re.compile(rb"....ftyp3g", re.DOTALL), "video/3gpp", "audio/mp4"),
    (re.compile(rb"....ftyp", re.DOTALL), "video/mp4", "audio/mp4"),
    (re.compile(rb"\x1aE\xdf\xa3.{0,40}webm", re.DOTALL), "video/webm", "audio/webm"),
    (re.compile(rb"\x1aE\xdf\xa3"), "video/x-matroska", "audio/x-matroska"),
    (re.compile(rb"OggS"), "audio/ogg", "audio/ogg"),
    (re.compile(rb"RIFF....AVI ", re.DOTALL), "video/x-msvideo", "audio/wav"),
    (re.compile(rb"0&\xb2u\x8ef\xcf\x11"), "video/x-ms-wmv", "audio/x-ms-wma"),
    (re.compile(rb"FLV\x01"), "video/x-flv", "audio/aac"),
    (re.compile(rb"\x00\x00\x01[\xba\xb3]"), "video/mpeg", "audio/mpeg"),
    (re.compile(rb"G.{187}G", re.DOTALL), "video/mp2t", "audio/aac"),
)
_REFUSED = (
    (re.compile(rb"PK\x03\x04"), "a ZIP archive or an office document", "Unpack it, or save it as PDF, CSV or text."),
    (re.compile(rb"\xd0\xcf\x11\xe0"), "an old office document", "Save it as PDF, CSV or text."),
    (re.compile(rb"\{\\rtf"), "a rich text document", "Save it as PDF or plain text."),
    (re.compile(rb"\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd"), "a packed archive", "Unpack it first."),
    (re.compile(rb"MZ.{2,}PE\x00\x00|\x7fELF|\xcf\xfa\xed\xfe", re.DOTALL), "a program", "Hand over what it shows."),
    (re.compile(rb"SQLite format 3"), "a database", "Export the table as CSV."),
    (re.compile(rb"\xff\x0a|\x00\x00\x00\x0cJXL "), "a JPEG XL picture", "Save it as PNG or JPEG."),
    (re.compile(rb"MThd"), "MIDI notes without sound", "Render it as a recording."),
    (re.compile(rb"%!PS"), "a PostScript file", "Save it as PDF or PNG."),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml.*?)?(?:<!--.*?-->\s*)?<svg[\s>]", re.DOTALL), "an SVG drawing",
     "Save it as PNG."),
)  # fmt: skip


def texty_found(head: bytes) -> Found | None:
    """The format of a file that begins with words although it is no text: a PDF document, a portable pixmap."""
    if head.startswith(b"%PDF-"):
        return Found(kind="document", media_type="application/pdf")
    return Found(kind="image", media_type="image/x-portable-anymap") if _PIXMAP.match(head) else None


def still_found(head: bytes) -> Found | None:
    """The picture, plain sound or document format of a file whose first bytes are `head`."""
    for pattern, media_type in _STILL:
        if pattern.match(head):
            return Found(kind="image", media_type=media_type)
    if b"%PDF-" in head[:1024]:
        return Found(kind="document", media_type="application/pdf")
    if head.startswith(b"\xff\xfe"):  # a byte order mark, and no layer that anyone uses
        return None
    for pattern, media_type in _SOUND:
        if pattern.match(head):
            return Found(kind="audio", media_type=media_type)
    return None


def container_found(head: bytes) -> Found | None:
    """The container format of a file that may hold picture, sound or both."""
    for pattern, media_type, sound_type in _CONTAINER:
        if pattern.match(head):
            kind = _KIND_OF_PREFIX[media_type.partition("/")[0]]
            return Found(kind=kind, media_type=media_type, sound_type=sound_type)
    return None


def refused_format(head: bytes) -> tuple[str, str] | None:
    """(what it is, what to do instead) for a known format that is not read."""
    for pattern, what, instead in _REFUSED:
        if pattern.match(head):
            return what, instead
    return None
