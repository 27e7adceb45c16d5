"""Objects in a picture: the adapters that find everyday things and draw them."""

from __future__ import annotations

from pathlib import Path

from dragoman.backends.box import centernet, efficientnet
from dragoman.backends.box.activation_map import SURE, find_main
from dragoman.backends.box.boxes import Found, best_apart, covered, overlap
from dragoman.backends.box.centernet import CenterNet
from dragoman.backends.box.imagenet import everyday, kinds_of, read_classes
from dragoman.backends.box.nouns import kinds
from dragoman.backends.box.objects import ObjectFinder, tidy
from dragoman.backends.box.onnx_image import load_net
from dragoman.backends.box.pictures import Pixels
from dragoman.models.card import ModelCard

FLOOR = 0.45  # of a detector's score; below it the sample photos had more false boxes than true ones
CANDIDATE = 0.3  # worth a second look by the classifier
LOOKS = 16  # second looks a picture, 35 ms each
_ANIMALS = frozenset({"bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra"})


class MainThing(ObjectFinder):
    """The one main thing out of 1000 classes, its place read from the classifier's own maps."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._net = load_net(card, files, threads=threads)
        self._classes = read_classes(files["imagenet-classes.json"])
        self.known = kinds(kinds_of(self._classes))

    def find(self, pixels: Pixels) -> list[Found]:
        """The main thing, or nothing where the classifier is unsure."""
        probabilities = self._net.probabilities(pixels)
        thing = everyday(probabilities, self._classes)
        return tidy(pixels, find_main(pixels, self._net, thing=thing, probabilities=probabilities))


class EverydayObjects(ObjectFinder):
    """People, animals, vehicles, furniture and household things: the 80 kinds of COCO."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        labels = [str(label) for label in card.options["labels"]]
        self._net = CenterNet(files["centernet.onnx"], labels=labels, threads=threads)
        self.known = kinds(dict.fromkeys(labels, "thing"))

    def find(self, pixels: Pixels) -> list[Found]:
        """Everything that the detector is sure of."""
        return [thing for thing in self.candidates(pixels) if thing.score >= FLOOR]

    def candidates(self, pixels: Pixels) -> list[Found]:
        """Everything that may be a thing."""
        return tidy(pixels, self._net.find(pixels, floor=CANDIDATE))


class JoinedObjects(ObjectFinder):
    """The 80 kinds looked at once more by a classifier of 1000, and the main thing where the detector saw none."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._detector = EverydayObjects(card=card, files=files, threads=threads)
        self._main = MainThing(card=card, files=files, threads=threads)
        self._net = load_net(card, files, threads=threads)
        self._classes = read_classes(files["imagenet-classes.json"])
        self.known = kinds({**self._detector.known, **kinds_of(self._classes)})

    def find(self, pixels: Pixels) -> list[Found]:
        """The things in a picture."""
        looked_at = [self._look(pixels, thing) for thing in self._detector.candidates(pixels)[:LOOKS]]
        found = best_apart(thing for thing in looked_at if thing.score >= FLOOR)
        return sorted([*found, *self._missed(pixels, found)], key=lambda thing: -thing.score)

    def _look(self, pixels: Pixels, thing: Found) -> Found:
        """The thing as the classifier sees it: surer where both agree, renamed if an animal unknown to the detector."""
        left, top, right, bottom = (int(edge) for edge in thing.box)
        seen = everyday(self._net.probabilities(pixels[top:bottom, left:right]), self._classes)
        # Between animals that both know, the detector is the one that was trained to find them.
        is_stranger = thing.label in _ANIMALS and seen.kind == "animal" and seen.name not in _ANIMALS
        if seen.name == thing.label or (is_stranger and seen.score >= SURE):
            return Found(label=seen.name, score=max(seen.score, thing.score), box=thing.box)
        return thing

    def _missed(self, pixels: Pixels, found: list[Found]) -> list[Found]:
        return [
            thing
            for thing in self._main.find(pixels)
            if all(overlap(thing.box, other.box) < 0.3 and covered(thing.box, other.box) < 0.7 for other in found)
        ]


def to_onnx(files: dict[str, Path], out: Path) -> None:
    """Write both nets: what `efficientnet.to_onnx` and `centernet.to_onnx` write."""
    efficientnet.to_onnx(files, out)
    centernet.to_onnx(files, out)
