"""What is content and not instruction: quoted spans, file names, URLs. One pass, linear in the length of the words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

from dragoman.values import Kind

MaskKind = Literal["quote", "file", "url"]

_KIND_OF_SUFFIX: dict[Kind, str] = {
    "image": "jpg jpeg png gif bmp tif tiff webp heic heif avif svg ppm",
    "audio": "wav mp3 flac ogg oga opus m4a aac aiff aif wma amr",
    "video": "mp4 mov avi mkv webm m4v mpg mpeg wmv flv 3gp",
    "text": "txt md rst srt vtt log",
    "table": "csv tsv xls xlsx parquet ods",
    "document": "pdf docx doc odt rtf epub pptx html htm",
    "data": "json jsonl yaml xml npy",
}
KIND_OF_SUFFIX: dict[str, Kind] = {suffix: kind for kind, row in _KIND_OF_SUFFIX.items() for suffix in row.split()}

# A run of path characters; whether it is a file is told by its suffix. Han letters stick to names in running text.
_RUN = re.compile(r"(?:[A-Za-z]:(?=[\\/]))?(?:(?![\u3040-\u30ff\u3400-\u9fff])[\w\-+%&/\\.~#])++")
_URL = re.compile(r"(?:https?://|www\.|file://|data:(?=\w+/))[^\s<>\"'“”«»，。、；）)]+", re.IGNORECASE)
_PAIRS = {
    "“": "”",
    "„": "“”",
    "«": "»",
    "‹": "›",
    "「": "」",
    "『": "』",
    "《": "》",
    "‚": "‘’",
    '"': '"',
    "`": "`",
    "”": "”",
    "＂": "＂",
    "»": "«",
}
_OPENERS = re.compile("|".join(["['‘]", *map(re.escape, _PAIRS)]))
_SINGLE_OPEN = re.compile(r"(?<![\w’'])['‘](?=[^\s'’])")
_SINGLE_CLOSE = re.compile(r"(?<=[^\s'‘])['’](?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mask:
    """A span of the words, `start` to `end`, that is content. value: what stands inside; file_kind: by its suffix."""

    start: int
    end: int
    kind: MaskKind
    value: str
    file_kind: Kind | None = None


def kind_of_name(name: str) -> Kind | None:
    """The kind of resource that a file name's suffix tells, or None."""
    return KIND_OF_SUFFIX.get(name.rsplit(".", 1)[-1].casefold()) if "." in name else None


def masks(words: str, names: Iterable[str] = ()) -> list[Mask]:
    """The masked spans of `words` in order, none overlapping. names: resources that the words may name verbatim."""
    found = [*_named(words, names), *_urls(words), *_quotes(words), *_files(words)]
    taken: list[Mask] = []
    for mask in sorted(_unquoted_names(found), key=lambda m: (m.start, -(m.end - m.start))):
        if not taken or mask.start >= taken[-1].end:
            taken.append(mask)
    return taken


def _unquoted_names(found: list[Mask]) -> Iterator[Mask]:
    """The masks, a quote that holds nothing but a file name being that file."""
    wholes = {(m.start, m.end): m for m in found if m.kind != "quote"}
    for mask in found:
        inner = wholes.get((mask.start + 1, mask.end - 1))
        if mask.kind == "quote" and inner is not None:
            yield Mask(start=mask.start, end=mask.end, kind=inner.kind, value=inner.value, file_kind=inner.file_kind)
        else:
            yield mask


def _named(words: str, names: Iterable[str]) -> Iterator[Mask]:
    low = words.casefold()
    if len(low) != len(words):  # Some capital letters fold to two; positions would be off.
        low = words.lower() if len(words.lower()) == len(words) else words
    for name in names:
        if len(name) < 3 or ("." not in name and " " not in name):
            continue
        for hit in re.finditer(rf"(?<![\w.\-]){re.escape(name.casefold())}(?![\w])", low):
            yield Mask(start=hit.start(), end=hit.end(), kind="file", value=name, file_kind=kind_of_name(name))


def _urls(words: str) -> Iterator[Mask]:
    for hit in _URL.finditer(words):
        value = hit.group().rstrip(".,;:!?")
        path = unquote(urlsplit(value).path) if "://" in value else value
        yield Mask(
            start=hit.start(), end=hit.start() + len(value), kind="url", value=value, file_kind=kind_of_name(path)
        )


def _files(words: str) -> Iterator[Mask]:
    for hit in _RUN.finditer(words):
        name = hit.group().rstrip(".")
        if kind_of_name(name) and name.rpartition(".")[0].strip("./\\"):
            yield Mask(
                start=hit.start(), end=hit.start() + len(name), kind="file", value=name, file_kind=kind_of_name(name)
            )


def _quotes(words: str) -> Iterator[Mask]:
    """Quoted spans of every style; an opening mark without its closing one opens nothing."""
    singles = [hit.start() for hit in _SINGLE_CLOSE.finditer(words)]
    position, hopeless = 0, set[str]()
    while (hit := _OPENERS.search(words, position)) is not None:
        mark, position = hit.group(), hit.end()
        close = None if mark in hopeless else _closing(words, hit.start(), singles)
        if close is None:
            hopeless |= {mark} - set("'‘")
            continue
        inside = words[position:close].strip("`").strip()
        if inside:
            yield Mask(start=hit.start(), end=close + 1, kind="quote", value=inside)
        position = close + 1


def _closing(words: str, start: int, singles: list[int]) -> int | None:
    """Where the quote that opens at `start` closes. singles: where single quotes can close, in order."""
    mark = words[start]
    if mark in "'‘":
        at = bisect_left(singles, start + 2)
        return singles[at] if at < len(singles) and _SINGLE_OPEN.match(words, start) else None
    ends = [at for close in _PAIRS[mark] if (at := words.find(close, start + 1)) >= 0]
    return min(ends) if ends else None
