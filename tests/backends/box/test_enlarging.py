"""What instructions ask for, tiles, and the filter; without weights."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from dragoman.backends.base import Item
from dragoman.backends.box.enlarging import FilterEnlarging
from dragoman.backends.box.enlarging_words import factor, wishes
from dragoman.backends.box.tiles import enlarged_by_tiles, starts
from dragoman.errors import ExpertError
from dragoman.models import box
from dragoman.values import Resource


@pytest.mark.parametrize(
    ("words", "about"),
    [
        ("", set()),
        ("Enlarge photo.jpg 4x", {"size"}),
        ("make it twice as large", {"size"}),
        ("upscale this photo of my cat, then sharpen it", {"size", "edges"}),
        ("Make it sharper and remove the noise.", {"edges", "damage"}),
        ("restore this old photo", {"damage"}),
        ("increase the resolution and quality", {"size", "damage"}),
        ("deblur", {"edges"}),
        ("icon.png is too small. Twice the size, please.", {"size"}),
    ],
)
def test_an_instruction_says_what_it_is_about(words: str, about: set[str]):
    """Size, edges, damage, or several."""
    assert wishes(words) == about


@pytest.mark.parametrize(
    "words",
    [
        "make the sky blue", "Enlarge it and colorize it", "upscale, turn the day into night", "remove the man",
        "sharpen it and add a hat", "restore the colours", "blur the background", "in the style of Monet",
        "make it smaller",
        "ignore the picture", "enlarge it and then write a poem", "放大",
    ],
)  # fmt: skip
def test_any_other_wish_is_seen(words: str):
    """Alone, and beside one that could be met."""
    assert wishes(words) is None


@pytest.mark.parametrize(
    ("words", "times"),
    [("twice as large", 2), ("upscale 4x", 4), ("x4", 4), ("four times larger", 4), ("by a factor of 3", 3),
     ("1.5 times", 1.5), ("larger", None), ("the 1024x768 photo", None)],
)  # fmt: skip
def test_the_words_say_how_many_times(words: str, times: float | None):
    """In digits and in words; a size in pixels is no factor."""
    assert factor(words) == times


@pytest.mark.parametrize("size", [(1, 1), (5, 90), (64, 64), (65, 130)])
def test_tiles_give_what_the_whole_would(size: tuple[int, int]):
    """An enlarging that looks two pixels around, in tiles of 32: equal to its work on the whole picture."""

    def enlarge(pixels: np.ndarray) -> np.ndarray:
        sums = sum(np.roll(pixels.astype(int), (y, x), (0, 1)) for y in range(-2, 3) for x in range(-2, 3))
        return np.repeat(np.repeat((sums // 25).astype(np.uint8), 2, 0), 2, 1)

    pixels = np.random.default_rng(3).integers(0, 255, (*size, 3), np.uint8)
    told: list[float] = []
    made = enlarged_by_tiles(pixels, enlarge, scale=2, tile_px=32, margin_px=4, tell=told.append)

    padded = np.pad(pixels, ((4, 4), (4, 4), (0, 0)), mode="reflect" if min(size) > 4 else "edge")
    assert np.array_equal(made, enlarge(padded)[8:-8, 8:-8])
    assert told == sorted(told)
    assert starts(65, tile_px=32, margin_px=4) == [(0, 24), (24, 48), (48, 65)]


@pytest.fixture
def filtered(tmp_path: Path) -> Any:
    """Runs the filter on a picture of 40 x 30 pixels, half dark, half light."""
    pixels = np.full((30, 40, 3), 90, np.uint8)
    pixels[:, 20:] = 160
    path = tmp_path / "half.png"
    Image.fromarray(pixels).save(path)
    resource = Resource(name=path.name, kind="image", media_type="image/png", sha256="0" * 64)
    (card,) = [card for card in box.cards() if card.id == "lanczos"]

    def run(**args: Any) -> np.ndarray:
        given = {"image": Item(resource=resource, path=path), **args}
        expert = FilterEnlarging(card=card, files={}, threads=1)
        (output,) = expert.run(task="image-to-image", args=given, tell=lambda fraction, says: None)
        return np.asarray(Image.open(io.BytesIO(output.payload or b"")))

    return run


def test_the_filter_enlarges_and_sharpens(filtered: Any):
    """By the number, by the words, twice by itself; only sharpened it keeps its size, with a harder edge."""
    assert filtered(scale=4.0).shape == (120, 160, 3)
    assert filtered(text="three times larger").shape == (90, 120, 3)
    assert filtered().shape == (60, 80, 3)
    sharp = filtered(text="sharpen it")
    assert sharp.shape == (30, 40, 3)
    assert sharp.min() < 85
    assert sharp.max() > 165


def test_the_filter_says_what_it_cannot_do(filtered: Any):
    """Other wishes, repairs, too many times, too many pixels, a scale in words."""
    for words in ("make it green", "restore it"):
        with pytest.raises(ExpertError, match="can enlarge a picture up to 8 times and sharpen it, nothing else"):
            filtered(text=words)
    with pytest.raises(ExpertError, match="enlarges 1 to 8 times; 9 is wanted"):
        filtered(scale=9)
    with pytest.raises(ExpertError, match="`scale` is a number"):
        filtered(scale="big")
