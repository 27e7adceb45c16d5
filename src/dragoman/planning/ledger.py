"""The resources that a plan may name, and which of them a written name means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from dragoman.values import Given, Resource

__all__ = ["Ledger", "is_address", "is_bare_file_name"]

_SUFFIXES = (
    "jpe?g|png|gif|bmp|tiff?|webp|heic|heif|avif|svg|wav|mp3|flac|ogg|oga|opus|m4a|aac|wma|mp4|mov|avi|mkv|webm|m4v|"
    "mpe?g|pdf|docx?|xlsx?|pptx?|txt|md|rtf|html?|csv|tsv|json|jsonl|parquet|srt|vtt"
)
_ADDRESS = re.compile(
    rf"(?:[a-z][a-z0-9+.-]{{1,15}}://\S+|data:[\w/+.-]*[;,]\S*|(?:~?/|\.{{1,2}}[/\\]|[a-z]:\\)\S+|\S+\.(?:{_SUFFIXES}))",
    re.IGNORECASE,
)
_QUOTES = " \t\r\n\"'`“”‘’<>"


def is_address(text: str) -> bool:
    """Whether the whole text is a path or a URL rather than words."""
    return _ADDRESS.fullmatch(text.strip(_QUOTES)) is not None


def is_bare_file_name(text: str) -> bool:
    """Whether this is a file's name with no folder and no host: a mind may have meant a result by it."""
    return re.fullmatch(rf"[^/\\:]+\.(?:{_SUFFIXES})", text.strip(_QUOTES), re.IGNORECASE) is not None


class Ledger:
    """The run's resources by name, and by the ways in which minds write names."""

    def __init__(self, resources: Sequence[Resource]) -> None:
        self.resources = {resource.name: resource for resource in resources}
        self._by_base: dict[str, set[str]] = {}
        for name in self.resources:
            for spelling in {name.casefold(), _base(name)}:
                self._by_base.setdefault(spelling, set()).add(name)

    def exact(self, text: str) -> Given | None:
        """The resource of exactly this name; `name#LABEL` picks the elements of data with that label."""
        if text in self.resources:
            return Given(name=text)
        name, mark, pick = text.rpartition("#")
        if mark and pick and name in self.resources and self.resources[name].kind == "data":
            return Given(name=name, pick=pick)
        return None

    def meant(self, text: str) -> Given | None:
        """The one resource that `text` means: exactly, in quotes, in other capitals or with another folder."""
        stripped = text.strip(_QUOTES)
        found = self.exact(text) or self.exact(stripped)
        if found:
            return found
        for spelling in (stripped.casefold(), _base(stripped)):
            names = self._by_base.get(spelling, set())
            if len(names) == 1:
                return Given(name=next(iter(names)))
        return None


def _base(name: str) -> str:
    """The last part of a path or URL, unquoted, in small letters."""
    path = re.split(r"[?#]", name, maxsplit=1)[0] if "://" in name else name
    return unquote(re.split(r"[/\\]", path.rstrip("/\\"))[-1]).casefold()
