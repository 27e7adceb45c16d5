"""What content is called: names that are safe to show, and that never clash."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from itertools import count
from pathlib import PurePath

__all__ = ["clean_name", "free_name", "safe_stem"]

_MAX_CHARS = 160
_MAX_STEM_BYTES = 120  # file systems take 255 bytes, and an extension and a number follow
# Control characters, and the marks that turn the reading direction and can make `exe.jpg` of `gpj.exe`.
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


def clean_name(name: str) -> str:
    """`name` fit to be shown and written as JSON: composed (NFC), without control characters, not overlong.

    An overlong name loses its middle, never its extension.
    """
    readable = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    shown = _HIDDEN.sub("_", unicodedata.normalize("NFC", readable)).strip() or "unnamed"
    if len(shown) <= _MAX_CHARS:
        return shown
    suffix = PurePath(shown).suffix[:20]
    return shown[: _MAX_CHARS - len(suffix) - 1] + "…" + suffix


def free_name(name: str, *, folder: str, taken: Collection[str]) -> str:
    """`name`, or on a clash with `taken` its `folder` in front, or a number before its extension."""
    if name not in taken:
        return name
    if folder:
        name = f"{folder}/{name}"
    if name not in taken:
        return name
    path = PurePath(name)
    stem = name.removesuffix(path.suffix)
    return next(free for n in count(2) if (free := f"{stem}-{n}{path.suffix}") not in taken)


def safe_stem(stem: str) -> str:
    """`stem` as part of a file name anywhere: letters and digits of any script, `-`, `_`, `.`; never empty."""
    composed = unicodedata.normalize("NFC", stem.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    kept = "".join(c if c.isalnum() or c in "-_." or unicodedata.category(c).startswith("M") else "-" for c in composed)
    short = kept.encode()[:_MAX_STEM_BYTES].decode("utf-8", "ignore")
    return re.sub(r"-{2,}", "-", short).strip("-.") or "result"
