"""Classes and vectors of pictures, by EfficientNet-Lite."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from dragoman.backends.base import Item, Produced, Tell
from dragoman.backends.box.efficientnet import EfficientNet
from dragoman.backends.box.imagenet import best, read_classes
from dragoman.backends.box.pictures import data_output, picture
from dragoman.backends.box.wanted import shares_of_labels, wanted_labels
from dragoman.errors import ExpertError
from dragoman.media import read_image
from dragoman.models.card import ModelCard
from dragoman.values import Arg

TOP = 5


def load_net(card: ModelCard, files: dict[str, Path], *, threads: int) -> EfficientNet:
    """The net among the files of a card; its option `side_px` says the size that it takes."""
    return EfficientNet(
        files["efficientnet.onnx"],
        files["class-weights.npy"],
        side_px=int(card.options["side_px"]),
        threads=threads,
    )


class ImageLabels:
    """Adapter for image-classification, of the person's classes too, and image-feature-extraction."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._net = load_net(card, files, threads=threads)
        self._classes = read_classes(files["imagenet-classes.json"])

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The labels of a picture, or the vectors and the likeness of several."""
        if task == "image-feature-extraction":
            return self._likeness(args, tell)
        probabilities = self._net.probabilities(picture(args))
        if task == "zero-shot-image-classification":
            labels = shares_of_labels(wanted_labels(args), probabilities, self._classes)
        else:
            labels = best(probabilities, self._classes, top=TOP)
        return [data_output("labels", labels)]

    def _likeness(self, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        items = items_of(args)
        vectors: list[list[float]] = []
        for index, item in enumerate(items):
            tell(index / len(items), f"looking at {item.resource.name}")
            vectors.append(self._net.vector(read_image(item.path)))
        likeness = [
            {"name": item.resource.name, "score": round(cosine(vectors[0], vector), 4)}
            for item, vector in zip(items[1:], vectors[1:], strict=True)
        ]
        rounded = [[round(number, 6) for number in vector] for vector in vectors]
        return [data_output("likeness", likeness), data_output("vectors", rounded)]


def items_of(args: dict[str, Arg]) -> list[Item]:
    """The one picture or the several in the slot `image`. Raises `ExpertError` for anything else."""
    given = args.get("image")
    found = cast("list[Arg]", list(given)) if isinstance(given, (list, tuple)) else [given]
    items = [item for item in found if isinstance(item, Item)]
    if len(items) != len(found):
        raise ExpertError("Pictures are wanted as `image`; something else came.")
    return items


def cosine(one: list[float], other: list[float]) -> float:
    """How alike two vectors of unit length are, -1..1."""
    return max(-1.0, min(1.0, sum(a * b for a, b in zip(one, other, strict=True))))
