"""English text to phonemes, as the voice was taught them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.backends.box.graphemes import Speller
from dragoman.backends.box.pronunciations import STRESSES, VOWELS, Dictionaries, with_s

MARKS = ",.;:!?"
_TOKEN = re.compile(rf"[^\W\d_]+(?:'[^\W\d_]+)*'?|[{MARKS}]")
_MOSTLY = 0.6
_LONGEST_ACRONYM = 5
# The dictionary's letters for the voice's: its diphthongs, affricates and long vowels.
_LETTERS = {
    "A": "eɪ", "I": "aɪ", "O": "oʊ", "Q": "əʊ", "W": "aʊ", "Y": "ɔɪ", "ʤ": "dʒ", "ʧ": "tʃ", "ᵊ": "ə", "T": "ɾ",
    "g": "ɡ", "ɑ": "ɑː", "ɔ": "ɔː", "u": "uː",
}  # fmt: skip
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONG_I = re.compile(rf"([{STRESSES}][^{STRESSES}{''.join(VOWELS)}]*)i")
_SCHWA_R = re.compile(r"əɹ(?=[^AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐ]|$)")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Token:
    text: str
    before: str
    after: str

    @property
    def is_last(self) -> bool:
        return not self.after or self.after in MARKS


class Phonemizer:
    """Words to phonemes by the dictionaries, else by the net for unknown words."""

    def __init__(self, dictionaries: Dictionaries, speller: Speller) -> None:
        self._dictionaries = dictionaries
        self._speller = speller

    def phonemes(self, text: str) -> str:
        """The phonemes of `text` (words only, as `reading.as_read` leaves them), marks kept, words apart."""
        tokens = list(_tokens(text))
        is_shouted = _is_shouted(text)
        said: list[str] = []
        follows = ""
        for token in reversed(tokens):
            sounds = token.text if token.text in MARKS else self._word(token, is_shouted=is_shouted, follows=follows)
            said.append(sounds)
            follows = sounds.lstrip(STRESSES)[:1]
        joined = _joined(reversed(said))
        return joined if "ˈ" in joined else joined.replace("ˌ", "ˈ", 1)

    def _word(self, token: _Token, *, is_shouted: bool, follows: str) -> str:
        """for_voice phonemes of one word. follows: the first sound of the next word, a mark, or nothing."""
        word = token.text
        weak = _weak_form(word, follows=follows)
        if weak:
            return for_voice(weak)
        return for_voice(self._known(token, is_shouted=is_shouted) or self._built(word))

    def _known(self, token: _Token, *, is_shouted: bool) -> str:
        word, low = token.text, token.text.lower()
        if word.isupper() and len(word) > 1 and not is_shouted and self._is_spelled(word):
            return self._spelled(word)
        for form in dict.fromkeys((word, low, low.capitalize(), _plain(word), _plain(low))):
            if found := self._dictionaries.sounds(form, before=token.before, is_last=token.is_last):
                return found
        return ""

    def _is_spelled(self, word: str) -> bool:
        if self._dictionaries.is_acronym(word):
            return True
        has_no_vowel = not set(word) & set("AEIOUY")
        is_unknown = not self._dictionaries.knows(word) and not self._dictionaries.knows(word.lower())
        return not self._dictionaries.knows(word) and (has_no_vowel or (is_unknown and len(word) <= _LONGEST_ACRONYM))

    def _built(self, word: str) -> str:
        """What no dictionary holds: a possessive, plural capitals (`DVDs`), else the net, else letter by letter."""
        stem = word.removesuffix("'s").removesuffix("s'").rstrip("'")
        if stem != word and stem:
            known = self._known(_Token(text=stem, before="", after="x"), is_shouted=False) or self._built(stem)
            return with_s(known) if known and word.endswith(("'s", "s'")) else known
        if len(word) > 2 and word.endswith("s") and word[:-1].isupper():
            return with_s(self._spelled(word[:-1]))
        humps = _HUMP.sub(" ", word).split()
        if len(humps) > 1:
            parts = [_Token(text=hump, before="", after="x") for hump in humps]
            return "".join(self._known(part, is_shouted=False) or self._built(part.text) for part in parts)
        plain = _plain(word)
        can_be_said = plain.isascii() and bool(set(plain.lower()) & set("aeiouy"))
        return (self._speller.sounds(plain) if can_be_said else "") or self._spelled(word)

    def _spelled(self, word: str) -> str:
        """The names of the letters, the last one stressed."""
        letters = [letter for letter in _plain(word).upper() if letter.isascii() and letter.isalpha()]
        names = [self._dictionaries.sounds(letter) for letter in letters]
        return "".join([name.replace("ˈ", "ˌ") for name in names[:-1]] + names[-1:])


def for_voice(sounds: str) -> str:
    """The dictionary's phonemes in the voice's alphabet (that of eSpeak's `en-us`)."""
    sounds = _LONG_I.sub(r"\1iː", sounds)
    sounds = _SCHWA_R.sub("ɚ", sounds).replace("ɜɹ", "ɜː")
    return "".join(_LETTERS.get(sound, sound) for sound in sounds)


def _weak_form(word: str, *, follows: str) -> str:
    """`a`, `the`, `to` and `an` as they sound inside a sentence."""
    is_before_vowel = follows in VOWELS if follows else False
    is_inside = bool(follows) and follows not in MARKS
    if word in {"a", "A"}:
        return "ɐ" if is_inside and (word == "a" or not is_before_vowel) else ""
    if word.lower() == "an" and is_inside:
        return "ɐn"
    if word.lower() == "the":
        return "ði" if is_before_vowel else "ðə"
    if word.lower() == "to" and is_inside:
        return "tʊ" if is_before_vowel else "tə"
    return ""


def _tokens(text: str) -> Iterator[_Token]:
    found = _TOKEN.findall(text)
    for before, word, after in zip(["", *found], found, [*found[1:], ""], strict=False):
        yield _Token(text=word, before="" if before in MARKS else before, after=after)


def _is_shouted(text: str) -> bool:
    """Whether capitals are only the way it is written (a sign, a headline), so that they spell no acronym."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 1]
    return len(words) > 1 and sum(word.isupper() for word in words) > _MOSTLY * len(words)


def _plain(word: str) -> str:
    """`word` without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


def _joined(said: Iterator[str]) -> str:
    joined = " ".join(sounds for sounds in said if sounds)
    return re.sub(rf" (?=[{MARKS}])", "", joined)
