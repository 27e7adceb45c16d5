"""What a mind's sentences may state: what stands in the results or follows from them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from scenes import CAT, data, done, file, found, scene, task, words

from dragoman.answering.support import MARK, Backing, marked


@pytest.fixture
def backing() -> Backing:
    """Two pictures with 3 and 5 objects, a cat, a transcript with numbers, a sound of 12.4 s."""
    return Backing(
        scene(
            "How many are there? I need 7 of them.",
            (task(0, "object-detection", image="a.jpg"), done(0, data("boxes", found("cup", "cup", "spoon")))),
            (task(1, "object-detection", image="b.jpg"), done(1, data("boxes", found(*["cat"] * 5)))),
            (task(2, "image-classification", image="a.jpg"), done(2, data("labels", CAT))),
            (task(3, "automatic-speech-recognition", audio="a.wav"), done(3, words("Take 250 grams of flour."))),
            (task(4, "text-to-speech", text="x"), done(4, file("4.wav", "audio", "speech", duration_s=12.4))),
        )
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "There are 3 objects in the first picture.",
        "Together there are 8 objects.",
        "The second has 2 more than the first.",
        "It is a cat, 93 % sure.",
        "It is a cat (0.93).",
        "It is a tabby with 55% and an Egyptian cat with 30 %.",
        "He says to take 250 grams.",
        "Half of that is 125 grams of flour, since 250 / 2 is 125.",
        "You need 7.",
        "It says “take 250 grams of flour”.",
        "The sound is 12 seconds long: /home/ada/out/01a/4.wav",
        "1. There are 2 cups.",
        "One of them is a spoon.",
        "No numbers at all.",
    ],
)
def test_what_the_results_hold_or_imply_is_backed(backing: Backing, sentence: str):
    """Counts, sums, differences, ratios, shares, quotations, durations rounded as they are shown."""
    assert backing.unbacked(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "strange"),
    [
        ("There are 77 objects.", ["77"]),
        ("It is a cat, 99.9 % sure.", ["99.9%"]),
        ("He says “add two eggs”.", ["add two eggs"]),
        ("It weighs 4,321 kg.", ["4321"]),
    ],
)
def test_what_they_don_t_is_named(backing: Backing, sentence: str, strange: list[str]):
    """An invented count, share, quotation, weight."""
    assert [one.replace(".0", "").replace("4.321", "4321") for one in backing.unbacked(sentence)] == strange


def test_only_the_line_that_is_not_backed_is_marked(backing: Backing):
    """The others stay as they are."""
    assert marked("There are 3.\nThere are 77.", backing) == f"There are 3.\nThere are 77.{MARK}"
