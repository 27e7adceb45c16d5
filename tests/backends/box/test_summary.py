"""Extractive summaries, without weights."""

from __future__ import annotations

import pytest

from dragoman.backends.base import Produced
from dragoman.backends.box.sentences import split
from dragoman.backends.box.summary import WordSummary, is_fragment, joined, likely
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard

CARD = ModelCard(id="summary-words", tasks=("summarization",), description="", license="")
TEXT = (
    "The station\n\nThe space station will be brought down in 2030. A vehicle will push the space station into the sea."
    " My aunt likes tea. The vehicle is built by a company that also flies crews to the space station. Hello there!"
)


def summary(text: str, **args: object) -> str:
    """What the expert without weights makes of it."""
    (output,) = run(text, **args)
    assert (output.name, output.kind) == ("text", "text")
    return output.text or ""


def run(text: str, **args: object) -> list[Produced]:
    """One call."""
    expert = WordSummary(card=CARD, files={}, threads=1)
    return expert.run(task="summarization", args={"text": text, **args}, tell=lambda done, says: None)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_as_many_sentences_as_wanted_word_for_word_in_order(count: int):
    """Not one more, not one less, none changed."""
    kept = split(summary(TEXT, sentences=count))

    assert len(kept) == count
    places = [split(TEXT).index(sentence) for sentence in kept]
    assert places == sorted(places)


def test_three_sentences_unless_told():
    """The stray ones are not among them."""
    found = summary(TEXT)

    assert len(split(found)) == 3
    assert "aunt" not in found
    assert "Hello" not in found


def test_a_short_text_comes_back_whole():
    """Fewer sentences than wanted are no failure; breaks inside a sentence become spaces."""
    assert summary("One thing is\ntrue. Another is not.", sentences=9) == "One thing is true. Another is not."


def test_text_in_wide_writing_is_joined_without_spaces():
    """Chinese needs none."""
    assert joined(["第一句。", "第二句！"]) == "第一句。第二句！"
    assert joined(["One.", "Two."]) == "One. Two."


def test_headings_and_cries_are_fragments():
    """Too short, or without an end."""
    assert is_fragment("The station")
    assert is_fragment("Hello there!")
    assert not is_fragment("My aunt likes tea.")
    assert not is_fragment("我们去银行。")


def test_a_wrong_count_is_refused():
    """With what came."""
    with pytest.raises(ExpertError, match="`sentences` must be a whole number from 1 on, `none` came"):
        run(TEXT, sentences="none")


def test_a_long_text_is_thinned_by_its_words():
    """What shares no word with the rest goes first; the order stays."""
    sentences = [f"The station sends report {at % 7} to the engineers." for at in range(50)]
    sentences[20] = "Bananas ripen quickly."

    kept = likely(sentences, count=30)

    assert len(kept) == 30
    assert "Bananas ripen quickly." not in kept
    assert likely(sentences, count=50) == sentences
