"""The vision experts with their real weights, on real photos and on pictures that break other programs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from dragoman.backends.base import Adapter, Item, Produced
from dragoman.errors import ExpertError
from dragoman.media import facts, read_image
from dragoman.models import box
from dragoman.models.fetch import ModelStore
from dragoman.models.samples import sample
from dragoman.registry import load
from dragoman.tasks.catalogue import SPECS
from dragoman.values import Kind, Resource

pytestmark = [pytest.mark.box, pytest.mark.timeout(300)]

CARDS = {card.id: card for card in box.cards()}
CLASSIFIERS = ["efficientnet-lite0", "efficientnet-lite2"]
DETECTORS = ["joined-objects", "ssd-mobilenetv2-open-images", "efficientnet-lite0-map"]
READERS = ["pp-ocr-v6", "pp-ocr-v4"]
CAPTIONS = ["evidence-caption", "evidence-caption-light"]
MAPS = ["canny", "lsd-lines"]
ALL = [*CLASSIFIERS, *DETECTORS, *READERS, *CAPTIONS, *MAPS]

Photo = Callable[[str], Path]


@cache
def adapter(card_id: str, home: Path) -> Adapter:
    """The expert, loaded once for all tests."""
    card, store = CARDS[card_id], ModelStore(home)
    if not store.is_fetched(card):
        pytest.fail(f"{card_id} is not fetched: run `dragoman models fetch {card_id}` first")
    return load(card.adapter)(card=card, files=store.files_of(card), threads=1)


@pytest.fixture
def photo(weights_home: Path) -> Photo:
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
    """Runs an expert on files; its outputs by name: words, data, or (H, W, …) pixels."""

    def call(card_id: str, *paths: Path, task: str = "", kind: Kind = "image", **args: Any) -> dict[str, Any]:
        items = [Item(resource=described(path, kind), path=path) for path in paths]
        given = {"image": items[0] if len(items) == 1 else items, **args}
        task = task or CARDS[card_id].tasks[0]
        outputs = adapter(card_id, weights_home).run(task=task, args=given, tell=lambda fraction, says: None)
        return {output.name: content(output) for output in outputs}

    return call


def described(path: Path, kind: Kind) -> Resource:
    media_type = "application/pdf" if kind == "document" else "image/png"
    measured = facts(path, kind=kind, media_type=media_type)
    return Resource(name=path.name, kind=kind, media_type=media_type, sha256="0" * 64, facts=measured)


def content(output: Produced) -> Any:
    if output.payload is not None:
        with Image.open(io.BytesIO(output.payload)) as image:
            return np.asarray(image)
    return output.text if output.kind == "text" else output.data


def written(words: str, path: Path) -> Path:
    """A picture of a sign with these words."""
    image = Image.new("RGB", (720, 60 + 70 * len(words.splitlines())), (250, 250, 245))
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size=44)
    for number, line in enumerate(words.splitlines()):
        pen.text((40, 30 + 70 * number), line, font=font, fill=(20, 20, 40))
    image.save(path)
    return path


@pytest.mark.parametrize("card_id", CLASSIFIERS)
@pytest.mark.parametrize(("name", "group"), [("cat", "cat"), ("coffee", "cup"), ("motorcycle", "motorcycle")])
def test_a_photo_gets_its_everyday_group(run: Any, photo: Photo, card_id: str, name: str, group: str):
    """Best first, five of them; whatever breed of cat, it is a cat."""
    labels = run(card_id, photo(name))["labels"]

    assert labels[0]["group"] == group
    assert len(labels) == 5
    assert labels == sorted(labels, key=lambda label: -label["score"])
    assert labels[0]["group_score"] >= labels[0]["score"]


@pytest.mark.parametrize("card_id", CLASSIFIERS)
def test_the_same_thing_is_more_alike(run: Any, photo: Photo, tmp_path: Path, card_id: str):
    """A mirrored cat is more like the cat than a cup is; the cat itself most."""
    mirrored = tmp_path / "mirrored.png"
    Image.fromarray(read_image(photo("cat"))[:, ::-1]).save(mirrored)

    paths = [photo("cat"), photo("coffee"), mirrored, photo("cat")]
    made = run(card_id, *paths, task="image-feature-extraction")

    coffee, mirror, same = (each["score"] for each in made["likeness"])
    assert coffee < mirror <= same == 1.0
    assert [each["name"] for each in made["likeness"]] == ["coffee.png", "mirrored.png", "cat.png"]
    assert [round(sum(x * x for x in vector), 3) for vector in made["vectors"]] == [1.0] * 4


@pytest.mark.parametrize(
    ("card_id", "name", "label"),
    [
        ("joined-objects", "cat", "cat"), ("joined-objects", "coffee", "cup"),
        ("joined-objects", "astronaut", "person"), ("joined-objects", "motorcycle", "motorcycle"),
        ("ssd-mobilenetv2-open-images", "cat", "cat"), ("ssd-mobilenetv2-open-images", "coffee", "coffee cup"),
        ("efficientnet-lite0-map", "cat", "cat"), ("efficientnet-lite0-map", "coffee", "cup"),
    ],
)  # fmt: skip
def test_the_main_thing_of_a_photo_is_found(run: Any, photo: Photo, card_id: str, name: str, label: str):
    """One of it, its box over the middle of the photo, drawn into the annotated picture."""
    made = run(card_id, photo(name))
    height, width, _ = read_image(photo(name)).shape

    (found,) = [each for each in made["boxes"]["boxes"] if each["label"] == label]
    left, top, right, bottom = found["box"]
    assert made["boxes"]["counts"][label] == 1
    assert left < width / 2 < right
    assert top < height / 2 < bottom
    assert made["annotated"].shape[2] == 3


def test_two_cats_are_two(run: Any, photo: Photo, tmp_path: Path):
    """The cat beside its mirror image, a motorcycle below: each is counted, and the counts equal the boxes."""
    cat, motorcycle = read_image(photo("cat")), read_image(photo("motorcycle"))
    scene = np.zeros((800, 902, 3), np.uint8)
    scene[:300, :451], scene[:300, 451:] = cat, cat[:, ::-1]
    scene[300:, 80:821] = motorcycle
    Image.fromarray(scene).save(tmp_path / "scene.png")

    boxes = run("joined-objects", tmp_path / "scene.png")["boxes"]

    assert boxes["counts"] == {"cat": 2, "motorcycle": 1}
    assert sum(boxes["counts"].values()) == len(boxes["boxes"])


@pytest.mark.parametrize("card_id", CLASSIFIERS)
def test_a_photo_is_sorted_into_named_classes(run: Any, photo: Photo, card_id: str):
    """By the everyday word; what it never learned is refused by name."""
    asked = {"task": "zero-shot-image-classification"}

    labels = run(card_id, photo("cat"), labels=["a dog", "a kitten", "vehicles"], **asked)["labels"]

    assert labels[0]["label"] == "a kitten"
    assert labels[0]["score"] > 0.5 > labels[1]["score"]
    with pytest.raises(ExpertError, match="has not learned what “sadness” looks like"):
        run(card_id, photo("cat"), labels=["cat", "sadness"], **asked)


def test_only_named_things_are_found(run: Any, photo: Photo):
    """Of a person and a tripod, the tripod; of animals none; a thing that it never learned is refused by name."""
    asked = {"task": "zero-shot-object-detection"}

    assert run("joined-objects", photo("camera"), labels=["tripods"], **asked)["boxes"]["counts"] == {"tripod": 1}
    assert run("joined-objects", photo("camera"), labels=["animal"], **asked)["boxes"] == {"boxes": [], "counts": {}}
    with pytest.raises(ExpertError, match="has not learned what “chimney” looks like"):
        run("joined-objects", photo("camera"), labels=["chimney"], **asked)


@pytest.mark.parametrize(
    ("card_id", "words"), [("pp-ocr-v6", "No parking\nMonday to Friday"), ("pp-ocr-v4", "EXIT\n2026")]
)
def test_rendered_words_are_read(run: Any, tmp_path: Path, card_id: str, words: str):
    """Exactly, line by line, each with its place and score."""
    made = run(card_id, written(words, tmp_path / "sign.png"))

    assert made["text"] == words
    first, second = made["lines"]
    assert first["text"] == words.splitlines()[0]
    assert first["box"][3] <= second["box"][1] + 10
    assert min(first["score"], second["score"]) > 0.8


@pytest.mark.parametrize("card_id", READERS)
def test_where_nothing_is_written_nothing_is_read(run: Any, photo: Photo, card_id: str):
    """A cat's face holds no text."""
    assert run(card_id, photo("cat")) == {"text": "", "lines": []}


def test_every_page_of_a_document_is_read(run: Any, tmp_path: Path):
    """Two scanned pages: their words in order, their lines with page numbers."""
    words = ("Invoice 117", "Total 42.50")
    pages = [Image.fromarray(read_image(written(each, tmp_path / "page.png"))) for each in words]
    pages[0].save(tmp_path / "scan.pdf", save_all=True, append_images=pages[1:])

    made = run("pp-ocr-v6", tmp_path / "scan.pdf", kind="document")

    assert made["text"] == "Invoice 117\n\nTotal 42.50"
    assert [line["page"] for line in made["lines"]] == [1, 2]


def test_a_real_page_is_read_in_order(run: Any, photo: Photo):
    """A crop of a scanned book: its first words come first."""
    text = run("pp-ocr-v6", photo("page"))["text"]

    assert text.startswith("Region-based segmentation\nLet us first determine markers of the coins and the\n")


@pytest.mark.parametrize("card_id", CAPTIONS)
def test_a_caption_rests_on_its_evidence(run: Any, photo: Photo, card_id: str):
    """It names the cat, and the evidence says what kind of caption it is."""
    made = run(card_id, photo("cat"))

    assert "a cat (" in made["text"]
    assert made["evidence"]["kind"] == "evidence caption"
    assert made["evidence"]["labels"][0]["group"] == "cat"
    assert made["evidence"]["counts"] == {"cat": 1}


def test_questions_are_answered_from_evidence(run: Any, photo: Photo, tmp_path: Path):
    """How many, what it says; what it can't know is refused."""
    asked = {"task": "visual-question-answering"}
    sign = written("EXIT", tmp_path / "sign.png")

    assert run("evidence-caption", photo("cat"), text="How many cats are there?", **asked)["text"].startswith(
        "I found 1 cat ("
    )
    assert run("evidence-caption", sign, text="What does it say?", **asked)["text"] == "It says “EXIT”."
    with pytest.raises(ExpertError, match="can't answer"):
        run("evidence-caption", photo("cat"), text="Who is this?", **asked)
    with pytest.raises(ExpertError, match="can't answer"):
        run("evidence-caption-light", photo("cat"), text="How many cats are there?", **asked)


@pytest.fixture(params=["1x1", "strip", "grey", "16 bit", "1 bit", "transparent", "heic", "large"])
def odd_picture(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Pictures of the kinds that break pipelines."""
    ramp = np.linspace(0, 255, 200 * 300).reshape(200, 300)
    images = {
        "1x1": Image.new("RGB", (1, 1), (9, 9, 9)),
        "strip": Image.new("RGB", (1, 900), (200, 10, 10)),
        "grey": Image.fromarray(ramp.astype(np.uint8)),
        "16 bit": Image.fromarray((ramp * 257).astype(np.uint16)),
        "1 bit": Image.new("1", (64, 64)),
        "transparent": Image.new("RGBA", (50, 80), (0, 0, 0, 0)),
        "heic": Image.new("RGB", (64, 48), (30, 90, 30)),
        "large": Image.new("RGB", (4000, 3000), (90, 90, 200)),
    }
    if request.param == "heic":
        import pillow_heif

        pillow_heif.register_heif_opener()
    path = tmp_path / ("odd.heic" if request.param == "heic" else "odd.png")
    images[request.param].save(path)
    return path


@pytest.mark.parametrize("card_id", ALL)
def test_odd_pictures_give_what_the_task_promises(run: Any, weights_home: Path, odd_picture: Path, card_id: str):
    """No crash; every output that the spec names, as plain JSON."""
    made = run(card_id, odd_picture)

    spec = SPECS[CARDS[card_id].tasks[0]]
    assert list(made) == [output.name for output in spec.outputs]
    for output in spec.outputs:
        if output.kind == "data":
            assert json.loads(json.dumps(made[output.name], allow_nan=False)) == made[output.name]


def test_every_vision_row_is_tested_here():
    """A new row of vision experts belongs into this file; those of `maps.toml` have one of their own."""
    rows = box.read(Path(box.__file__).with_name("vision.toml"))

    assert {card.id for card in rows} == set(ALL)
