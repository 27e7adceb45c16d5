"""Questions to a text, without weights."""

from __future__ import annotations

import pytest

from dragoman.backends.base import Produced
from dragoman.backends.box.question_answering import WordAnswering, shared
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard

CARD = ModelCard(id="answers-words", tasks=("question-answering",), description="", license="")
TEXT = "HARBOUR\n\nThe museum opened in May 1994.\nIts founder, Elena Duarte, was a\ndiver. It is closed on Mondays."


def run(question: str, context: str = TEXT) -> list[Produced]:
    """One call."""
    expert = WordAnswering(card=CARD, files={}, threads=1)
    args = {"text": question, "context": context}
    return expert.run(task="question-answering", args=args, tell=lambda done, says: None)


def test_the_answer_comes_with_its_sentence_and_place():
    """The place is that of the short answer in the text as it was given."""
    text, span = run("Who was the founder?")

    assert text.text == "Elena Duarte (“Its founder, Elena Duarte, was a diver.”)"
    assert span.data["answer"] == "Elena Duarte"
    assert span.data["sentence"] == "Its founder, Elena Duarte, was a diver."
    assert TEXT[span.data["start"] : span.data["end"]] == "Elena Duarte"
    assert 0 <= span.data["score"] <= 1


def test_a_sentence_that_starts_with_a_pronoun_speaks_of_the_one_before():
    """The founder's sentence says "its", and the museum stands in front of it."""
    assert shared("museum", ["The museum opened.", "It is big.", "Dogs bark."]) == [1.0, 0.5, 0.0]


def test_a_question_that_the_text_does_not_answer_is_refused():
    """Rather than answered with the least unlikely sentence."""
    with pytest.raises(ExpertError, match="no sentence of the text seems to answer"):
        run("What is the capital of Mongolia?")


def test_a_question_without_a_text_is_refused():
    """Both must say something."""
    with pytest.raises(ExpertError, match="`context` must be words"):
        run("Who?", context="")
