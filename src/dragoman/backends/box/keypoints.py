"""Keypoints of people as a task: the data, the annotated picture, and the stick figures of OpenPose."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.blaze import Spotted
from dragoman.backends.box.boxes import Found, clipped
from dragoman.backends.box.drawing import annotated
from dragoman.backends.box.people import FACE_POINTS, PeopleFinder, Pose, PoseFinder, is_of_somebody
from dragoman.backends.box.pictures import Pixels, data_output, image_output, picture
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json

Array = npt.NDArray[Any]

# The joints of OpenPose's COCO model, in its order, and the limbs between them; the neck lies between the shoulders.
JOINTS = (
    "nose", "neck", "right shoulder", "right elbow", "right wrist", "left shoulder", "left elbow", "left wrist",
    "right hip", "right knee", "right ankle", "left hip", "left knee", "left ankle", "right eye", "left eye",
    "right ear", "left ear",
)  # fmt: skip
LIMBS = (
    (1, 2), (1, 5), (2, 3), (3, 4), (5, 6), (6, 7), (1, 8), (8, 9), (9, 10), (1, 11), (11, 12), (12, 13), (1, 0),
    (0, 14), (14, 16), (0, 15), (15, 17),
)  # fmt: skip


class PeopleKeypoints:
    """Adapter for keypoint-detection and openpose-control."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        cv2.setNumThreads(threads)
        self._people = PeopleFinder(card=card, files=files, threads=threads)
        self._poses = PoseFinder(files=files, threads=threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The points and the annotated picture, or the stick figures on black."""
        pixels = picture(args)
        tell(0.1, "looking for people")
        faces, persons = self._people.faces(pixels), self._people.persons(pixels)
        poses = [pose for pose in self._poses.find(pixels) if is_of_somebody(pose, faces=faces, persons=persons)]
        if task == "openpose-control":
            return [image_output(figures(poses, on=np.zeros_like(pixels)))]
        return [
            data_output("points", points_data(poses, faces)),
            image_output(drawn(pixels, poses, faces), "annotated"),
        ]


def points_data(poses: Sequence[Pose], faces: Sequence[Spotted]) -> Json:
    """`{people, faces, not_looked_for}`: an empty list of hands would say that there are none."""
    people: list[Json] = [
        {
            "score": round(pose.score, 4),
            "box": [round(edge) for edge in pose.box],
            "points": [_point(name, x, y) | {"score": round(score, 3)} for name, (x, y, score) in pose.points.items()],
        }
        for pose in poses
    ]
    found: list[Json] = [
        {
            "score": round(face.score, 4),
            "box": [round(edge) for edge in face.box],
            "points": [_point(name, x, y) for name, (x, y) in zip(FACE_POINTS, face.points, strict=True)],
        }
        for face in faces
    ]
    return {"people": people, "faces": found, "not_looked_for": ["hands"]}


def _point(name: str, x: float, y: float) -> dict[str, Json]:
    return {"name": name, "x": round(x, 1), "y": round(y, 1)}


def drawn(pixels: Pixels, poses: Sequence[Pose], faces: Sequence[Spotted]) -> Pixels:
    """The picture with faces boxed and bodies as stick figures."""
    height_px, width_px = pixels.shape[:2]
    boxes = [Found(label="face", score=face.score, box=face.box) for face in faces]
    return annotated(figures(poses, on=pixels.copy()), clipped(boxes, width_px=width_px, height_px=height_px))


def figures(poses: Sequence[Pose], *, on: Pixels) -> Pixels:
    """`on` with a stick figure a pose: limbs dimmer than joints, each in its own hue."""
    width = max(2, round(max(on.shape) / 128))
    for pose in poses:
        joints = _joints(pose)
        for number, (start, end) in enumerate(LIMBS):
            if JOINTS[start] in joints and JOINTS[end] in joints:
                ends = joints[JOINTS[start]], joints[JOINTS[end]]
                cv2.line(on, *ends, _colour(number, brightness=0.6), width, cv2.LINE_AA)
        for number, name in enumerate(JOINTS):
            if name in joints:
                cv2.circle(on, joints[name], width, _colour(number, brightness=1.0), -1, cv2.LINE_AA)
    return on


def _joints(pose: Pose) -> dict[str, tuple[int, int]]:
    places = {name: (round(x), round(y)) for name, (x, y, _) in pose.points.items()}
    if "left shoulder" in places and "right shoulder" in places:
        (x0, y0), (x1, y1) = places["left shoulder"], places["right shoulder"]
        places["neck"] = ((x0 + x1) // 2, (y0 + y1) // 2)
    return places


def _colour(number: int, *, brightness: float) -> tuple[int, int, int]:
    red, green, blue = colorsys.hsv_to_rgb(number / len(JOINTS), 1.0, brightness)
    return round(red * 255), round(green * 255), round(blue * 255)
