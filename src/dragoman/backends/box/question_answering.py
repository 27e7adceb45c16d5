"""Questions to a text: the sentence that answers, and the few words in it that do, where a pattern tells.

It writes nothing of its own: the sentence is always shown, so that a wrong pick can be seen.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from pathlib import Path

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.answer_spans import answer_span, content_words, wanted
from dragoman.backends.box.sentences import spans
from dragoman.backends.box.texts import data_output, text_of, text_output
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg

HAS_SPAN = 0.15  # what holding words of the kind that is asked for adds to a sentence's closeness
MOST_READ = 200  # sentences put through the encoder: eight seconds of one core at most
OF_FORERUNNER = 0.5
FRAGMENT = 0.2  # what a line of a single word loses: a title names everything and answers nothing

_PRONOUN = re.compile(r"\s*(It|He|She|They|This|These|That|Its|His|Her|Their)\b")


class Answering(ABC):
    """What both experts do; they differ in how they tell which sentence is close to a question. `least`: too far."""

    least: float

    @abstractmethod
    def closeness(self, question: str, passages: list[str]) -> list[float]:
        """How close each passage is to the question."""

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The answer to `text` from `context`. Raises `ExpertError` if no sentence is close enough."""
        del task, tell
        question, context = text_of(args), text_of(args, "context")
        places = spans(context)
        sentences = [context[start:end] for start, end in places]
        near = self.closeness(question, sentences)
        found = [answer_span(question, sentence) for sentence in sentences]
        asks_for_span = bool(wanted(question))
        scores = [
            close + HAS_SPAN * (asks_for_span and span is not None) - FRAGMENT * (" " not in sentence)
            for close, span, sentence in zip(near, found, sentences, strict=True)
        ]
        best = max(range(len(scores)), key=lambda at: scores[at])
        if near[best] < self.least:
            raise ExpertError(
                "no sentence of the text seems to answer this question; ask it in words that the text uses."
            )
        start, end = found[best] or (0, len(sentences[best]))
        sentence = " ".join(sentences[best].split())
        answer = " ".join(sentences[best][start:end].split())
        span = {
            "answer": answer,
            "sentence": sentence,
            "start": places[best][0] + start,
            "end": places[best][0] + end,
            "score": round(min(1.0, max(0.0, near[best])), 4),
        }
        return [
            text_output(answer if answer == sentence else f"{answer} (“{sentence}”)"),
            data_output(span, name="span"),
        ]


class MeaningAnswering(Answering):
    """The sentence nearest in meaning and in words, by a sentence encoder and by rare words shared."""

    least = 0.2

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        from dragoman.backends.box.minilm import encoder_of

        self._encoder = encoder_of(card, files, threads=threads)

    def closeness(self, question: str, passages: list[str]) -> list[float]:
        """The mean of both; of a long text only the sentences with most shared words are read for their meaning."""
        shares = shared(question, passages)
        read = sorted(range(len(passages)), key=lambda at: -shares[at])[:MOST_READ]
        vectors = self._encoder.encode([question, *(passages[at] for at in read)])
        meaning = dict(zip(read, (vectors[1:] @ vectors[0]).tolist(), strict=True))
        return [(meaning.get(at, 0.0) + share) / 2 for at, share in enumerate(shares)]


class WordAnswering(Answering):
    """The sentence that shares most rare words with the question. Needs no weights."""

    least = 0.3

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, files, threads

    def closeness(self, question: str, passages: list[str]) -> list[float]:
        """By the words shared."""
        return shared(question, passages)


def shared(question: str, sentences: list[str]) -> list[float]:
    """How much of the question each sentence holds, 0..1, rare words counting more.

    A sentence that starts with a pronoun has half a share in the words of the one before it, which it speaks of.
    """
    words = [set(content_words(sentence)) for sentence in sentences]
    asked = set(content_words(question))
    weights = {word: math.log(1 + len(words) / (1 + sum(word in held for held in words))) for word in asked}
    total = sum(weights.values()) or 1.0
    own = [sum(weights[word] for word in asked & held) / total for held in words]
    return [
        share + OF_FORERUNNER * max(0.0, own[at - 1] - share) if at and _PRONOUN.match(sentences[at]) else share
        for at, share in enumerate(own)
    ]
