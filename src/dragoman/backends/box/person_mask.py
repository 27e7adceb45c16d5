"""The people of a picture cut out, where there are any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.blaze import LiteNet
from dragoman.backends.box.people import PeopleFinder
from dragoman.backends.box.pictures import Pixels, data_output, image_output, picture
from dragoman.backends.box.wanted import wanted_labels
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json

Mask = npt.NDArray[Any]  # (H, W) uint8: 255 inside, 0 outside

_SIDE_PX = 256
_PEOPLE = frozenset(
    "person people persons human humans man men woman women child children kid kids boy boys girl girls somebody"
    " someone selfie portrait".split()
)


class PersonMask:
    """Adapter for image-segmentation: people only."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        cv2.setNumThreads(threads)
        self._people = PeopleFinder(card=card, files=files, threads=threads)
        self._net = LiteNet(files["selfie.tflite"], threads=threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The segment and its mask, black where nobody is seen. Raises `ExpertError` for other things."""
        del task
        if args.get("labels") is not None:
            only_people(wanted_labels(args))
        pixels = picture(args)
        tell(0.1, "looking for people")
        scores = [face.score for face in self._people.faces(pixels)]
        scores += [score for score, _ in self._people.persons(pixels)]
        mask = self._mask(pixels) if scores else np.zeros(pixels.shape[:2], np.uint8)
        return [data_output("segments", segments(mask, score=max(scores, default=0.0))), image_output(mask, "mask")]

    def _mask(self, pixels: Pixels) -> Mask:
        view = cv2.resize(pixels, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_LINEAR)
        (shares,) = self._net.run(view / 255)
        size = pixels.shape[1], pixels.shape[0]
        large = cv2.resize(shares[0, :, :, 0], size, interpolation=cv2.INTER_LINEAR)
        return (large > 0.5).astype(np.uint8) * np.uint8(255)


def only_people(labels: list[str]) -> None:
    """Nothing, where all labels mean people. Raises `ExpertError` otherwise."""
    others = [label for label in labels if not _PEOPLE & set(label.lower().split())]
    if others:
        named = ", ".join(f"“{label[:40]}”" for label in others)
        raise ExpertError(f"This expert cuts out people only; {named} is wanted.")


def segments(mask: Mask, *, score: float) -> Json:
    """`[{label, score, box, area}]`: one for all people together, area in pixels; empty for an empty mask."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return []
    box: list[Json] = [int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1]
    return [{"label": "person", "score": round(score, 4), "box": box, "area": len(rows)}]
