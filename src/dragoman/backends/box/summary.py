"""Extractive summaries: the sentences of a text that say most of it, word for word, in their own order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box import ranking
from dragoman.backends.box.ranking import Weights
from dragoman.backends.box.sentences import split
from dragoman.backends.box.texts import count_of, text_of, text_output
from dragoman.models.card import ModelCard
from dragoman.values import Arg

DEFAULT_SENTENCES = 3
FEWEST_WORDS = 4  # a heading, a cry or a stray line stands for the text only where nothing else is left
LEAD = 0.2  # what standing at the very start adds to a rank: texts tend to open with what they are about
MOST_READ = 200  # sentences put through the encoder: eight seconds of one core at most
WIDE_ENDS = "。！？｡」』"

Likeness = Callable[[int, int], float]


class Summary(ABC):
    """What both summarizers do; they differ in how they tell whether sentences are alike."""

    @abstractmethod
    def compare(self, sentences: list[str]) -> tuple[list[Weights], Likeness]:
        """Each sentence's likeness to its neighbours, and a function for the likeness of any two."""

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The summary of `text` in `sentences` sentences, or in three."""
        del task, tell
        sentences = [" ".join(sentence.split()) for sentence in split(text_of(args))]
        wanted = count_of(args, "sentences", default=DEFAULT_SENTENCES)
        whole = [sentence for sentence in sentences if not is_fragment(sentence)]
        if wanted < len(sentences):
            sentences = self.chosen(whole if len(whole) >= wanted else sentences, wanted)
        return [text_output(joined(sentences))]

    def chosen(self, sentences: list[str], wanted: int) -> list[str]:
        """The sentences of the summary."""
        neighbours, likeness = self.compare(sentences)
        ranks = [
            rank + LEAD * (1 - at / len(sentences)) - is_fragment(sentences[at])
            for at, rank in enumerate(ranking.centrality(neighbours))
        ]
        return [sentences[at] for at in ranking.choose(ranks, likeness, count=wanted)]


class WordSummary(Summary):
    """Sentences are alike that share rare words. Needs no weights and knows no language."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, files, threads

    def compare(self, sentences: list[str]) -> tuple[list[Weights], Likeness]:
        """By TF-IDF."""
        vectors = ranking.word_vectors(sentences)
        return ranking.shared_words(vectors), lambda one, other: ranking.cosine(vectors[one], vectors[other])


class MeaningSummary(Summary):
    """Sentences are alike that mean alike, by a sentence encoder."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        from dragoman.backends.box.minilm import encoder_of

        self._encoder = encoder_of(card, files, threads=threads)

    def chosen(self, sentences: list[str], wanted: int) -> list[str]:
        """The sentences of the summary; of a long text only those that its words make likely are read for meaning."""
        return super().chosen(likely(sentences, count=max(MOST_READ, wanted)), wanted)

    def compare(self, sentences: list[str]) -> tuple[list[Weights], Likeness]:
        """By the cosine of their vectors."""
        vectors = self._encoder.encode(sentences)
        cosines: list[Weights] = []
        for at, row in enumerate(vectors @ vectors.T):
            few = row.argsort()[::-1][: ranking.NEIGHBOURS + 1].tolist()
            cosines.append({place: float(row[place]) for place in few if place != at and row[place] > 0})
        return ranking.nearest(cosines), lambda one, other: float(vectors[one] @ vectors[other])


def likely(sentences: list[str], *, count: int) -> list[str]:
    """The `count` sentences that share most rare words with the others, in their own order."""
    if len(sentences) <= count:
        return sentences
    ranks = ranking.centrality(ranking.shared_words(ranking.word_vectors(sentences)))
    kept = sorted(range(len(sentences)), key=lambda at: -ranks[at])[:count]
    return [sentences[at] for at in sorted(kept)]


def is_fragment(sentence: str) -> bool:
    """Whether it is too short, or without an end, to stand for a text."""
    has_wide_end = sentence.endswith(tuple(WIDE_ENDS))
    return not has_wide_end and (len(sentence.split()) < FEWEST_WORDS or sentence[-1].isalnum())


def joined(sentences: list[str]) -> str:
    """The sentences one behind another, spaced as their writing wants; behind a heading the line ends."""
    return "".join(text + _space(text) for text in sentences).strip()


def _space(sentence: str) -> str:
    if sentence.endswith(tuple(WIDE_ENDS)):
        return ""
    return "\n" if sentence[-1].isalnum() else " "
