"""Object detection as a task: whoever finds things in pictures gives back boxes, counts and an annotated picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.boxes import Found, best_apart, boxes_data, clipped
from dragoman.backends.box.drawing import annotated
from dragoman.backends.box.pictures import Pixels, data_output, image_output, picture
from dragoman.backends.box.wanted import only_wanted, wanted_labels
from dragoman.values import Arg


class ObjectFinder(ABC):
    """Base of the adapters for object-detection."""

    known: Mapping[str, str] = {}  # what kind of thing each name is that it can find

    @abstractmethod
    def find(self, pixels: Pixels) -> list[Found]:
        """The things in a picture, best first, each once, inside the picture."""

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """Boxes with counts, and the annotated picture; of what the person names, or of everything."""
        del tell
        pixels = picture(args)
        found = self.find(pixels)
        if task == "zero-shot-object-detection":
            found = only_wanted(found, wanted_labels(args), self.known)
        return [data_output("boxes", boxes_data(found)), image_output(annotated(pixels, found), "annotated")]


def tidy(pixels: Pixels, found: Iterable[Found]) -> list[Found]:
    """The found things once each, inside the picture, best first."""
    height_px, width_px = pixels.shape[:2]
    return best_apart(clipped(found, width_px=width_px, height_px=height_px))
