"""How English words sound: two dictionaries, the endings they leave out, and words that change with their neighbours.

The dictionaries (misaki's `us_gold.json` and `us_silver.json`) write a diphthong as one capital letter; an entry with
several readings is keyed by part of speech.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import msgspec

Entry = str | dict[str, str | None]

VOWELS = frozenset("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐ")
STRESSES = "ˈˌ"
_VOICELESS = "ptkfθ"
_HISSING = "szʃʒʧʤ"
# What stands before tells a noun from a verb well enough for the words that sound different as one or the other.
_BEFORE_VERB = frozenset([
    "to", "will", "would", "can", "could", "should", "must", "may", "might", "shall", "i", "you", "we", "they", "not",
    "don't", "doesn't", "didn't", "won't", "can't", "cannot", "let's", "please", "did", "does", "do", "who",
])  # fmt: skip
_BEFORE_NOUN = frozenset([
    "the", "a", "an", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their", "of", "in",
    "on", "for", "with", "no", "every", "each", "any", "some", "new", "old", "good", "first", "last", "one", "two",
])  # fmt: skip
_BEFORE_PARTICIPLE = frozenset(["have", "has", "had", "was", "were", "been", "be", "is", "are", "having", "being"])
_CUES = (
    ("VERB", _BEFORE_VERB),
    ("VBD", frozenset(["he", "she", "it", "who"])),
    ("VBN", _BEFORE_PARTICIPLE),
    ("NOUN", _BEFORE_NOUN),
    ("DT", frozenset([""])),
    ("ADJ", frozenset(["very", "so", "too", "more", "most", "is", "are", "was", "were", "quite"])),
)


class Dictionaries:
    """Look-up of single words."""

    def __init__(self, gold: Path, silver: Path) -> None:
        self._gold = msgspec.json.decode(gold.read_bytes(), type=dict[str, Entry]) | names()
        self._silver = msgspec.json.decode(silver.read_bytes(), type=dict[str, str])

    def sounds(self, word: str, *, before: str = "", is_last: bool = False) -> str:
        """The phonemes of `word`, or nothing if no dictionary and no ending tells.

        before: the word that stands before it, for readings that depend on it. is_last: nothing follows in its clause.
        """
        return self._entry(word, before=before.lower(), is_last=is_last) or self._with_ending(word)

    def knows(self, word: str) -> bool:
        """Whether a dictionary holds `word` as it is written."""
        return word in self._gold or word in self._silver

    def is_acronym(self, word: str) -> bool:
        """Whether the dictionary marks `word`, in capitals, as one whose letters are named."""
        entry = self._gold.get(word)
        return isinstance(entry, dict) and entry.get("NOUN", "") is None

    def _entry(self, word: str, *, before: str, is_last: bool) -> str:
        entry = self._gold.get(word) or self._silver.get(word, "")
        if isinstance(entry, str):
            return entry
        tags = ["None"] if is_last else []
        tags += [tag for tag, cues in _CUES if before in cues]
        return next((found for tag in tags if (found := entry.get(tag))), cast("str", entry["DEFAULT"]))

    def _with_ending(self, word: str) -> str:
        for ending, stems, join in _ENDINGS:
            if word.endswith(ending) and len(word) > len(ending) + 1:
                for stem in stems(word[: -len(ending)]):
                    if found := self._entry(stem, before="", is_last=False):
                        return join(found)
        return ""


def names() -> dict[str, str]:
    """Our own list: names and new words that the dictionaries lack."""
    lines = Path(__file__).with_name("names.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def with_s(sounds: str) -> str:
    """The plural, the third person or the possessive of what sounds like `sounds`."""
    if sounds[-1] in _HISSING:
        return f"{sounds}ᵻz"
    return f"{sounds}s" if sounds[-1] in _VOICELESS else f"{sounds}z"


def with_ed(sounds: str) -> str:
    """The past of what sounds like `sounds`."""
    if sounds[-1] in "td":
        return f"{_tapped(sounds)}ᵻd"
    return f"{sounds}t" if sounds[-1] in _VOICELESS or sounds[-1] in "sʃʧ" else f"{sounds}d"


def with_ing(sounds: str) -> str:
    """The present participle of what sounds like `sounds`."""
    return f"{_tapped(sounds)}ɪŋ"


def _tapped(sounds: str) -> str:
    """An American t between vowels is tapped (`waiting`)."""
    is_between = len(sounds) > 1 and sounds[-1] == "t" and sounds[-2] in VOWELS
    return f"{sounds[:-1]}ɾ" if is_between else sounds


def _plain_stems(stem: str) -> list[str]:
    return [stem]


def _plural_stems(stem: str) -> list[str]:
    """`boxe`, `bodie` and `cat` before the s of boxes, bodies and cats."""
    return [stem, *([stem[:-1]] if stem.endswith("e") else []), *([f"{stem[:-2]}y"] if stem.endswith("ie") else [])]


def _verb_stems(stem: str) -> list[str]:
    """`mak`, `stopp`, `tri` and `walk` before the ending of making, stopped, tried and walked."""
    doubled = [stem[:-1]] if len(stem) > 2 and stem[-1] == stem[-2] else []
    return [stem, f"{stem}e", *doubled, *([f"{stem[:-1]}y"] if stem.endswith("i") else [])]


_ENDINGS = (
    ("'s", _plain_stems, with_s),
    ("s'", _plain_stems, with_s),
    ("s", _plural_stems, with_s),
    ("ed", _verb_stems, with_ed),
    ("ing", _verb_stems, with_ing),
    ("in'", _verb_stems, with_ing),
)
