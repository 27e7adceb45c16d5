"""Small words: shares, counts, lists and quotes as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

__all__ = ["counted", "joined", "percent", "plural", "quoted", "safe", "shortened", "singular"]

_IRREGULAR: Mapping[str, str] = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "mouse": "mice", "foot": "feet",
    "tooth": "teeth", "goose": "geese", "sheep": "sheep", "deer": "deer", "fish": "fish", "aircraft": "aircraft",
    "knife": "knives", "wolf": "wolves", "leaf": "leaves", "shelf": "shelves", "footwear": "footwear",
    "glasses": "glasses", "scissors": "scissors",
}  # fmt: skip
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


def percent(share: float) -> str:
    """A share 0..1 as people say it: `92 %`, `under 1 %`."""
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{round(share * 100)} %"


def plural(word: str) -> str:
    """The plural of an English noun, its last word inflected."""
    head, _, last = word.rpartition(" ")
    lead = f"{head} " if head else ""
    low = last.lower()
    if low in _IRREGULAR:
        return lead + _IRREGULAR[low]
    if re.search(r"(?:s|x|z|ch|sh)$", low):
        return f"{lead}{last}es"
    if re.search(r"[^aeiou]y$", low):
        return f"{lead}{last[:-1]}ies"
    return f"{lead}{last}s"


def singular(word: str) -> str:
    """The singular of an English plural, as far as its ending tells."""
    for one, many in _IRREGULAR.items():
        if word == many:
            return one
    if re.search(r"(?:[sxz]|ch|sh)es$", word):
        return word[:-2]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if re.search(r"[^s]s$", word) else word


def counted(number: int, word: str) -> str:
    """`1 cat`, `3 cats`, `no cats`."""
    if number == 0:
        return f"no {plural(word)}"
    return f"{number} {word if number == 1 else plural(word)}"


def joined(items: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last


def shortened(text: str, *, chars: int) -> str:
    """`text` cut at a word, with an ellipsis, if it is longer than `chars`."""
    if len(text) <= chars:
        return text
    cut = text[:chars].rsplit(None, 1)[0]
    return f"{cut} …"


def safe(text: str) -> str:
    """`text` without terminal commands, other control characters and direction overrides; line breaks stay."""
    return _BIDI.sub("", _CONTROL.sub("", text.replace("\r\n", "\n")))


def quoted(text: str, *, chars: int = 1500) -> str:
    """`text` between quotes, on its own lines where it has several; long ones shortened."""
    body = shortened(safe(text).strip(), chars=chars)
    return f"\n\n{body}\n" if "\n" in body or len(body) > 200 else f"“{body}”"
