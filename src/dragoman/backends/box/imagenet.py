"""The 1000 ImageNet classes by name, and the everyday groups that they fall into."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dragoman.errors import ExpertError

COUNT = 1000
UNGROUPED = ("thing", "thing")

# Groups whose name nobody would call a thing by: the class says more ("lion", not "big cat").
UMBRELLAS = frozenset(
    {
        "bathroom fixture", "big cat", "building", "clothing", "container", "cosmetics", "dessert", "drink",
        "electronics", "fruit", "household appliance", "insect", "kitchenware", "meal", "measuring device",
        "medical item", "mollusc", "musical instrument", "printed page", "rodent", "seed", "shop", "sports gear",
        "stationery", "thing", "tool", "toy", "vegetable", "vehicle", "weapon", "weasel", "wild dog",
    }
)  # fmt: skip

# Where the fetched names are odd, long or ambiguous out of their table.
_BETTER = {
    97: "duck",
    101: "elephant",
    133: "bittern",
    134: "crane (bird)",
    271: "red wolf",
    282: "tiger cat",
    312: "cricket (insect)",
    339: "sorrel horse",
    348: "ram",
    352: "impala",
    389: "barracouta",
    421: "handrail",
    439: "bearskin hat",
    478: "cardboard box",
    494: "wind chime",
    506: "spiral",
    548: "entertainment center",
    570: "gas mask",
    638: "leotard",
    692: "packet",
    744: "projectile",
    789: "room divider",
    836: "dark glasses",
    842: "swim trunks",
    884: "vaulted ceiling",
    914: "yawl",
    919: "street sign",
    956: "custard apple",
    968: "cup",
    998: "ear of a cereal plant",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ImageClass:
    """One class. `group`: its everyday name (`cat`); `kind`: what that is (`animal`)."""

    name: str
    group: str
    kind: str


def read_classes(path: Path) -> tuple[ImageClass, ...]:
    """The classes in order, their names from the list at `path`. Raises `ExpertError` if it is not such a list."""
    names = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(names, list) or len(names) != COUNT:
        raise ExpertError(f"`{path.name}` should list {COUNT} names of classes.")
    where = groups()
    return tuple(
        ImageClass(name=_BETTER.get(index, str(name)), group=where[index][0], kind=where[index][1])
        for index, name in enumerate(names)
    )


@cache
def groups() -> tuple[tuple[str, str], ...]:
    """(group, kind) of each class, in order."""
    table = tomllib.loads(Path(__file__).with_name("imagenet.toml").read_text(encoding="utf-8"))
    found: dict[int, tuple[str, str]] = dict.fromkeys(range(COUNT), UNGROUPED)
    for kind, rows in table.items():
        for group, ranges in rows.items():
            found.update(dict.fromkeys(numbers(ranges), (group, kind)))
    return tuple(found[index] for index in range(COUNT))


def kinds_of(classes: Iterable[ImageClass]) -> dict[str, str]:
    """What kind of thing each class and each group is, by name."""
    listed = tuple(classes)
    return {each.group: each.kind for each in listed} | {each.name: each.kind for each in listed}


def numbers(ranges: str) -> list[int]:
    """The numbers in words such as `0-1, 5`, ends included."""
    pairs = [part.split("-") for part in ranges.replace(" ", "").split(",")]
    return [number for pair in pairs for number in range(int(pair[0]), int(pair[-1]) + 1)]


def shares(probabilities: Iterable[float], names: Iterable[str]) -> dict[str, float]:
    """Probability summed by name, largest first."""
    sums: defaultdict[str, float] = defaultdict(float)
    for probability, name in zip(probabilities, names, strict=True):
        sums[name] += float(probability)
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


@dataclass(frozen=True, kw_only=True, slots=True)
class Everyday:
    """What a person would call the thing: `cat`, of whatever breed. members: the classes that this name stands for."""

    name: str
    kind: str
    score: float
    members: tuple[int, ...]


def everyday(probabilities: Sequence[float], classes: Sequence[ImageClass]) -> Everyday:
    """The everyday name of the best class: its group's, or its own where the group is an umbrella for many things."""
    first = max(range(len(classes)), key=lambda index: probabilities[index])
    best_class = classes[first]
    group = tuple(index for index, each in enumerate(classes) if each.group == best_class.group)
    share = min(float(sum(probabilities[index] for index in group)), 1.0)
    is_umbrella = best_class.group in UMBRELLAS
    # An umbrella still serves where the class is a guess: "musical instrument", whichever.
    if is_umbrella and (best_class.group == UNGROUPED[0] or probabilities[first] >= share / 2):
        name, score, members = best_class.name, float(probabilities[first]), (first,)
    else:
        name, score, members = best_class.group, share, group
    return Everyday(name=name, kind=best_class.kind, score=score, members=members)


def best(probabilities: Sequence[float], classes: Sequence[ImageClass], *, top: int) -> list[dict[str, Any]]:
    """The `top` classes, best first: `[{label, score, group, group_score, kind}]`.

    group_score: what all classes of the group have together; often sure where the class is not (which breed of cat).
    """
    by_group = shares(probabilities, (each.group for each in classes))
    order = sorted(range(len(classes)), key=lambda index: -float(probabilities[index]))
    return [
        {
            "label": classes[index].name,
            "score": round(float(probabilities[index]), 4),
            "group": classes[index].group,
            "group_score": round(min(by_group[classes[index].group], 1.0), 4),
            "kind": classes[index].kind,
        }
        for index in order[:top]
    ]
