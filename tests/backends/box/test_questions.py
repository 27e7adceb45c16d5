"""Questions to texts: the sentence that says it, the words in it, and nothing where the text does not say it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dragoman.backends.base import Adapter
from dragoman.backends.box.questions import answer_in, is_of_namesake, names_a_stranger, shared_lemmas, units
from dragoman.errors import ExpertError
from dragoman.models import box
from dragoman.models.fetch import ModelStore
from dragoman.registry import load

FOLDER = Path(__file__).parent / "texts"
LONGER = 25  # letters that an answer may have beside the words wanted
Ask = Callable[[str, str], tuple[str, dict[str, Any]]]


@cache
def expert(home: Path) -> Adapter:
    card = next(card for card in box.cards() if card.id == "text-answers")
    return load(card.adapter)(card=card, files=ModelStore(home).files_of(card), threads=1)


@pytest.fixture
def ask(weights_home: Path) -> Ask:
    """Words of the answer, and its span."""

    def call(question: str, context: str) -> tuple[str, dict[str, Any]]:
        args = {"text": question, "context": context}
        text, span = expert(weights_home).run(task="question-answering", args=args, tell=lambda done, says: None)
        assert (text.name, span.name) == ("text", "span")
        return text.text or "", span.data

    return call


@pytest.mark.box
@pytest.mark.parametrize(
    ("file", "answers", "sentences", "refusals"),
    [("questions.tsv", 46, 47, 4), ("unseen.tsv", 25, 25, 2), ("fresh.tsv", 11, 13, 1)],
)
def test_questions_to_texts_are_answered(ask: Ask, file: str, answers: int, sentences: int, refusals: int):
    """Of 50, 27 and 13: the short answer; the sentence. Of 4, 3 and 2 that the text does not answer: no words."""
    right = {"answer": 0, "sentence": 0, "refusal": 0}
    for line in FOLDER.joinpath(file).read_text(encoding="utf-8").splitlines()[1:]:
        name, question, wanted, said = line.split("\t")
        context = FOLDER.joinpath(f"{name}.txt").read_text(encoding="utf-8")
        _, span = ask(question, context)
        answer = span["answer"]
        assert " ".join(context[span["start"] : span["end"]].split()) == answer
        if wanted == "-":
            right["refusal"] += not answer
            continue
        right["answer"] += wanted.lower() in answer.lower() and len(answer) < len(wanted) + LONGER
        right["sentence"] += said.lower() in span["sentence"].lower()

    assert right["answer"] >= answers
    assert right["sentence"] >= sentences
    assert right["refusal"] >= refusals


@pytest.mark.box
def test_the_sentence_is_shown_beside_the_words(ask: Ask):
    """So that a wrong pick can be seen."""
    text, span = ask("When did the ship sink?", "The ship left in May. It sank on 3 June 1911 near Bergen.")

    assert text == "3 June 1911 (“It sank on 3 June 1911 near Bergen.”)"
    assert 0 < span["score"] <= 1


@pytest.mark.box
def test_what_the_text_does_not_say_has_no_words(ask: Ask):
    """And a low score."""
    text, span = ask("What is the price of the ticket?", "Bees live in colonies. The queen lays eggs.")

    assert text == ""
    assert (span["answer"], span["start"], span["end"]) == ("", 0, 0)
    assert span["score"] < 0.34


@pytest.mark.box
def test_an_empty_context_is_refused(ask: Ask):
    """In one line."""
    with pytest.raises(ExpertError, match="`context` must be words"):
        ask("Who?", "  ")


def test_lines_with_keys_are_units_of_their_own():
    """A list of contacts is no sentence."""
    text = "Come and see us soon.\n\nOffice hours: Mondays\nPhone: 555-0188\nContact: ada@example.org"

    assert [text[start:end] for start, end in units(text)][1:] == [
        "Office hours: Mondays", "Phone: 555-0188", "Contact: ada@example.org",
    ]  # fmt: skip
    assert answer_in("What is the phone number?", "Phone: 555-0188") == (7, 15)


def test_a_pronoun_carries_on_what_was_said():
    """`It sank` is about the ship of the sentence before."""
    with_pronoun = shared_lemmas("When did the ship sink?", ["The ship left.", "It was May.", "Bells rang."])
    without = shared_lemmas("When did the ship sink?", ["The ship left.", "Rain fell.", "Bells rang."])

    assert with_pronoun[1] > without[1] == 0


@pytest.mark.parametrize(
    ("question", "expected"),
    [("Who is the mayor of Oslo?", True), ("What is the capital of Norway?", False), ("Where is Oslo?", False)],
)
def test_a_role_that_nobody_has_in_the_text_is_a_stranger(question: str, expected: bool):
    """The text names a capital and no mayor."""
    assert names_a_stranger(question, ["Oslo is the capital of Norway.", "It is old."]) is expected


def test_a_namesake_is_somebody_else():
    """Pierre is not Marie; a last name alone may be either."""
    assert is_of_namesake("Where did Marie Curie die?", "Pierre Curie died in 1906.")
    assert not is_of_namesake("Where did Marie Curie die?", "Marie Curie met Pierre Curie.")
    assert not is_of_namesake("Where did Curie die?", "Pierre Curie died in 1906.")
