"""Condition maps: their families, the words for them, and files that are one by their name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dragoman.planning.embedded.words import Token

# The soft and straight kinds of edge stand ahead of plain edges: the first that the words name counts.
FAMILIES = ("hed", "mlsd", "normal", "openpose", "depth", "seg", "scribble", "canny")
MAP_SYMBOLS = ("@map", *(f"@map_{family}" for family in FAMILIES))

_NAME_WORDS = frozenset(("hed", "seg", "map", "maps", "edge", "line", "stick", "soft", "layout", "grey", "surface"))
_NAME_PARTS = (
    "canny",
    "scribble",
    "normal",
    "skeleton",
    "segment",
    "outline",
    "contour",
    "sketch",
    "doodle",
    "pose",
    "depth",
    "edges",
    "lines",
    "mlsd",
    "regions",
)


def family_of(tokens: Sequence[Token]) -> str | None:
    """The family of condition map that the words name, or None."""
    return next((family for family in FAMILIES if any(t.has(f"@map_{family}") for t in tokens)), None)


def is_map_name(name: str) -> bool:
    """Whether one of the words in a file's name says that it is a condition map."""
    stem = name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0].casefold()
    is_word = not _NAME_WORDS.isdisjoint(re.findall(r"[a-z]+", stem))
    return is_word or any(part in stem for part in _NAME_PARTS)
