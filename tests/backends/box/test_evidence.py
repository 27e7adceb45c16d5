"""Captions say what was measured, and no more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dragoman.backends.box.boxes import Found
from dragoman.backends.box.evidence import Evidence, caption, colour_words, quoted

TABBY = {"label": "tabby cat", "score": 0.6, "group": "cat", "group_score": 0.9, "kind": "animal"}


def evidence(*found: Found, **changes: Any) -> Evidence:
    """A brown picture of 400 x 300 that a classifier takes for a cat."""
    measured: dict[str, Any] = {
        "width_px": 400, "height_px": 300, "labels": [TABBY], "name": "cat", "kind": "animal", "score": 0.9,
        "found": found, "colours": [("brown", 0.7), ("grey", 0.2)], "box_colours": [[("grey", 1.0)]] * len(found),
        "text": "", "can_count": True, "known": {"cat": "animal", "dog": "animal", "cup": "thing"},
    }  # fmt: skip
    return Evidence(**{**measured, **changes})


def cat(*box: float, score: float = 0.8) -> Found:
    left, top, right, bottom = box
    return Found(label="cat", score=score, box=(left, top, right, bottom))


def test_a_caption_names_places_and_colours():
    """One cat on the left; its breed, since the classifier is sure of it."""
    assert caption(evidence(cat(0, 100, 120, 220))) == (
        "The picture shows a cat (80%) on the left, most like a tabby cat (60%). "
        "Its colours are mostly brown, some grey."
    )


def test_several_of_a_kind_are_counted():
    """No breed then: the classifier saw the picture as one."""
    said = caption(evidence(cat(0, 0, 50, 50), cat(300, 200, 400, 300, score=0.5)))

    assert said.startswith("The picture shows 2 cats (up to 80%).")


def test_without_boxes_the_class_is_named():
    """The classifier alone, with its score."""
    assert caption(evidence()).startswith("The picture shows a cat (90%), most like a tabby cat (60%).")


@pytest.mark.parametrize(
    ("score", "says"),
    [
        (0.4, "The picture shows nothing that I can name with confidence; the nearest guess is a cat (40%)."),
        (0.1, "The picture shows nothing that I can name with confidence."),
    ],
)
def test_what_is_unsure_is_called_a_guess(score: float, says: str):
    """Below one half nothing is claimed; below one fifth nothing is guessed."""
    assert caption(evidence(score=score)).startswith(says)


def test_written_words_are_quoted():
    """On one line, and cut where they are long."""
    assert caption(evidence(text="No parking\nMon-Fri")).endswith("It says “No parking / Mon-Fri”.")
    assert quoted("word " * 200).endswith("word …")


def test_grey_pictures_are_called_grey():
    """Black, white and between are no colours."""
    assert "It has no colours but shades of grey." in caption(evidence(colours=[("grey", 0.6), ("white", 0.4)]))


@pytest.mark.parametrize(
    ("colours", "words"),
    [
        ([("red", 1.0)], "mostly red"),
        ([("red", 0.39), ("white", 0.3), ("blue", 0.02)], "red and white"),
        ([("red", 0.12), ("blue", 0.07), ("green", 0.07)], "many, most of all red"),
    ],
)
def test_small_shares_are_left_out(colours: list[tuple[str, float]], words: str):
    """What covers little is not said."""
    assert colour_words(colours) == words


def test_the_evidence_is_plain_json():
    """Boxes, counts, labels, colours, text and size, and what kind of thing it is."""
    data = json.loads(json.dumps(evidence(cat(0, 0, 50, 50)).data(), allow_nan=False))

    assert data["kind"] == "evidence caption"
    assert data["counts"] == {"cat": 1}
    assert data["size"] == {"width_px": 400, "height_px": 300}
