"""People in a picture: faces, body poses, and whether there is anybody at all."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from dragoman.backends.box.blaze import LiteNet, Spotted, Spotter, probabilities
from dragoman.backends.box.boxes import Box, shared_area
from dragoman.backends.box.litert import SsdObjects
from dragoman.models.card import ModelCard

Array = npt.NDArray[Any]

FACE_POINTS = ("right eye", "left eye", "nose", "mouth", "right ear", "left ear")
BODY_POINTS = (
    "nose", "left eye inner", "left eye", "left eye outer", "right eye inner", "right eye", "right eye outer",
    "left ear", "right ear", "mouth left", "mouth right", "left shoulder", "right shoulder", "left elbow",
    "right elbow", "left wrist", "right wrist", "left pinky", "right pinky", "left index", "right index",
    "left thumb", "right thumb", "left hip", "right hip", "left knee", "right knee", "left ankle", "right ankle",
    "left heel", "right heel", "left foot", "right foot",
)  # fmt: skip
FACE_FLOOR, BODY_FLOOR, PRESENCE_FLOOR = 0.6, 0.5, 0.6
MOST_PEOPLE = 8
_CROP_PX = 256
_NUMBERS_A_POINT = 5  # x, y, depth, visibility, presence


@dataclass(frozen=True, kw_only=True, slots=True)
class Pose:
    """A body. points: name to (x, y, score), in pixels; only those that are seen inside the picture."""

    score: float
    points: dict[str, tuple[float, float, float]]

    @property
    def box(self) -> Box:
        """Around its points."""
        xs, ys = zip(*((x, y) for x, y, _ in self.points.values()), strict=True)
        return min(xs), min(ys), max(xs), max(ys)


class PeopleFinder:
    """Faces and persons: what says that there is somebody. Files: `face.tflite`, `ssd.tflite`, `labels.txt`."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._faces = Spotter(files["face.tflite"], side_px=128, layers=((8, 2), (16, 6)), threads=threads)
        self._objects = SsdObjects(card=card, files=files, threads=threads)

    def faces(self, pixels: Array) -> list[Spotted]:
        """The faces, best first."""
        return self._faces.find(pixels, floor=FACE_FLOOR)

    def persons(self, pixels: Array) -> list[tuple[float, Box]]:
        """(score, box) of the persons that the object detector sees."""
        return [(thing.score, thing.box) for thing in self._objects.find(pixels) if thing.label == "person"]


class PoseFinder:
    """Body poses. Files: `pose.tflite` finds bodies, `body.tflite` their points."""

    def __init__(self, *, files: dict[str, Path], threads: int) -> None:
        self._bodies = Spotter(files["pose.tflite"], side_px=224, layers=((8, 2), (16, 2), (32, 6)), threads=threads)
        self._points = LiteNet(files["body.tflite"], threads=threads)

    def find(self, pixels: Array) -> list[Pose]:
        """The bodies of which both nets are sure, best first."""
        bodies = self._bodies.find(pixels, floor=BODY_FLOOR)[:MOST_PEOPLE]
        return [pose for body in bodies if (pose := self._pose(pixels, body)) is not None]

    def _pose(self, pixels: Array, body: Spotted) -> Pose | None:
        turn = upright(*body.points[:2])
        crop = cv2.warpAffine(pixels, turn, (_CROP_PX, _CROP_PX))
        numbers, presence, *_ = self._points.run(crop / 255)
        if float(presence.ravel()[0]) < PRESENCE_FLOOR:
            return None
        rows = numbers.reshape(-1, _NUMBERS_A_POINT)[: len(BODY_POINTS)].astype(np.float64)
        back = cv2.invertAffineTransform(turn)
        places = rows[:, :2] @ back[:, :2].T + back[:, 2]
        points = seen(places, probabilities(rows[:, 3]), size_px=(pixels.shape[1], pixels.shape[0]))
        return Pose(score=body.score, points=points) if len(points) > 1 else None


def upright(middle: tuple[float, float], top: tuple[float, float]) -> Array:
    """The (2, 3) transform that turns a body upright into the square crop: `middle` in its middle, `top` above it."""
    right, down = top[0] - middle[0], top[1] - middle[1]
    side = max(2 * hypot(right, down) * 1.25, 1.0)
    angle = pi / 2 - atan2(-down, right)
    along = np.array([cos(angle), sin(angle)]) * side / 2
    across = np.array([-sin(angle), cos(angle)]) * side / 2
    corners = np.array([middle - along - across, middle + along - across, middle - along + across], np.float32)
    return np.asarray(cv2.getAffineTransform(corners, np.array([[0, 0], [_CROP_PX, 0], [0, _CROP_PX]], np.float32)))


def seen(places: Array, scores: Array, *, size_px: tuple[int, int]) -> dict[str, tuple[float, float, float]]:
    """The points that are more likely seen than not, and inside the picture."""
    rows = zip(BODY_POINTS, places.tolist(), scores.tolist(), strict=True)
    return {
        name: (x, y, score)
        for name, (x, y), score in rows
        if score >= 0.5 and 0 <= x < size_px[0] and 0 <= y < size_px[1]
    }


def is_of_somebody(pose: Pose, *, faces: list[Spotted], persons: list[tuple[float, Box]]) -> bool:
    """Whether a face or a person was seen where the pose is: animals get poses too."""
    return any(shared_area(pose.box, box) > 0 for box in (*(face.box for face in faces), *(box for _, box in persons)))
