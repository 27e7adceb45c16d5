"""The experts of `maps.toml` with their real weights, on real photos."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from dragoman.backends.base import Adapter, Item, Produced
from dragoman.errors import ExpertError
from dragoman.media import facts, read_image
from dragoman.models import box
from dragoman.models.fetch import ModelStore
from dragoman.models.samples import sample
from dragoman.registry import load
from dragoman.values import Resource

pytestmark = [pytest.mark.box, pytest.mark.timeout(300)]

CARDS = {card.id: card for card in box.cards()}
ALL = {"hed", "stereo-depth", "real-esrgan-animevideo", "lanczos", "blaze-people", "selfie-mask"}


@cache
def adapter(card_id: str, home: Path) -> Adapter:
    """The expert, loaded once for all tests."""
    card, store = CARDS[card_id], ModelStore(home)
    if not store.is_fetched(card):
        pytest.fail(f"{card_id} is not fetched: run `dragoman models fetch {card_id}` first")
    return load(card.adapter)(card=card, files=store.files_of(card), threads=1)


@pytest.fixture
def photo(weights_home: Path) -> Callable[[str], Path]:
    """The path of a sample by its name."""

    def find(name: str) -> Path:
        one = sample(name)
        path = ModelStore(weights_home).path_of(one.card(), one.file.name)
        if not path.is_file():
            pytest.fail(f"the sample `{name}` is not fetched: run `dragoman sample --all` first")
        return path

    return find


@pytest.fixture
def run(weights_home: Path) -> Callable[..., dict[str, Any]]:
    """Runs an expert on pictures by slot; its outputs by name: words, data, or pixels."""

    def call(card_id: str, task: str, **args: Any) -> dict[str, Any]:
        given = {name: item(value) if isinstance(value, Path) else value for name, value in args.items()}
        outputs = adapter(card_id, weights_home).run(task=task, args=given, tell=lambda fraction, says: None)
        return {output.name: content(output) for output in outputs}

    return call


def item(path: Path) -> Item:
    measured = facts(path, kind="image", media_type="image/png")
    resource = Resource(name=path.name, kind="image", media_type="image/png", sha256="0" * 64, facts=measured)
    return Item(resource=resource, path=path)


def content(output: Produced) -> Any:
    if output.payload is not None:
        with Image.open(io.BytesIO(output.payload)) as image:
            return np.asarray(image)
    return output.text if output.kind == "text" else output.data


def test_outlines_follow_the_thing_and_leave_the_ground(run: Any, photo: Any, tmp_path: Path):
    """The coffee cup's rim is bright, the plain table dark; the map has the picture's size."""
    made = run("hed", "hed-control", image=photo("coffee"))["image"]

    assert made.shape == read_image(photo("coffee")).shape[:2]
    assert np.percentile(made, 99) > 200
    assert np.median(made) < 60


def test_a_scribble_is_black_and_white(run: Any, photo: Any):
    """Few strokes, at the picture's own size."""
    made = run("hed", "scribble-control", image=photo("cat"))["image"]

    assert made.shape == read_image(photo("cat")).shape[:2]
    assert 0.005 < (made > 127).mean() < 0.2


def test_depth_of_a_shifted_photo_is_its_shift(run: Any, photo: Any, tmp_path: Path):
    """The coffee photo beside itself, cut 9 pixels to the right: everything lies at 9 pixels of disparity."""
    pixels = read_image(photo("coffee"))
    for name, part in (("left", pixels[:, :-9]), ("right", pixels[:, 9:])):
        Image.fromarray(part).save(tmp_path / f"{name}.png")
    views = {"image": tmp_path / "left.png", "right": tmp_path / "right.png"}

    made = run("stereo-depth", "depth-estimation", **views)

    assert made["depths"]["median"] == pytest.approx(9, abs=0.2)
    assert made["depths"]["coverage"] > 0.6
    assert made["depth"].shape == pixels[:, :-9].shape[:2]
    assert run("stereo-depth", "depth-control", **views)["image"].shape == made["depth"].shape
    normals = run("stereo-depth", "normal-control", **views)["image"]
    assert np.median(normals.reshape(-1, 3), axis=0) == pytest.approx([128, 128, 255], abs=6)


@pytest.mark.parametrize("card_id", ["real-esrgan-animevideo", "lanczos"])
@pytest.mark.parametrize("scale", [2, 4])
def test_an_enlarged_photo_is_near_the_original(run: Any, photo: Any, tmp_path: Path, card_id: str, scale: int):
    """A part of the coffee photo, reduced and enlarged again: a signal-to-noise ratio above 20 dB."""
    original = read_image(photo("coffee"))[120:280, 200:400]
    small = Image.fromarray(original).resize((200 // scale, 160 // scale), Image.Resampling.BOX)
    small.save(tmp_path / "small.png")

    made = run(card_id, "image-to-image", image=tmp_path / "small.png", scale=scale)["image"]

    assert made.shape == original.shape
    assert 10 * np.log10(255**2 / np.mean((made.astype(float) - original) ** 2)) > 20


def test_tiles_of_the_net_leave_no_seams(run: Any, photo: Any, tmp_path: Path):
    """Two tiles: around the seam the picture equals that of a part of it in one tile."""
    pixels = read_image(photo("coffee"))[100:140, 100:300]
    Image.fromarray(pixels).save(tmp_path / "wide.png")
    Image.fromarray(pixels[:, 100:]).save(tmp_path / "part.png")

    wide = run("real-esrgan-animevideo", "image-to-image", image=tmp_path / "wide.png")["image"]
    part = run("real-esrgan-animevideo", "image-to-image", image=tmp_path / "part.png")["image"]

    # Tiles are 156 pixels wide without their margins; near its own edge the part sees reflections.
    assert np.abs(wide[:, 2 * 130 : 2 * 180].astype(int) - part[:, 2 * 30 : 2 * 80]).max() <= 1


def test_the_net_says_what_it_cannot_do(run: Any, photo: Any, tmp_path: Path):
    """Another wish, another factor, too many pixels."""
    Image.new("RGB", (2000, 1000)).save(tmp_path / "large.png")
    asked = ("real-esrgan-animevideo", "image-to-image")

    with pytest.raises(ExpertError, match="can enlarge a picture 2 or 4 times, sharpen and restore it, nothing else"):
        run(*asked, image=photo("cat"), text="give the cat a hat")
    with pytest.raises(ExpertError, match="enlarges 2 or 4 times; 3 is wanted"):
        run(*asked, image=photo("cat"), text="three times larger")
    with pytest.raises(ExpertError, match="2000 x 1000 pixels; at most 1,500,000"):
        run(*asked, image=tmp_path / "large.png")


@pytest.mark.parametrize("name", ["astronaut", "camera"])
def test_a_person_gets_pose_and_face(run: Any, photo: Any, name: str):
    """One person: the shoulders above the hips, the face around the nose; drawn and as a stick figure."""
    made = run("blaze-people", "keypoint-detection", image=photo(name))

    (person,) = made["points"]["people"]
    points = {point["name"]: point for point in person["points"]}
    assert max(points[f"{side} shoulder"]["y"] for side in ("left", "right")) < points["right hip"]["y"]
    (face,) = made["points"]["faces"]
    left, top, right, bottom = face["box"]
    assert left < points["nose"]["x"] < right
    assert top < points["nose"]["y"] < bottom
    figure = run("blaze-people", "openpose-control", image=photo(name))["image"]
    assert figure.shape == read_image(photo(name)).shape
    assert 0.002 < figure.any(axis=2).mean() < 0.2


@pytest.mark.parametrize("name", ["cat", "coffee", "motorcycle", "rocket"])
def test_where_nobody_is_nobody_is_found(run: Any, photo: Any, name: str):
    """No pose, no face, no figure, no mask."""
    points = run("blaze-people", "keypoint-detection", image=photo(name))["points"]

    assert (points["people"], points["faces"]) == ([], [])
    assert not run("blaze-people", "openpose-control", image=photo(name))["image"].any()
    cut = run("selfie-mask", "image-segmentation", image=photo(name))
    assert cut["segments"] == []
    assert not cut["mask"].any()


def test_a_person_is_cut_out(run: Any, photo: Any):
    """The astronaut: her face is inside, the flag's corner is not; a dog is refused."""
    cut = run("selfie-mask", "image-segmentation", image=photo("astronaut"), labels=["the woman"])

    (segment,) = cut["segments"]
    assert 0.3 < segment["area"] / cut["mask"].size < 0.8
    assert cut["mask"][120, 220] == 255
    assert cut["mask"][20, 20] == 0
    with pytest.raises(ExpertError, match="people only; “dog” is wanted"):
        run("selfie-mask", "image-segmentation", image=photo("astronaut"), labels=["dog"])


def test_every_row_is_tested_here():
    """A new row of `maps.toml` belongs into this file."""
    assert {card.id for card in box.read(Path(box.__file__).with_name("maps.toml"))} == ALL
