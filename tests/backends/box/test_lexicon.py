"""Sentiment by rated words and rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.backends.box.lexicon import Lexicon, compound, read_lexicon

LEXICON = Lexicon(
    ratings={"good": 1.9, "great": 3.1, "bad": -2.5, "love": 3.2, "no": -1.2, "problem": -1.7, ":)": 2.0, "like": 1.5,
             "smile": 1.5, "doubt": -1.5, "horrible": -2.5},
    emoji={"😀": "broad smile"},
)  # fmt: skip


def heard(text: str) -> float:
    """How it sounds."""
    return compound(text, LEXICON)


def test_words_without_a_rating_sound_like_nothing():
    """Exactly 0, which the heads are told."""
    assert heard("The train leaves at nine.") == 0.0
    assert heard("") == 0.0


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("It is very good", "It is good"),
        ("It is good", "It is slightly good"),
        ("It is GOOD", "It is good"),
        ("It is good!!!", "It is good!"),
        ("It is good", "It is not good"),
        ("It isn't bad", "It is bad"),
        ("It was bad, but now it is good", "It is good, but it was bad"),
        ("No problem", "A problem"),
        ("Without doubt", "With doubt"),
        ("Not only good", "Not good"),
        ("It is good :)", "It is good"),
        ("It is good 😀", "It is good"),
        ("I like it", "It looks like it"),
        ("Never so good", "Never good"),
        ("At least it is no horrible thing", "A horrible thing"),
    ],
)
def test_the_words_around_a_rated_word_count(more: str, less: str):
    """Degree, capitals, exclamation, negation, contrast, emoticons, emoji."""
    assert heard(more) > heard(less)


def test_whatever_is_said_stays_between_minus_one_and_one():
    """However often."""
    assert 0.99 < heard("great " * 1000) <= 1
    assert -1 <= heard("bad " * 1000) < -0.99


def test_a_lexicon_is_read_from_lines_with_tabs(tmp_path: Path):
    """Words with ratings and more columns; emoji with names."""
    (tmp_path / "w").write_text("good\t1.9\t0.9\t[2, 1]\n:)\t2.0\t1\t[]\n", encoding="utf-8")
    (tmp_path / "e").write_text("😀\tgrinning face\n", encoding="utf-8")

    assert read_lexicon(tmp_path / "w", tmp_path / "e") == Lexicon(
        ratings={"good": 1.9, ":)": 2.0}, emoji={"😀": "grinning face"}
    )
