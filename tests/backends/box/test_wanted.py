"""Named labels, matched by words."""

from __future__ import annotations

import pytest

from dragoman.backends.box.boxes import Found
from dragoman.backends.box.imagenet import ImageClass
from dragoman.backends.box.wanted import known_as, only_wanted, shares_of_labels, wanted_labels
from dragoman.errors import ExpertError

KNOWN = {"cat": "animal", "suitcase": "thing", "person": "person", "hot dog": "food", "dog": "animal"}
CLASSES = [
    ImageClass(name="tabby cat", group="cat", kind="animal"),
    ImageClass(name="Scottish Terrier", group="dog", kind="animal"),
    ImageClass(name="sports car", group="car", kind="vehicle"),
]


def found(label: str) -> Found:
    return Found(label=label, score=0.9, box=(0, 0, 1, 1))


@pytest.mark.parametrize("given", ["cat, dog", ["cat", " dog ", "cat", ""]])
def test_labels_come_as_a_list_or_in_words(given: object):
    """Each once, without blanks."""
    assert wanted_labels({"labels": given}) == ["cat", "dog"]


def test_no_labels_are_an_error():
    """Nothing to look for."""
    with pytest.raises(ExpertError, match="wanted as `labels`"):
        wanted_labels({"labels": []})


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("a blue suitcase", "suitcase"),
        ("people", "person"),
        ("Hot dogs", "hot dog"),
        ("animals", "animal"),
        ("joy", None),
    ],
)
def test_a_label_means_the_name_at_its_end(label: str, name: str | None):
    """Adjectives and articles fall away; a name of two words comes before its last one."""
    assert known_as(label, KNOWN) == name


def test_only_what_is_named_stays():
    """By its own name, by a wider one, or beside an unknown one."""
    things = [found("cat"), found("suitcase"), found("dog")]

    assert [thing.label for thing in only_wanted(things, ["kittens", "joy"], KNOWN)] == ["cat"]
    assert [thing.label for thing in only_wanted(things, ["animals"], KNOWN)] == ["cat", "dog"]
    with pytest.raises(ExpertError, match="“joy” and “hope”"):
        only_wanted(things, ["joy", "hope"], KNOWN)


def test_named_classes_keep_their_share_of_the_whole():
    """By group, by the last word of a class, by kind; what other things have is not handed out."""
    labels = shares_of_labels(["terrier", "a cat", "vehicle"], [0.6, 0.15, 0.05], CLASSES)

    assert labels == [
        {"label": "a cat", "score": 0.6},
        {"label": "terrier", "score": 0.15},
        {"label": "vehicle", "score": 0.05},
    ]
