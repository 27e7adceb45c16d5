"""English words to the voice's phonemes."""

import json
from pathlib import Path
from typing import cast

import pytest

from dragoman.backends.box.graphemes import Speller
from dragoman.backends.box.phonemes import Phonemizer, for_voice
from dragoman.backends.box.pronunciations import Dictionaries

LETTERS = {"A": "ˈA", "B": "bˈi", "C": "sˈi", "D": "dˈi", "F": "ˈɛf", "I": "ˈI", "S": "ˈɛs", "U": "jˈu", "V": "vˈi"}
GOLD = LETTERS | {
    "the": "ði",
    "a": "A",
    "to": "tu",
    "eat": "ˈit",
    "cat": "kˈæt",
    "apple": "ˈæpᵊl",
    "no": "nˈO",
    "parking": "pˈɑɹkɪŋ",
    "over": "ˈOvəɹ",
    "bird": "bˈɜɹd",
    "go": "ɡˌO",
}


class Letters:
    """A net that says a word's letters."""

    def sounds(self, word: str) -> str:
        """The word itself, stressed."""
        return f"ˈ{word.lower()}"


@pytest.fixture
def phonemizer(tmp_path: Path) -> Phonemizer:
    """Over a small dictionary."""
    (tmp_path / "gold.json").write_text(json.dumps(GOLD))
    (tmp_path / "silver.json").write_text("{}")
    return Phonemizer(Dictionaries(tmp_path / "gold.json", tmp_path / "silver.json"), cast("Speller", Letters()))


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("the cat, the apple", "ðə kˈæt, ði ˈæpəl"),
        ("a cat to eat.", "ɐ kˈæt tʊ ˈiːt."),
        ("to the cat", "tə ðə kˈæt"),
    ],
)
def test_small_words_lean_on_the_sound_that_follows(phonemizer: Phonemizer, text: str, phonemes: str):
    """Before a vowel and before a consonant."""
    assert phonemizer.phonemes(text) == phonemes


def test_an_acronym_is_spelled_and_a_shouted_word_is_not(phonemizer: Phonemizer):
    """`FBI` among small letters; a sign all in capitals; a plural."""
    assert phonemizer.phonemes("the FBI") == "ði ˌɛfbˌiːˈaɪ"
    assert phonemizer.phonemes("NO PARKING") == "nˈoʊ pˈɑːɹkɪŋ"
    assert phonemizer.phonemes("a cat, DVDs") == "ɐ kˈæt, dˌiːvˌiːdˈiːz"


def test_an_unknown_word_goes_to_the_net_and_letters_alone_are_spelled(phonemizer: Phonemizer):
    """`zork` can be said, `svd` can't; accents don't matter; a name in humps is said hump by hump."""
    assert phonemizer.phonemes("zork") == "ˈzork"
    assert phonemizer.phonemes("svd") == "ˌɛsvˌiːdˈiː"
    assert phonemizer.phonemes("càt") == "kˈæt"
    assert phonemizer.phonemes("CatApple's") == "kˈætˈæpəlz"


def test_marks_stay_and_other_signs_go(phonemizer: Phonemizer):
    """Quotes, brackets and letters that can't be said."""
    assert phonemizer.phonemes('"no", (cat)! 猫') == "nˈoʊ, kˈæt!"


def test_something_is_always_stressed(phonemizer: Phonemizer):
    """`go` has only a weak stress in the dictionary."""
    assert phonemizer.phonemes("go") == "ɡˈoʊ"


def test_the_voice_gets_its_own_letters():
    """Diphthongs, long vowels, vowels with r."""
    assert [for_voice(GOLD[word]) for word in ("over", "bird", "parking")] == ["ˈoʊvɚ", "bˈɜːd", "pˈɑːɹkɪŋ"]
