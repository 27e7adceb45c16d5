"""Names of languages in running words, to BCP 47 codes; and the language of a text, in the plain cases."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from functools import cache

from dragoman.planning.embedded.lexicon import DATA, HAN, LANGUAGES, lexicon

# Letters that end a language's name when it is used as an adjective: `englischen`, `portuguesa`, `españoles`.
_ENDINGS = ("", "en", "e", "es", "er", "em", "a", "s", "as")
_SCRIPTS = (
    ("ja", r"[\u3040-\u30ff]"),
    ("ko", r"[\uac00-\ud7af]"),
    ("ru", r"[\u0400-\u04ff]"),
    ("ar", r"[\u0600-\u06ff]"),
    ("el", r"[\u0370-\u03ff]"),
    ("he", r"[\u0590-\u05ff]"),
    ("hi", r"[\u0900-\u097f]"),
    ("th", r"[\u0e00-\u0e7f]"),
)


@cache
def names() -> Mapping[str, str]:
    """Every known spelling of a language's name, folded, to its code."""
    table: dict[str, str] = {}
    for line in (DATA / "languages.txt").read_text("utf-8").splitlines():
        code, _, spellings = line.partition(":")
        for spelling in spellings.split() if not line.startswith("#") else ():
            table.setdefault(spelling, code)
    return table


@cache
def by_code() -> Mapping[str, str]:
    """By each two-letter code a name of the language that is long enough to be known as one."""
    return {code: name for name, code in list(names().items())[::-1] if len(code) == 2 and len(name) > 3}


def code_of(word: str) -> str | None:
    """The code of the language that a folded word names, or None."""
    if len(word) < 4 and not HAN.match(word):
        return None
    table = names()
    for ending in _ENDINGS:
        if word.endswith(ending) and (code := table.get(word[: len(word) - len(ending)] if ending else word)):
            return code
        if ending in ("a", "as") and word.endswith(ending):  # `portuguesa` is `português` without its accent.
            bare = word[: len(word) - len(ending)]
            if code := table.get(bare[:-2] + "ês" if bare.endswith("es") else bare + "o"):
                return code
    return None


def is_name(word: str) -> bool:
    """Whether the word is a language's name as it stands."""
    return word in names()


def near_name(word: str) -> str | None:
    """The language's name that a misspelt word most likely stands for, or None."""
    if len(word) < 6 or not word.isalpha():
        return None
    close = difflib.get_close_matches(
        word, [name for name in names() if name[0] == word[0] and len(name) > 4], n=1, cutoff=0.8
    )
    return close[0] if close else None


def written_in(text: str) -> str | None:
    """The language of a text by its script or its commonest small words; None where that doesn't tell."""
    sample = text[:400]
    for code, pattern in _SCRIPTS:
        if len(re.findall(pattern, sample)) * 4 >= len(sample.replace(" ", "")):
            return code
    if len(HAN.findall(sample)) * 3 >= len(sample.replace(" ", "")) > 0:
        return "zh"
    return _by_small_words(re.findall(r"[^\W\d_]+", sample.casefold()))


@cache
def _small_words() -> Mapping[str, frozenset[str]]:
    lines = (DATA / "small_words.txt").read_text("utf-8").splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    return {code: frozenset(words.split()) for code, _, words in rows}


def _by_small_words(words: Sequence[str]) -> str | None:
    if not words:
        return None
    scores = sorted(
        ((sum(word in small for word in words), code) for code, small in _small_words().items()), reverse=True
    )
    (most, code), (second, _) = scores[0], scores[1]
    return code if most > second else None


def is_read(language: str) -> bool:
    """Whether requests in this language are read."""
    return language in LANGUAGES and bool(lexicon(language).exact)
