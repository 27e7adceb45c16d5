"""ImageNet classes: every range stands once, names are everyday ones, sums are right."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from dragoman.backends.box import imagenet
from dragoman.backends.box.imagenet import COUNT, best, everyday, groups, numbers, read_classes
from dragoman.errors import ExpertError


@pytest.fixture
def classes(tmp_path: Path) -> tuple[imagenet.ImageClass, ...]:
    """The classes with made-up names: `name 281` is a cat."""
    path = tmp_path / "names.json"
    path.write_text(json.dumps([f"name {index}" for index in range(COUNT)]))
    return read_classes(path)


def given(**shares: float) -> list[float]:
    """Probabilities of the classes whose numbers are named: `given(n281=0.4)`."""
    return [shares.get(f"n{index}", 0.0) for index in range(COUNT)]


def test_no_class_is_in_two_groups():
    """The ranges of the table don't cross, and stay among the 1000."""
    table = tomllib.loads(Path(imagenet.__file__).with_name("imagenet.toml").read_text(encoding="utf-8"))
    listed = Counter(number for rows in table.values() for ranges in rows.values() for number in numbers(ranges))

    assert [number for number, times in listed.items() if times > 1] == []
    assert max(listed) < COUNT


@pytest.mark.parametrize(
    ("index", "group"),
    [(281, "cat"), (207, "dog"), (293, "big cat"), (65, "snake"),
     (1, "fish"), (817, "car"), (967, "cup"), (402, "musical instrument")],
)  # fmt: skip
def test_classes_have_everyday_groups(index: int, group: str):
    """Spot checks over the table."""
    assert groups()[index][0] == group


def test_a_list_of_another_length_is_refused(tmp_path: Path):
    """Names of another set of classes would name everything wrongly."""
    path = tmp_path / "names.json"
    path.write_text('["cat"]')

    with pytest.raises(ExpertError, match="should list 1000 names"):
        read_classes(path)


def test_a_group_has_the_share_of_all_its_classes(classes: tuple[imagenet.ImageClass, ...]):
    """Three breeds of cat are unsure, the cat is not."""
    labels = best(given(n281=0.4, n282=0.3, n285=0.2, n207=0.1), classes, top=3)

    assert labels[0] == {"label": "name 281", "score": 0.4, "group": "cat", "group_score": 0.9, "kind": "animal"}
    assert [label["score"] for label in labels] == [0.4, 0.3, 0.2]


def test_a_breed_is_called_by_its_animal(classes: tuple[imagenet.ImageClass, ...]):
    """Of whatever breed, it is a cat, with the score of all of them."""
    thing = everyday(given(n281=0.4, n282=0.3), classes)

    assert (thing.name, thing.kind, round(thing.score, 2)) == ("cat", "animal", 0.7)
    assert 285 in thing.members


def test_an_umbrella_gives_way_to_the_class(classes: tuple[imagenet.ImageClass, ...]):
    """A lion is called a lion, not a big cat."""
    thing = everyday(given(n291=0.8, n293=0.1), classes)

    assert (thing.name, thing.members) == ("name 291", (291,))


def test_an_umbrella_stays_where_the_class_is_a_guess(classes: tuple[imagenet.ImageClass, ...]):
    """Of four instruments none stands out: a musical instrument."""
    thing = everyday(given(n401=0.3, n402=0.25, n420=0.2, n486=0.2), classes)

    assert (thing.name, round(thing.score, 2)) == ("musical instrument", 0.95)
