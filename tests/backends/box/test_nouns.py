"""Nouns: singular, plural, other names."""

from __future__ import annotations

import pytest

from dragoman.backends.box.nouns import canonical, counted, listing, plural, singular


@pytest.mark.parametrize(
    ("one", "many"),
    [("cat", "cats"), ("person", "people"), ("mouse", "mice"), ("bus", "buses"), ("wine glass", "wine glasses"),
     ("sheep", "sheep"), ("teddy bear", "teddy bears"), ("couch", "couches"), ("knife", "knives"),
     ("toothbrush", "toothbrushes"),
     ("fox", "foxes"), ("berry", "berries"), ("horse", "horses")],
)  # fmt: skip
def test_plural_and_back(one: str, many: str):
    """Regular and irregular nouns, of several words by their last."""
    assert plural(one) == many
    assert singular(many.split()[-1]) == one.split()[-1]


@pytest.mark.parametrize(
    ("said", "name"),
    [("Kittens", "cat"), ("mugs", "cup"), ("a", "a"), ("motorbikes", "motorcycle"), ("TV", "tv"),
     ("fire hydrants?", "fire hydrant")],
)  # fmt: skip
def test_other_names_become_the_detectors(said: str, name: str):
    """What people say, as the detectors call it."""
    assert canonical(said) == name


def test_counts_read_like_english():
    """Articles, numbers, lists."""
    assert [counted("elephant", n) for n in (0, 1, 2)] == ["no elephants", "an elephant", "2 elephants"]
    assert counted("scissors", 1) == "scissors"
    assert listing(["a cat"]) == "a cat"
    assert listing(["a cat", "a dog", "2 cups"]) == "a cat, a dog and 2 cups"
