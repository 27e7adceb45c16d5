"""Sentiment: whether a text sounds positive, neutral or negative."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.lexicon import compound, read_lexicon
from dragoman.backends.box.sentences import spans
from dragoman.backends.box.texts import labels_output, text_of
from dragoman.models.card import ModelCard
from dragoman.values import Arg

LABELS = ("NEGATIVE", "NEUTRAL", "POSITIVE")
PASSAGE_CHARS = 150  # about as long as the lines that the heads were trained on
NEUTRAL_WEIGHT = 0.02  # what a passage without any opinion counts beside one that is all opinion

Shares = list[float]  # one per label, summing to 1


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Multinomial logistic regression: a row of weights and a bias per label. Written by scripts/train_sentiment.py."""

    weights: list[list[float]]
    bias: list[float]

    def shares(self, features: Sequence[float]) -> Shares:
        """The share of each label."""
        logits = [
            bias + sum(weight * feature for weight, feature in zip(row, features, strict=True))
            for row, bias in zip(self.weights, self.bias, strict=True)
        ]
        raised = [math.exp(logit - max(logits)) for logit in logits]
        return [value / sum(raised) for value in raised]


class Sentiment(ABC):
    """What both experts do; they differ in what they hear in a passage. Files: `ratings.txt`, `emoji.txt`."""

    head_name: str

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, threads
        self._lexicon = read_lexicon(files["ratings.txt"], files["emoji.txt"])

    @abstractmethod
    def features(self, passages: list[str]) -> list[list[float]]:
        """What the head is told of each passage."""

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The three labels of `text`, best first; a long text is heard in passages."""
        del task, tell
        head = read_head(self.head_name)
        heard = [head.shares(features) for features in self.features(passages(text_of(args)))]
        return [labels_output(dict(zip(LABELS, overall(heard), strict=True)))]

    def rated(self, passages: list[str]) -> list[list[float]]:
        """Per passage, what its rated words say."""
        return [rated_features(compound(passage, self._lexicon)) for passage in passages]


class WordSentiment(Sentiment):
    """By rated words and rules alone."""

    head_name = "sentiment_words.json"

    def features(self, passages: list[str]) -> list[list[float]]:
        """The rated words."""
        return self.rated(passages)


class MeaningSentiment(Sentiment):
    """By the meaning of the whole, from a sentence encoder, and by rated words."""

    head_name = "sentiment_meaning.json"

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        from dragoman.backends.box.minilm import encoder_of

        super().__init__(card=card, files=files, threads=threads)
        self._encoder = encoder_of(card, files, threads=threads)

    def features(self, passages: list[str]) -> list[list[float]]:
        """The vector, then the rated words."""
        vectors = self._encoder.encode(passages).tolist()
        return [[*vector, *rated] for vector, rated in zip(vectors, self.rated(passages), strict=True)]


@cache
def read_head(name: str) -> Head:
    """One of the trained heads beside this file."""
    return msgspec.json.decode(Path(__file__).with_name(name).read_bytes(), type=Head)


def rated_features(score: float) -> list[float]:
    """What a head is told of the rated words: how they sound, how strongly, and whether there are none."""
    return [score, abs(score), float(score == 0.0)]


def passages(text: str) -> list[str]:
    """Neighbouring sentences together, as many as a passage holds."""
    parts: list[str] = []
    for start, end in spans(text):
        sentence = text[start:end]
        if parts and len(parts[-1]) + 1 + len(sentence) <= PASSAGE_CHARS:
            parts[-1] += f" {sentence}"
        else:
            parts.append(sentence)
    return parts


def overall(heard: Sequence[Shares]) -> Shares:
    """The mean of the passages' shares; a passage counts by how far it holds an opinion at all."""
    weights = [NEUTRAL_WEIGHT + (1 - shares[LABELS.index("NEUTRAL")]) ** 2 for shares in heard]
    return [
        sum(weight * shares[label] for weight, shares in zip(weights, heard, strict=True)) / sum(weights)
        for label in range(len(LABELS))
    ]
