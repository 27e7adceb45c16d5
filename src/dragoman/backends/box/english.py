"""Whether a text is English, for experts that know no other language."""

from __future__ import annotations

import re
import unicodedata

from dragoman.backends.box.language import COMMON, LETTERS
from dragoman.errors import ExpertError

# Small words that also stand in names and titles.
_IN_NAMES = frozenset([
    "de", "la", "le", "el", "los", "las", "del", "van", "den", "en", "der", "die", "das", "il", "lo", "du", "da", "do",
    "dos",
])  # fmt: skip
_ENGLISH = COMMON["en"] | {"a", "am", "an", "all", "com", "die", "do", "man", "me", "no", "one", "so", "were", "www"}
_NAMES = {
    "en": "English", "pt": "Portuguese", "es": "Spanish", "fr": "French", "de": "German", "it": "Italian",
    "nl": "Dutch",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")
_IN_ADDRESSES = ("://", "www.", "@")
_MOSTLY = 0.5
_ENOUGH = 1.5
_IN_NAMES_WORTH = 0.5


def other_language(text: str) -> str:
    """The language or the script of `text` where it is plainly not English, else nothing. Names and quotes may be."""
    if script := _other_script(text):
        return script
    words = _WORD.findall(" ".join(part for part in text.split() if not any(sign in part for sign in _IN_ADDRESSES)))
    # A capital inside a sentence marks a name (`Los Angeles`), unless everything is in capitals.
    is_shouted = text.isupper()
    plain = [word.lower() for at, word in enumerate(words) if at == 0 or word[0].islower() or is_shouted]
    votes = {code: _votes(plain, code) for code in COMMON}
    best = max(votes, key=lambda code: votes[code])
    is_foreign = best != "en" and votes[best] >= _ENOUGH and votes[best] > 2 * votes["en"]
    return _NAMES.get(best, f"`{best}`") if is_foreign else ""


def require_english(text: str, *, what: str) -> None:
    """Nothing, or `ExpertError` where `text` is plainly in another language. what: the expert, as a subject."""
    if found := other_language(text):
        raise ExpertError(f"{what} speaks English only; this text looks like {found}. Translate it to English first.")


def _other_script(text: str) -> str:
    letters = [sign for sign in text if sign.isalpha()]
    foreign = [sign for sign in letters if sign > "ͯ" and not unicodedata.name(sign, "LATIN").startswith("LATIN")]
    if len(foreign) <= _MOSTLY * len(letters):
        return ""
    return f"{unicodedata.name(foreign[0]).split()[0].capitalize()} script".replace("Cjk", "Chinese")


def _votes(words: list[str], code: str) -> float:
    """What speaks for a language. A word that is English too (`die`, `com`) speaks for English alone."""
    if code == "en":
        return sum(word in _ENGLISH for word in words)
    common, letters = COMMON[code] - _ENGLISH, LETTERS.get(code, "")
    votes = sum(_IN_NAMES_WORTH if word in _IN_NAMES else 1.0 for word in words if word in common)
    return votes + sum(any(letter in letters for letter in word) for word in words if word not in common)
