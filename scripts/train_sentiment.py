"""Trains the heads of the sentiment experts and prints how good they are on what they haven't seen.

    python scripts/train_sentiment.py FOLDER

FOLDER holds the four `*_GroundTruth.txt` files of human ratings that ride in the source distribution of
vaderSentiment 3.3.2 (MIT), inside `additional_resources/hutto_ICWSM_2014.tar.gz`; unpack them by hand. They are no part
of this project. Needs scikit-learn, and the weights of the expert `sentiment-minilm` (`dragoman models fetch`).
"""

from __future__ import annotations

import html
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from dragoman.backends.box import sentiment
from dragoman.backends.box.embedding import Array
from dragoman.backends.box.sentiment import LABELS, MeaningSentiment, Sentiment, WordSentiment
from dragoman.config import Settings
from dragoman.models.box import cards
from dragoman.models.fetch import ModelStore

CORPORA = ("movieReviewSnippets", "amazonReviewSnippets", "nytEditorialSnippets", "tweets")
NEUTRAL = Path(__file__).with_name("neutral_lines.txt")
BAND = 0.5  # a mean rating nearer to 0 than this, on VADER's scale of -4 to 4, is neutral
HELD_OUT = 5  # one document in so many is kept for the test, so lines of one review never stand on both sides
EXPERTS: dict[str, type[Sentiment]] = {"sentiment-minilm": MeaningSentiment, "sentiment-vader": WordSentiment}


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Rated lines. labels: index into LABELS. is_held_out: kept for the test. share: its weight in the training."""

    name: str
    lines: list[str]
    labels: Array
    is_held_out: Array
    share: float = 1.0


def read_corpus(path: Path) -> Corpus:
    """One file of human ratings: id, mean rating, line."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8", errors="replace").splitlines()]
    rows = [row for row in rows if len(row) >= 3 and row[2].strip()]
    documents = [row[0].partition("_")[0] for row in rows]
    kept = set(sorted(set(documents), key=int)[::HELD_OUT])
    ratings = np.array([float(row[1]) for row in rows])
    return Corpus(
        name=path.name.removesuffix("_GroundTruth.txt"),
        lines=[html.unescape(row[2]) for row in rows],
        labels=np.where(ratings <= -BAND, 0, np.where(ratings >= BAND, 2, 1)),
        is_held_out=np.array([document in kept for document in documents]),
    )


def read_neutral() -> Corpus:
    """Our own plain statements, without which a fact sounds like a complaint."""
    lines = NEUTRAL.read_text(encoding="utf-8").splitlines()
    is_held_out = np.arange(len(lines)) % HELD_OUT == 0
    return Corpus(
        name="neutral_lines", lines=lines, labels=np.ones(len(lines), int), is_held_out=is_held_out, share=0.3
    )


def fit(corpora: list[Corpus], features: list[Array]) -> LogisticRegression:
    """Each corpus weighs by its share, however many lines it has."""
    kept = [~corpus.is_held_out for corpus in corpora]
    weights = np.concatenate(
        [np.full(rows.sum(), corpus.share / rows.sum()) for corpus, rows in zip(corpora, kept, strict=True)]
    )
    return LogisticRegression(C=1.0, max_iter=3000).fit(
        np.concatenate([found[rows] for found, rows in zip(features, kept, strict=True)]),
        np.concatenate([corpus.labels[rows] for corpus, rows in zip(corpora, kept, strict=True)]),
        sample_weight=weights * len(weights) / weights.sum(),
    )


def figures(model: LogisticRegression, corpus: Corpus, features: Array) -> dict[str, float]:
    """On the held-out lines: how often the label is right, and how often the sign, where the raters saw one."""
    shares = model.predict_proba(features[corpus.is_held_out])
    labels = corpus.labels[corpus.is_held_out]
    found = {"lines": len(labels), "three_labels": round(float((shares.argmax(axis=1) == labels).mean()), 3)}
    rated = labels != LABELS.index("NEUTRAL")
    if rated.any():
        is_positive = shares[rated, 2] > shares[rated, 0]
        found["sign"] = round(float((is_positive == (labels[rated] == 2)).mean()), 3)
    return found


def main(folder: Path) -> None:
    """Train both heads and write them beside the adapter."""
    corpora = [*(read_corpus(folder / f"{name}_GroundTruth.txt") for name in CORPORA), read_neutral()]
    store = ModelStore(Settings.from_env().home)
    for card in cards():
        if card.id not in EXPERTS:
            continue
        expert = EXPERTS[card.id](card=card, files=store.files_of(card), threads=2)
        features = [np.array(expert.features(corpus.lines)) for corpus in corpora]
        model = fit(corpora, features)
        measured = {corpus.name: figures(model, corpus, found) for corpus, found in zip(corpora, features, strict=True)}
        head = {
            "held_out": measured,
            "bias": np.round(model.intercept_, 4).tolist(),
            "weights": np.round(model.coef_, 4).tolist(),
        }
        Path(sentiment.__file__).with_name(expert.head_name).write_text(json.dumps(head) + "\n", encoding="utf-8")
        sys.stdout.write(f"{card.id} {json.dumps(measured, indent=2)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
