"""Sentence encoders as ONNX files: texts in, vectors of unit length out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import onnxruntime as ort
from tokenizers import Encoding, Tokenizer

Array = np.ndarray[Any, Any]

WINDOW = 256  # tokens that all-MiniLM-L6-v2 was trained to read at once
BATCH_TOKENS = 4096  # keeps one batch under about 100 MB of attention


class Encoder:
    """A BERT-like sentence encoder: mean over its last hidden states, then unit length.

    A text longer than the window is read in parts; its vector is their mean, each weighted by its tokens.
    output: name of the hidden states in the graph, "" for the first output.
    """

    def __init__(self, model: Path, tokenizer: Path, *, threads: int, output: str = "") -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.enable_cpu_mem_arena = False  # batches differ in shape: the arena would keep the largest
        options.log_severity_level = 3
        self._session = ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._inputs = {put.name for put in self._session.get_inputs()}
        self._output = output or self._session.get_outputs()[0].name
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(WINDOW)
        self._tokenizer.no_padding()

    def encode(self, texts: Sequence[str]) -> Array:
        """One row of unit length per text, float32, in order."""
        parts = [(at, part) for at, text in enumerate(texts) for part in self._parts(text)]
        sums: Array | None = None
        for batch in _batches(parts):
            summed = self._sums([part for _, part in batch])
            sums = np.zeros((len(texts), summed.shape[1]), np.float32) if sums is None else sums
            np.add.at(sums, [at for at, _ in batch], summed)
        if sums is None:
            return np.zeros((0, 0), np.float32)
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)

    def _parts(self, text: str) -> list[Encoding]:
        whole = self._tokenizer.encode(text)
        return [whole, *whole.overflowing]

    def _sums(self, parts: list[Encoding]) -> Array:
        """Per part, the sum of its tokens' hidden states."""
        ids = np.zeros((len(parts), max(len(part.ids) for part in parts)), np.int64)
        mask = np.zeros_like(ids)
        for row, part in enumerate(parts):
            ids[row, : len(part.ids)] = part.ids
            mask[row, : len(part.ids)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = {name: array for name, array in feeds.items() if name in self._inputs}
        hidden = np.asarray(self._session.run([self._output], wanted)[0])
        return (hidden * mask[..., None].astype(np.float32)).sum(axis=1)


def _batches(parts: list[tuple[int, Encoding]]) -> Iterator[list[tuple[int, Encoding]]]:
    """Parts of like length together, so that little is padded."""
    batch: list[tuple[int, Encoding]] = []
    for part in sorted(parts, key=lambda item: len(item[1].ids)):
        if batch and (len(batch) + 1) * len(part[1].ids) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(part)
    if batch:
        yield batch


_encoders: WeakValueDictionary[tuple[int, int, str], Encoder] = WeakValueDictionary()


def shared_encoder(model: Path, tokenizer: Path, *, threads: int, output: str = "") -> Encoder:
    """The encoder of these files; experts of one process that use the same files share it while one of them lives."""
    file = model.stat()  # cards hold hard links to the same file
    key = (file.st_dev, file.st_ino, output)
    encoder = _encoders.get(key)
    if encoder is None:
        encoder = _encoders[key] = Encoder(model, tokenizer, threads=threads, output=output)
    return encoder
