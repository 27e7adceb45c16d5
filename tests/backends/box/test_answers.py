"""Questions: those that evidence answers, and those that it must refuse."""

from __future__ import annotations

from typing import Any

import pytest

from dragoman.backends.box.answers import answer, looked_for
from dragoman.backends.box.boxes import Found
from dragoman.backends.box.evidence import Evidence
from dragoman.errors import ExpertError

KNOWN = {
    "cat": "animal", "dog": "animal", "cup": "thing", "person": "person", "car": "vehicle", "lion": "animal",
    "dining table": "thing", "hot dog": "food",
}  # fmt: skip
LABELS = [
    {"label": "tabby cat", "score": 0.6, "group": "cat", "group_score": 0.8, "kind": "animal"},
    {"label": "tiger cat", "score": 0.2, "group": "cat", "group_score": 0.8, "kind": "animal"},
]
FOUND = [
    Found(label="cat", score=0.9, box=(0, 0, 100, 100)),
    Found(label="cat", score=0.7, box=(300, 0, 400, 100)),
    Found(label="cup", score=0.5, box=(180, 130, 220, 170)),
]


def scene(**changes: Any) -> Evidence:
    """Two cats and a cup in a brown picture of 400 x 300 that says EXIT."""
    measured: dict[str, Any] = {
        "width_px": 400, "height_px": 300, "labels": LABELS, "name": "cat", "kind": "animal", "score": 0.8,
        "found": FOUND, "colours": [("brown", 0.8)], "box_colours": [[("grey", 0.9)], [("white", 0.9)], [("red", 0.9)]],
        "text": "EXIT", "can_count": True, "known": KNOWN,
    }  # fmt: skip
    return Evidence(**{**measured, **changes})


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("How many cats are there?", "I found 2 cats (70% to 90%)."),
        ("how many kittens", "I found 2 cats (70% to 90%)."),
        ("Count the cups please", "I found 1 cup (50%)."),
        ("How many animals do you see?", "I found 2 cats (70% to 90%)."),
        ("How many dogs are there?", "I found no dogs in it, but 2 cats and a cup."),
        ("How many objects are there?", "I found 3 things: 2 cats and 1 cup."),
        ("Is there a dog in the picture?", "No, I found no dogs in it, but 2 cats and a cup."),
        ("Is this a cat?", "Yes, I found 2 cats (70% to 90%)."),
        ("Can you see any people?", "No, I found no people in it, but 2 cats and a cup."),
        ("What animal is this?", "It looks like a cat (90%), most like a tabby cat (60%)."),
        ("Which vehicle is it?", "I found no vehicle in it."),
        ("What breed of cat is it?", "Most like a tabby cat (60%), then a tiger cat (20%)."),
        ("What colour is the cup?", "Where the cup is, the colours are mostly red."),
        ("What are the main colors?", "Its colours are mostly brown."),
        ("What does the sign say?", "It says “EXIT”."),
        ("Where is the cup?", "I found a cup in the middle."),
        ("Where are the cats?", "I found a cat at the top left and a cat at the top right."),
    ],
)
def test_what_the_evidence_holds_is_answered(question: str, says: str):
    """Counts, presence, kinds, colours, words, places."""
    assert answer(question, scene()) == says


@pytest.mark.parametrize(
    "question",
    [
        "What is the man doing?", "Who is this?", "How many women are there?", "How many windows are there?",
        "Why is the cat sad?", "Is it sunny?", "What is on the table?", "How old is the person?", "猫在哪里？", "?", "",
    ],
)  # fmt: skip
def test_what_it_does_not_hold_is_refused(question: str):
    """No guess: the refusal says what can be answered."""
    with pytest.raises(ExpertError, match="can't answer") as caught:
        answer(question, scene())

    assert "how many there are of a thing" in caught.value.helps


def test_a_map_alone_does_not_count():
    """Without a detector "how many" is refused rather than answered with one."""
    with pytest.raises(ExpertError, match="can't answer"):
        answer("How many cats are there?", scene(can_count=False))


def test_general_questions_get_the_caption():
    """What is this? What it shows."""
    assert answer("What is in this picture?", scene()).startswith("The picture shows 2 cats (up to 90%) and a cup")


def test_an_unsure_class_is_called_a_guess():
    """No animal was found, but the classifier leans to one."""
    said = answer("What animal is this?", scene(found=[], box_colours=[], score=0.35))

    assert said == "I am not sure: the nearest guess is a cat (35%)."


def test_a_caption_can_look_for_something():
    """A named thing is found or not; words that name nothing add nothing."""
    assert looked_for("the dogs", scene()).startswith("No, I found no dogs")
    assert looked_for("in detail", scene()) == ""
