"""Labels that the person names, matched by words to what the experts know. Pure Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from dragoman.backends.box.boxes import Found
from dragoman.backends.box.imagenet import ImageClass
from dragoman.backends.box.nouns import WIDE, canonical, listing
from dragoman.errors import ExpertError
from dragoman.values import Arg, Json


def wanted_labels(args: Mapping[str, Arg]) -> list[str]:
    """The labels of a call, each once. Raises `ExpertError` if there are none."""
    given = args.get("labels")
    parts = given.split(",") if isinstance(given, str) else cast("Sequence[Arg]", given or ())
    labels = list(dict.fromkeys(str(part).strip() for part in parts if str(part).strip()))
    if not labels:
        raise ExpertError("Names of things are wanted as `labels`; none came.")
    return labels


def known_as(label: str, known: Mapping[str, str]) -> str | None:
    """The name in `known` that a label means: `cat` for `small kittens`, `animal` for `animals`; None for others."""
    words = label.split()
    for start in range(len(words)):
        name = canonical(" ".join(words[start:]))
        if name in known or name in WIDE:
            return name
    return None


def only_wanted(found: Iterable[Found], labels: Sequence[str], known: Mapping[str, str]) -> list[Found]:
    """The found things that a label means. Raises `ExpertError` where none of the labels is known."""
    names = {label: known_as(label, known) for label in labels}
    if not any(names.values()):
        raise _unknown(labels)
    return [thing for thing in found if any(name and _means(name, thing.label, known) for name in names.values())]


def _means(name: str, label: str, known: Mapping[str, str]) -> bool:
    own = canonical(label)
    return own == name or (name in WIDE and known.get(own) == WIDE[name])


def shares_of_labels(
    labels: Sequence[str], probabilities: Sequence[float], classes: Sequence[ImageClass]
) -> list[dict[str, Json]]:
    """`[{label, score}]`, best first: what the classes that a label stands for have of the whole.

    The scores don't add up to one: a picture of neither a cat nor a dog leaves both low.
    Raises `ExpertError` for labels that stand for no class.
    """
    sums = {label: _sum(label, probabilities, classes) for label in labels}
    unknown = [label for label, share in sums.items() if share is None]
    if unknown:
        raise _unknown(unknown)
    best_first = sorted(sums.items(), key=lambda item: -(item[1] or 0.0))
    return [{"label": label, "score": round(min(share or 0.0, 1.0), 4)} for label, share in best_first]


def _sum(label: str, probabilities: Sequence[float], classes: Sequence[ImageClass]) -> float | None:
    """What a label's classes have together, by class name, group, kind or last word; None where it has none."""
    words = label.split()
    for start in range(len(words)):
        name = canonical(" ".join(words[start:]))
        chosen = [index for index, each in enumerate(classes) if _names(name, each)]
        if chosen:
            return sum(probabilities[index] for index in chosen)
    return None


def _names(name: str, each: ImageClass) -> bool:
    own = canonical(each.name)
    return name in {own, canonical(each.group), each.kind} or own.endswith(f" {name}")


def _unknown(labels: Sequence[str]) -> ExpertError:
    return ExpertError(
        f"This expert has not learned what {listing([f'“{label}”' for label in labels])} looks like.",
        helps="It knows common animals, vehicles, food, furniture and household things; others need another model.",
    )
