"""The words that the planner knows: what each stands for, read from the `.words` files in `data`.

A line is `@concept #kind >task: word word_of_two_parts stem*`. The `@concept` stands for what the word means, `#kind`
for the kind of resource that it names, `>task` for the task whose product it names, a plain word for the English word
that it is the same as (so that English cues hold for it too). Sections tell the class of the words.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
LANGUAGES = ("en", "de", "pt", "es", "fr", "zh")
HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")

Symbols = frozenset[str]


@dataclass(slots=True)
class Lexicon:
    """One language's words: `exact` by word, `stems` by beginning, `phrases` by first word."""

    language: str
    exact: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    stems: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    phrases: dict[str, list[tuple[tuple[str, ...], Symbols]]] = field(
        default_factory=dict[str, list[tuple[tuple[str, ...], Symbols]]]
    )
    longest: int = 1

    def symbols(self, word: str) -> Symbols:
        """What a single word stands for; empty when it isn't known."""
        found = self.exact.get(word)
        if found is not None:
            return frozenset(found)
        for length in range(len(word), 2, -1):
            stem = self.stems.get(word[:length])
            if stem is not None:
                return frozenset(stem)
        return frozenset()

    def phrases_at(self, words: list[str], at: int) -> Iterator[tuple[int, Symbols]]:
        """The phrases that begin at position `at`, as (how many words, symbols)."""
        for rest, symbols in self.phrases.get(words[at], ()):
            if len(words) - at > len(rest) and all(_fits(words[at + 1 + i], part) for i, part in enumerate(rest)):
                yield len(rest) + 1, symbols


def _fits(word: str, part: str) -> bool:
    return word.startswith(part[:-1]) if part.endswith("*") else word == part


@cache
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language, read once."""
    made = Lexicon(language=language)
    for section, symbols, entries in _lines((DATA / f"{language}.words").read_text("utf-8")):
        for entry in entries:
            _add(made, entry, symbols, section)
    made.longest = max((len(word) for word in made.exact), default=1)
    return made


def _lines(text: str) -> Iterator[tuple[str, tuple[str, ...], list[str]]]:
    """(section, symbols, entries) of every line that says something."""
    section = ""
    for raw in text.splitlines():
        line = raw.partition("# ")[0].strip() if not raw.startswith("#") else ""
        if line.startswith("["):
            section = line.strip("[]")
        elif line:
            head, _, tail = line.partition(":")
            yield section, tuple(head.split()), tail.split()


def _add(made: Lexicon, entry: str, symbols: tuple[str, ...], section: str) -> None:
    base = {*symbols, f"%{section}", *({entry} if "_" in entry else ())}
    parts = [part for word in entry.split("_") for part in _SHORT.sub(r"\1 \2", word).split()]
    if len(parts) > 1:
        firsts = _forms(parts[0], made.language) if section == "actions" else (parts[0],)
        for first in firsts:
            meant = frozenset(base | _verb(section, first == parts[0]))
            for last in _plurals(parts[-1], made.language) if section == "things" else (parts[-1],):
                made.phrases.setdefault(first, []).append(((*parts[1:-1], last), meant))
        return
    if entry.endswith("*"):
        made.stems.setdefault(entry[:-1], set()).update(base | _verb(section, is_base=True))
        return
    forms = {"actions": _forms, "things": _plurals}.get(section)
    for form in forms(entry, made.language) if forms else (entry,):
        made.exact.setdefault(form, set()).update(base | _verb(section, form == entry))
        if section == "things" and form != entry:
            made.exact[form] |= {"%plural", *(f"{symbol}s" for symbol in symbols if symbol[0] == "@")}


def _verb(section: str, is_base: bool) -> set[str]:
    return {"%verb"} if section == "actions" and is_base else set()


# `what's` is two words in running text, so it is in phrases.
_SHORT = re.compile(r"^(what|who|where|how|when|that|it|there|he|she|here)('s|'re)$")
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdgmnprt]$")


def _forms(word: str, language: str) -> tuple[str, ...]:
    """The usual English endings of a word; other languages list theirs or use stems."""
    if language != "en" or not word.isascii() or not word.isalpha():
        return (word,)
    stem = word[:-1] if word.endswith("e") else word
    forms = [word, word + "s", word + ("d" if word.endswith("e") else "ed"), stem + "ing"]
    if word.endswith(("s", "x", "ch", "sh")):
        forms.append(word + "es")
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        forms += [word[:-1] + "ies", word[:-1] + "ied"]
    if _DOUBLED.search(word):
        forms += [word + word[-1] + "ed", word + word[-1] + "ing"]
    if word.endswith("ise"):
        forms += [form[: len(word) - 3] + "iz" + form[len(word) - 1 :] for form in forms]
    return tuple(forms)


def _plurals(word: str, language: str) -> tuple[str, ...]:
    """A thing's word and its English plural."""
    if language != "en" or not word.isascii() or not word.isalpha():
        return (word,)
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return (word, word[:-1] + "ies")
    return (word, word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s"))


def near(word: str, language: str) -> str | None:
    """The known word that a misspelt one most likely stands for, or None."""
    if not word.isalpha() or len(word) < 3 or word in plain_words():
        return None
    known = lexicon(language).exact
    if (
        language == "en"
        and word.endswith(("er", "ers"))
        and {word.removesuffix("s")[:-2], word.removesuffix("s")[:-1]} & known.keys()
    ):
        return None  # `reader` is no slip of `reads`.
    slipped = next((made for made in _slips(word) if made in known), None)
    if slipped is not None or len(word) < 5:
        return slipped
    most = 1 if len(word) < 9 else 2
    letters = _letters(word)
    best: tuple[int, str] | None = None
    for other, other_letters in _by_initial(language).get(word[0], ()):
        if abs(len(other) - len(word)) > most or (letters ^ other_letters).bit_count() > 2 * most:
            continue
        steps = _distance(word, other, most=most)
        if steps <= most and (best is None or steps < best[0]):
            best = (steps, other)
    return best[1] if best else None


def _slips(word: str) -> Iterator[str]:
    """The word with two neighbours swapped; from four letters on also with a letter more behind its first."""
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if len(word) > 4:
        for at in range(1, len(word)):
            yield word[:at] + word[at + 1 :]
    if len(word) > 3:
        for at in range(1, len(word) + 1):
            for letter in string.ascii_lowercase:
                yield word[:at] + letter + word[at:]
            if word[at - 1] in "aeiou" and at > 1:
                for letter in "aeiou":
                    yield word[: at - 1] + letter + word[at:]


@lru_cache(maxsize=1)
def plain_words() -> frozenset[str]:
    """Common words that lie near a cue word and mean themselves."""
    return frozenset((DATA / "plain.txt").read_text("utf-8").split())


def _letters(word: str) -> int:
    """The set of a word's letters as bits: words whose sets differ much needn't be compared."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 31)
    return bits


@cache
def _by_initial(language: str) -> Mapping[str, list[tuple[str, int]]]:
    table: dict[str, list[tuple[str, int]]] = {}
    for word, symbols in lexicon(language).exact.items():
        if len(word) >= 5 and symbols & {"%actions", "%things"}:
            table.setdefault(word[0], []).append((word, _letters(word)))
    return table


def _distance(one: str, other: str, *, most: int) -> int:
    """Insertions, deletions, changes and swaps of neighbours between two words, counted up to `most`."""
    before, last = [], list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[-1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return last[-1]
