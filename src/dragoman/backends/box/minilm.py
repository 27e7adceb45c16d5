"""Meaning as vectors: embeddings, likeness of texts, and classes that the person names."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.embedding import Array, Encoder, shared_encoder
from dragoman.backends.box.texts import data_output, labels_output, names_of, text_of, texts_of
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg

TEMPLATE = "This text is about {}."  # right on 60 of 62 lines of scripts/zero_shot_lines.tsv; the bare label on 54
TEMPERATURE = 0.02  # cosines over this into softmax: within 0.01 of the least log loss on the same lines


class MiniLM:
    """A sentence encoder at work. Files: `model.onnx`, `tokenizer.json`; options: `output`, `temperature`."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._encoder = encoder_of(card, files, threads=threads)
        self._temperature = float(card.options.get("temperature", TEMPERATURE))

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """Vectors, similarities or labels, by `task`."""
        del tell
        if task == "feature-extraction":
            return [data_output(_rounded(self._encoder.encode(texts_of(args))), name="vectors")]
        if task == "sentence-similarity":
            return [data_output(self._similarity(texts_of(args)), name="similarity")]
        return [labels_output(self._labels(text_of(args), names_of(args, "labels")))]

    def _similarity(self, texts: list[str]) -> list[dict[str, str | float]]:
        if len(texts) < 2:
            raise ExpertError("likeness needs at least two texts, one came; add one to compare it with.")
        vectors = self._encoder.encode(texts)
        cosines = vectors[1:] @ vectors[0]
        return [
            {"text": text, "score": round(float(cosine), 4)} for text, cosine in zip(texts[1:], cosines, strict=True)
        ]

    def _labels(self, text: str, labels: list[str]) -> dict[str, float]:
        vectors = self._encoder.encode([text, *(TEMPLATE.format(label) for label in labels)])
        return dict(zip(labels, softmax(vectors[1:] @ vectors[0] / self._temperature), strict=True))


def encoder_of(card: ModelCard, files: dict[str, Path], *, threads: int) -> Encoder:
    """The encoder among a card's files, shared with the other experts that use it."""
    output = str(card.options.get("output", ""))
    return shared_encoder(files["model.onnx"], files["tokenizer.json"], threads=threads, output=output)


def softmax(logits: Array) -> list[float]:
    """Shares that sum to 1."""
    weights = np.exp(np.asarray(logits, np.float64) - np.max(logits))
    return [float(weight) for weight in weights / weights.sum()]


def _rounded(vectors: Array) -> list[list[float]]:
    return [[round(float(number), 6) for number in vector] for vector in vectors]
