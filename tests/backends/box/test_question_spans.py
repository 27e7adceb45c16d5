"""The few words that answer are found by what is asked and how the sentence is built."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.question_spans import key_value, lemma, lemmas, span_of


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Why is the road shut?", "The road is shut because a tree has fallen.", "a tree has fallen"),
        ("Who opened the shop?", "Ada Berg opened the shop in 1902.", "Ada Berg"),
        ("Who opened the shop?", "It was opened by two French bakers in 1902.", "two French bakers"),
        ("Who did he marry?", "There he met Ada Berg, whom he married in May.", "Ada Berg"),
        ("Which ocean lies to the west?", "To the west lies the Atlantic Ocean.", "Atlantic Ocean"),
        ("Which piece moves sideways?", "A rook is the piece that moves sideways.", "rook"),
        (
            "What did they build?",
            "In 1910 they built a small wooden bridge, which still stands.",
            "a small wooden bridge",
        ),
        ("What is it made from?", "It is made from roasted beans.", "roasted beans"),
        ("How many rooms are there?", "The house has 3 floors and twelve rooms.", "twelve"),
        ("How old is the oak?", "The oak is 1,200 years old.", "1,200"),
        ("When was it built?", "It was built from 1887 to 1889.", "1887 to 1889"),
        ("When was the village founded?", "The village was founded in 930.", "930"),
        ("How did he die?", "He died in a storm at sea in 1906.", "in a storm at sea"),
        ("How should it be kept?", "It should be kept in a dry place.", "kept in a dry place"),
        ("What is the capital?", "Its capital is Oslo, where a third of them live.", "Oslo"),
        ("What is the e-mail address?", "Write to ada@example.org for help.", "ada@example.org"),
        ("What was the dog's name?", "A dog called Rex barked.", "Rex"),
        ("When does it close?", "It is open from 9 a.m. to 5 p.m. on Mondays.", "5 p.m."),
    ],
)
def test_short_answers_are_cut_out(question: str, sentence: str, answer: str):
    """One for each way of asking."""
    span = span_of(question, sentence)

    assert span is not None
    assert sentence[slice(*span)] == answer


def test_no_rule_means_the_whole_sentence():
    """Nothing is cut where nothing tells."""
    assert span_of("And then?", "The rain stopped.") is None


@pytest.mark.parametrize(
    ("words", "same"),
    [("married", "marry"), ("grown", "grows"), ("countries", "country"), ("built", "building"), ("stopped", "stop"),
     ("died", "die")],
)  # fmt: skip
def test_forms_of_a_word_are_alike(words: str, same: str):
    """Irregular ones too."""
    assert lemma(words) == lemma(same)


def test_names_keep_their_form():
    """The Chrysler Building has nothing to do with building."""
    assert lemmas("They saw the Chrysler Building") == ["they", "see", "chrysler", "building"][1:]


def test_a_key_is_told_from_a_sentence():
    """Up to the colon."""
    assert key_value("Office hours: Mondays") == ("Office hours", (14, 21))
    assert key_value("We came. Then: nothing") is None


@given(st.text(max_size=60), st.text(max_size=80))
def test_any_span_lies_in_the_sentence(question: str, sentence: str):
    """Whatever is asked."""
    span = span_of(question, sentence)

    assert span is None or 0 <= span[0] < span[1] <= len(sentence)
