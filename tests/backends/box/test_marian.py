"""Marian's files and its network, on a model small enough to be written here."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from dragoman.backends.box.marian import Marian, positions
from dragoman.backends.box.marian_files import FLOAT32, INTGEMM8, SHORTLIST_MAGIC, Shortlist, read_weights

WIDTH, WORDS, HIDDEN = 16, 12, 8


def write_model(path: Path, weights: dict[str, np.ndarray]) -> None:
    """A model file: matrices as 8-bit integers, vectors as floats."""
    heads, names, shapes, bodies = b"", b"", b"", b""
    for name, matrix in weights.items():
        is_matrix = matrix.shape[0] > 1
        body = _quantized(matrix, is_transposed=name != "Wemb") if is_matrix else matrix.astype("<f4").tobytes()
        heads += struct.pack("<4Q", len(name) + 1, INTGEMM8 if is_matrix else FLOAT32, 2, len(body))
        names += name.encode() + b"\0"
        shapes += struct.pack("<2i", *matrix.shape)
        bodies += body
    path.write_bytes(
        struct.pack("<QQ", 1, len(weights)) + heads + names + shapes + struct.pack("<Q", 5) + b"....." + bodies
    )


def _quantized(matrix: np.ndarray, *, is_transposed: bool) -> bytes:
    factor = 127 / np.abs(matrix).max()
    numbers = np.round((matrix.T if is_transposed else matrix) * factor).astype(np.int8)
    return numbers.tobytes() + np.float32(factor).tobytes()


def small_model() -> dict[str, np.ndarray]:
    """One layer to read, one to write, numbers by chance."""
    rng = np.random.default_rng(0)
    weights = {"Wemb": rng.normal(size=(WORDS, WIDTH)), "decoder_ff_logit_out_b": rng.normal(size=(1, WORDS))}
    for layer, name in (("encoder_l1", "self"), ("decoder_l1", "context")):
        for which in "qkvo":
            weights[f"{layer}_{name}_W{which}"] = rng.normal(size=(WIDTH, WIDTH))
            weights[f"{layer}_{name}_b{which}"] = rng.normal(size=(1, WIDTH))
        weights |= {
            f"{layer}_ffn_W1": rng.normal(size=(WIDTH, HIDDEN)),
            f"{layer}_ffn_W2": rng.normal(size=(HIDDEN, WIDTH)),
        }
        weights |= {f"{layer}_ffn_b1": np.zeros((1, HIDDEN)), f"{layer}_ffn_b2": np.zeros((1, WIDTH))}
        for norm in (f"{layer}_{name}_Wo", f"{layer}_ffn_ffn", f"{layer}_rnn_ffn"):
            weights |= {f"{norm}_ln_scale": np.ones((1, WIDTH)), f"{norm}_ln_bias": np.zeros((1, WIDTH))}
    weights |= {
        "decoder_l1_rnn_W": rng.normal(size=(WIDTH, WIDTH)),
        "decoder_l1_rnn_Wf": rng.normal(size=(WIDTH, WIDTH)),
    }
    return weights | {"decoder_l1_rnn_bf": np.zeros((1, WIDTH))}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The small model as a file."""
    write_model(tmp_path / "model.bin", small_model())
    return tmp_path / "model.bin"


def test_weights_are_read_as_they_were_written(model: Path):
    """Integers times their factor, turned the right way round."""
    found = read_weights(model)

    for name, matrix in small_model().items():
        assert found[name].shape == matrix.shape
        assert np.abs(found[name] - matrix).max() <= np.abs(matrix).max() / 250


def test_a_sentence_is_translated_alike_alone_and_among_others(model: Path):
    """What pads the shorter ones changes nothing, nor does the order."""
    network = Marian(model)
    sentences = [[3, 4, 5], [7], [2, 9, 9, 9, 1]]

    alone = [network.translate([sentence])[0] for sentence in sentences]

    assert network.translate(sentences) == alone
    assert network.translate(sentences[::-1]) == alone[::-1]


def test_a_sentence_ends_even_if_the_model_never_ends_it(tmp_path: Path):
    """A bias against the end token: the length is bounded by what was read."""
    weights = small_model()
    weights["decoder_ff_logit_out_b"][0, 0] = -1e6
    write_model(tmp_path / "endless.bin", weights)

    (written,) = Marian(tmp_path / "endless.bin").translate([[3, 4]])

    assert len(written) == int(2.5 * 3) + 2


def test_only_listed_words_are_written(model: Path, tmp_path: Path):
    """The commonest, and those that go with a word that was read."""
    lists, starts = [6, 7, 8], [0] * 4 + [0, 3] + [3] * 7
    header = struct.pack("<6Q", SHORTLIST_MAGIC, 0, 2, 3, len(starts), len(lists))
    path = tmp_path / "words.lex"
    path.write_bytes(header + struct.pack(f"<{len(starts)}Q", *starts) + struct.pack(f"<{len(lists)}I", *lists))

    assert Shortlist(path).words(np.array([[4, 0]])).tolist() == [0, 1, 6, 7, 8]
    (written,) = Marian(model, shortlist=path).translate([[4]])
    assert set(written) <= {1, 6, 7, 8}


def test_other_files_are_refused(tmp_path: Path):
    """Before a number is made of them."""
    (tmp_path / "other").write_bytes(b"\x07" * 64)

    with pytest.raises(ValueError, match="no model of Marian"):
        read_weights(tmp_path / "other")
    with pytest.raises(ValueError, match="no shortlist"):
        Shortlist(tmp_path / "other")


def test_positions_are_sines_then_cosines():
    """At the start all sines are 0 and all cosines 1; a later start goes on where the first would."""
    assert positions(1, width=4).tolist() == [[0.0, 0.0, 1.0, 1.0]]
    assert np.allclose(positions(5, width=8)[3:], positions(2, width=8, start=3))
