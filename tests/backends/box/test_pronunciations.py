"""How words sound: dictionaries, endings, neighbours."""

import json
from pathlib import Path

import pytest

from dragoman.backends.box.pronunciations import Dictionaries, names, with_ed, with_ing, with_s

GOLD = {
    "cat": "kˈæt",
    "box": "bˈɑks",
    "body": "bˈɑdi",
    "make": "mˈAk",
    "stop": "stˈɑp",
    "wait": "wˈAt",
    "read": {"DEFAULT": "ɹˈid", "VBD": "ɹˈɛd", "VBN": "ɹˈɛd"},
    "object": {"DEFAULT": "ˈɑbʤəkt", "VERB": "əbʤˈɛkt"},
    "have": {"DEFAULT": "hæv", "None": "hˈæv"},
    "AM": {"DEFAULT": "æm", "NOUN": None},
}


@pytest.fixture
def dictionaries(tmp_path: Path) -> Dictionaries:
    """Two small dictionaries."""
    (tmp_path / "gold.json").write_text(json.dumps(GOLD))
    (tmp_path / "silver.json").write_text(json.dumps({"zebu": "zˈibu", "cat": "wrong"}))
    return Dictionaries(tmp_path / "gold.json", tmp_path / "silver.json")


def test_the_better_dictionary_comes_first(dictionaries: Dictionaries):
    """`cat` is in both, `zebu` in one, `gnu` in none."""
    assert [dictionaries.sounds(word) for word in ("cat", "zebu", "gnu")] == ["kˈæt", "zˈibu", ""]


@pytest.mark.parametrize(
    ("word", "sounds"),
    [
        ("cats", "kˈæts"),
        ("cat's", "kˈæts"),
        ("boxes", "bˈɑksᵻz"),
        ("bodies", "bˈɑdiz"),
        ("making", "mˈAkɪŋ"),
        ("stopped", "stˈɑpt"),
        ("waited", "wˈAɾᵻd"),
        ("waitin'", "wˈAɾɪŋ"),
    ],
)
def test_an_ending_is_added_to_its_stem(dictionaries: Dictionaries, word: str, sounds: str):
    """A dropped e, a doubled letter, y as ie, a t that is tapped."""
    assert dictionaries.sounds(word) == sounds


@pytest.mark.parametrize(
    ("before", "word", "sounds"),
    [
        ("have", "read", "ɹˈɛd"),
        ("He", "read", "ɹˈɛd"),
        ("to", "read", "ɹˈid"),
        ("the", "object", "ˈɑbʤəkt"),
        ("they", "object", "əbʤˈɛkt"),
    ],
)
def test_the_word_before_decides_between_readings(dictionaries: Dictionaries, before: str, word: str, sounds: str):
    """Verbs and nouns, present and past."""
    assert dictionaries.sounds(word, before=before) == sounds


def test_a_small_word_is_stressed_at_the_end(dictionaries: Dictionaries):
    """`I have` against `I have it`."""
    assert dictionaries.sounds("have", is_last=True) == "hˈæv"
    assert dictionaries.sounds("have") == "hæv"


def test_an_acronym_is_known_by_its_missing_noun(dictionaries: Dictionaries):
    """`AM` is spelled as a noun; `cat` is none."""
    assert dictionaries.is_acronym("AM")
    assert not dictionaries.is_acronym("cat")


def test_endings_follow_the_sound_before():
    """Voiced, voiceless, hissing, and after t or d."""
    assert [with_s(sounds) for sounds in ("dˈɔɡ", "kˈæt", "bˈʌs")] == ["dˈɔɡz", "kˈæts", "bˈʌsᵻz"]
    assert [with_ed(sounds) for sounds in ("plˈA", "wˈɔk", "nˈid")] == ["plˈAd", "wˈɔkt", "nˈidᵻd"]
    assert with_ing("sˈɪt") == "sˈɪɾɪŋ"


def test_our_own_names_are_written_in_the_dictionaries_alphabet():
    """One stress or two, and no letter that the voice could not be given."""
    alphabet = set("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻɐbdfhjklmnpstvwzðŋɡɹɾʃʒθʤʧᵊˈˌ")

    assert all(set(sounds) <= alphabet and "ˈ" in sounds for sounds in names().values())
