"""Later turns: what pronouns and nouns mean after earlier ones, and the same again for something new."""

from __future__ import annotations

from typing import Any

import pytest

ASR, NER, OCR = "automatic-speech-recognition", "token-classification", "optical-character-recognition"


def poster(kit: Any) -> list[Any]:
    """A picture, its text, the people in it."""
    text = kit.resource("ocr.txt", text="Ann met Bob", made_by=OCR)
    lines = kit.resource("lines.json", data=[], made_by=OCR)
    people = kit.resource("entities.json", data=[], made_by=NER)
    return [
        kit.turn(
            "What is in this picture?",
            asked=["poster.png"],
            tasks=[kit.task("image-classification", image="poster.png")],
        ),
        kit.turn("What's written on it?", made=[text, lines], tasks=[kit.task(OCR, image="poster.png")]),
        kit.turn("Who is named there?", made=[people], tasks=[kit.task(NER, text="ocr.txt")]),
    ]


@pytest.mark.parametrize(
    ("turns", "words", "name", "args"),
    [
        (1, "What does it say?", OCR, {"image": "poster.png"}),
        (1, "How many people are in it?", "object-detection", {"image": "poster.png"}),
        (2, "Which people does it mention?", NER, {"text": "ocr.txt"}),
        (2, "Now translate it to German", "translation", {"text": "ocr.txt", "target": "de"}),
        (2, "Is it positive or negative?", "text-classification", {"text": "ocr.txt"}),
        (3, "Say their names", "text-to-speech", {"text": "entities.json#PERSON"}),
        (3, "And the places, aloud?", "text-to-speech", {"text": "entities.json#GPE"}),
        (3, "Read the whole text aloud", "text-to-speech", {"text": "ocr.txt"}),
    ],
)
def test_words_mean_what_earlier_turns_left(kit: Any, turns: int, words: str, name: str, args: dict[str, str]):
    planned = kit.ask(words, history=poster(kit)[:turns])

    assert kit.tasks_of(planned) == [name]
    assert kit.args_of(planned, name) == args


def test_a_text_that_was_heard_before_is_not_heard_again(kit: Any):
    text = kit.resource("talk.txt", text="hello", made_by=ASR)
    before = kit.turn("Transcribe talk.wav", asked=["talk.wav"], made=[text], tasks=[kit.task(ASR, audio="talk.wav")])

    planned = kit.ask("Was what he said positive?", history=[before])

    assert kit.args_of(planned, "text-classification") == {"text": "talk.txt"}
    assert kit.tasks_of(planned) == ["text-classification"]


def test_the_article_is_not_its_summary(kit: Any):
    summary = kit.resource("summary.txt", text="short", made_by="summarization")
    before = kit.turn("Summarize article.txt", asked=["article.txt"], made=[summary])

    assert kit.args_of(kit.ask("Who is named in the article?", history=[before]), NER) == {"text": "article.txt"}
    assert kit.args_of(kit.ask("Read it to me", history=[before]), "text-to-speech")["text"] == "summary.txt"


@pytest.mark.parametrize(
    "words", ["And in this one?", "The same for this one.", "Now this one too", "What about dogs.jpg?"]
)
def test_the_same_again_for_a_new_picture(kit: Any, words: str):
    before = kit.turn("How many cats?", asked=["cats.jpg"], tasks=[kit.task("object-detection", image="cats.jpg")])

    assert kit.args_of(kit.ask(words, "dogs.jpg", history=[before]), "object-detection") == {"image": "dogs.jpg"}


def test_the_same_again_for_several_is_one_plan_each(kit: Any):
    before = kit.turn("How many cats?", asked=["cats.jpg"], tasks=[kit.task("object-detection", image="cats.jpg")])

    planned = kit.ask("The same for these", "x.jpg", "y.jpg", history=[before])

    assert [t.args["image"].name for t in planned.plan.tasks] == ["x.jpg", "y.jpg"]


def test_again_without_anything_before_is_refused(kit: Any):
    assert kit.ask("The same as last time.", "talk.wav").fault is not None


def test_a_new_file_comes_before_what_was(kit: Any):
    planned = kit.ask("What does this one say?", "sign.jpg", history=poster(kit))

    assert kit.args_of(planned, OCR) == {"image": "sign.jpg"}
