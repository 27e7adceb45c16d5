"""Outlines and strokes, without HED's own weights."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from dragoman.backends.box import hed_net
from dragoman.backends.box.hed import reduced, strokes
from dragoman.backends.box.onnx_session import open_model
from dragoman.errors import ExpertError

LAYERS = {"block1": 2, "block2": 2, "block3": 3, "block4": 3, "block5": 3}


def small_weights(path: Path) -> Path:
    """A net of HED's shape with two channels, whose fuse layer looks at the first side output alone."""
    import h5py

    with h5py.File(path, "w") as file:
        channels = 3
        for number, (block, layers) in enumerate(LAYERS.items(), 1):
            for layer in range(layers):
                name = f"{block}/layers/conv2d" + (f"_{layer}" if layer else "")
                kernel = np.zeros((3, 3, channels, 2), np.float32)
                kernel[1, 1, 0, 0] = 1
                file[f"{name}/vars/0"], file[f"{name}/vars/1"] = kernel, np.zeros(2, np.float32)
                channels = 2
            side = np.array([1, 0], np.float32).reshape(1, 1, 2, 1)
            file[f"dsn{number}/vars/0"], file[f"dsn{number}/vars/1"] = side, np.zeros(1, np.float32)
        fuse = np.array([1, 0, 0, 0, 0], np.float32).reshape(1, 1, 5, 1)
        file["fuse/vars/0"], file["fuse/vars/1"] = fuse, np.array([-1], np.float32)
    return path


@pytest.mark.parametrize("size", [(1, 1), (37, 50), (64, 3)])
def test_the_turned_net_computes_what_its_weights_say(tmp_path: Path, size: tuple[int, int]):
    """Kernels that pass the first channel on, for sides that no power of two divides: its sigmoid, at full size."""
    hed_net.to_onnx({"hed.weights.h5": small_weights(tmp_path / "hed.h5")}, tmp_path)
    given = np.random.default_rng(7).uniform(-3, 3, (1, 3, *size)).astype(np.float32)

    (edges,) = open_model(tmp_path / "hed.onnx", threads=1).run([hed_net.EDGES], {hed_net.PICTURE: given})

    assert edges[0, 0] == pytest.approx(1 / (1 + np.exp(1 - np.maximum(given[0, 0], 0))), abs=1e-5)


def test_a_file_of_other_weights_is_refused(tmp_path: Path):
    """What is no HDF5, and what lacks a layer."""
    import h5py

    (tmp_path / "words.h5").write_text("not weights")
    h5py.File(tmp_path / "empty.h5", "w").close()

    for name in ("words.h5", "empty.h5"):
        with pytest.raises(ExpertError, match="does not hold the weights of HED"):
            hed_net.to_onnx({"hed.weights.h5": tmp_path / name}, tmp_path)


def test_a_soft_outline_becomes_one_even_stroke():
    """A blurred ring: a ring of three to six pixels' width; a short dash beside it goes."""
    ring = cv2.circle(np.zeros((200, 300), np.uint8), (150, 100), 60, 255, 9)
    outlines = cv2.GaussianBlur(cv2.line(ring, (20, 20), (26, 20), 255, 5), (0, 0), 3)

    drawn = strokes(outlines)

    assert set(np.unique(drawn)) == {0, 255}
    assert 3 <= np.count_nonzero(drawn) / (2 * np.pi * 60) <= 6
    assert not drawn[:40, :60].any()
    assert not drawn[80:120, 130:170].any()


def test_even_ground_has_no_strokes():
    """However bright."""
    assert not strokes(np.full((40, 50), 255, np.uint8)).any()


def test_only_large_pictures_are_reduced():
    """In proportion, never to nothing."""
    assert reduced(np.zeros((10, 20, 3), np.uint8), 512).shape == (10, 20, 3)
    assert reduced(np.zeros((1024, 600, 3), np.uint8), 512).shape == (512, 300, 3)
    assert reduced(np.zeros((4000, 1, 3), np.uint8), 512).shape == (512, 1, 3)
