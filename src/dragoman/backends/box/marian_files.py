"""Files of Marian: the weights of a model, and which words are likely to translate which."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

FLOAT32, INTGEMM8 = 0x404, 0x4101  # type codes
SHORTLIST_MAGIC = 0xF11A48D5013417F5


class Shortlist:
    """For each word read, the words that may be written: four times quicker than weighing all 32,000.

    The file: magic, checksum, how many of the commonest words are always in, how many go with each word, then the
    lengths of two tables and the tables: where each word's list starts, and the lists. Raises `ValueError` if it isn't.
    """

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, _, common, _, starts, words = struct.unpack_from("<6Q", data)
        if magic != SHORTLIST_MAGIC:
            raise ValueError(f"{path.name} is no shortlist of Marian")
        self._common = np.arange(common)
        self._starts = np.frombuffer(data, "<u8", starts, 48)
        self._lists = np.frombuffer(data, "<u4", words, 48 + 8 * starts)

    def words(self, ids: Array) -> Array:
        """Every word that may be written when these are read, ascending."""
        lists = [self._lists[self._starts[word] : self._starts[word + 1]] for word in np.unique(ids)]
        return np.unique(np.concatenate([self._common, *lists]))


def read_weights(path: Path) -> dict[str, Array]:
    """The matrices of a model file by name, float32, rows first.

    The file: version, count, then per item (name length, type, dimensions, data length); the names; the dimensions; an
    offset to skip; the data. Raises `ValueError` if it isn't one.
    """
    data = path.read_bytes()
    version, count = struct.unpack_from("<QQ", data)
    if version != 1:
        raise ValueError(f"{path.name} is no model of Marian: version {version}, 1 was expected")
    heads = [struct.unpack_from("<4Q", data, 16 + 32 * at) for at in range(count)]
    at = 16 + 32 * count
    names: list[str] = []
    for head in heads:
        names.append(data[at : at + head[0] - 1].decode())
        at += head[0]
    shapes: list[tuple[int, ...]] = []
    for head in heads:
        shapes.append(struct.unpack_from(f"<{head[2]}i", data, at))
        at += 4 * head[2]
    at += 8 + struct.unpack_from("<Q", data, at)[0]
    weights: dict[str, Array] = {}
    for (_, kind, _, size), name, shape in zip(heads, names, shapes, strict=True):
        if kind in (FLOAT32, INTGEMM8) and not name.endswith("_QuantMultA"):
            weights[name] = _matrix(data[at : at + size], kind, shape, is_transposed=name != "Wemb")
        at += size
    return weights


def _matrix(data: bytes, kind: int, shape: tuple[int, ...], *, is_transposed: bool) -> Array:
    rows, columns = shape
    if kind == FLOAT32:
        return np.frombuffer(data, "<f4", rows * columns).reshape(shape)
    factor = np.frombuffer(data, "<f4", 1, rows * columns)
    numbers = np.frombuffer(data, np.int8, rows * columns).astype(np.float32) / factor
    return np.ascontiguousarray(numbers.reshape(columns, rows).T) if is_transposed else numbers.reshape(shape)
