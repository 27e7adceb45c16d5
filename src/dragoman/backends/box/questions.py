"""Questions to a text, answered with its own words: the sentence that says it, and the few words in it that do.

Extractive: nothing is written that the text does not say; where no sentence is near enough, no words come back.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.document_intents import kinds_of
from dragoman.backends.box.minilm import encoder_of
from dragoman.backends.box.question_spans import SMALL, key_value, lemma, lemmas, span_of
from dragoman.backends.box.sentences import spans
from dragoman.backends.box.texts import data_output, text_of, text_output
from dragoman.models.card import ModelCard
from dragoman.values import Arg

Span = tuple[int, int]

LEAST = 0.34
HAS_KIND, LACKS_KIND = 0.1, -0.25  # for words of the kind that is asked for: a date, a name, an amount
IS_ADDRESS = 0.25  # for an e-mail address or a phone number that is asked for
OF_NAMES = 0.5  # of other words, since the whole text may be about whom the question names
OF_FORERUNNER = 0.6  # of what the sentence before it shares, where a sentence begins with `it` or `she`
STRANGER = -0.25  # where the thing that is asked for is named nowhere in the text: the mayor, the price
NAMESAKE = -0.2  # where a sentence is about Pierre Curie and the question about Marie Curie
FRAGMENT = 0.15
_FULL_NAME = re.compile(r"\b([A-Z][a-z]+) ([A-Z][a-z]+)\b")
_NAME = r"\b[A-Z][^\W_]+"
_NAMED_KIND = re.compile(
    r"\b(?:which|what) (?:country|city|ocean|river|company|firm|person|team|state|town|building|university|planet)\b",
    re.I,
)
_PRICE = re.compile(r"\b(?:costs?|price|paid|pay|fee|salary)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"\b(?:e-?mail|phone|telephone)\b", re.IGNORECASE)
_LEAD = r"(?:(?:In|On|At|During|From|After|There)\b[^,]*,?\s)?"
_PRONOUN = re.compile(rf"\s*{_LEAD}(?i:it|he|she|they|this|these|there|its|his|her|their)\b")
_ROLE = re.compile(
    r"^(?:who|what|which) (?:is|was|are|were) (?:the|her|his|its|their|an?) (?P<role>[\w ]+?)"
    r"(?: (?:of|in|for|at)\b.*)?[?. ]*$",
    re.IGNORECASE,
)


class TextAnswers:
    """Adapter for question-answering. files: a sentence encoder's."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._encoder = encoder_of(card, files, threads=threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The answer to `text` from `context` and where it stands; empty where the text does not say it."""
        del task, tell
        question, context = text_of(args), text_of(args, "context")
        places = units(context)
        sentences = [context[start:end] for start, end in places]
        scores = self._scores(question, sentences)
        best = max(range(len(scores)), key=lambda at: scores[at])
        if scores[best] < LEAST:
            nothing = {"answer": "", "sentence": "", "start": 0, "end": 0, "score": round(max(0.0, scores[best]), 4)}
            return [text_output(""), data_output(nothing, name="span")]
        sentence, offset = sentences[best], places[best][0]
        start, end = answer_in(question, sentence)
        answer, line = (" ".join(words.split()) for words in (sentence[start:end], sentence))
        span = {
            "answer": answer,
            "sentence": line,
            "start": offset + start,
            "end": offset + end,
            "score": round(min(1.0, scores[best]), 4),
        }
        return [text_output(answer if answer == line else f"{answer} (“{line}”)"), data_output(span, name="span")]

    def _scores(self, question: str, sentences: Sequence[str]) -> list[float]:
        """How well each sentence answers, about 0 to 1."""
        vectors = self._encoder.encode([question, *sentences])
        meaning = vectors[1:] @ vectors[0]
        words = shared_lemmas(question, sentences)
        stranger = STRANGER * names_a_stranger(question, sentences)
        return [
            (float(alike) + share) / 2
            + _kind(question, sentence)
            + stranger
            + NAMESAKE * is_of_namesake(question, sentence)
            - FRAGMENT * (" " not in sentence)
            for alike, share, sentence in zip(meaning, words, sentences, strict=True)
        ]


def units(text: str) -> list[Span]:
    """The sentences of `text`; a line with a key and its value is one of its own."""
    found: list[Span] = []
    for start, end in spans(text):
        lines = list(re.finditer(r"[^\n]+", text[start:end]))
        if len(lines) > 1 and sum(key_value(line[0]) is not None for line in lines) > 1:
            found += [(start + line.start(), start + line.end()) for line in lines]
        else:
            found.append((start, end))
    return found


def answer_in(question: str, sentence: str) -> Span:
    """The place of the short answer in its sentence; all of it where no rule tells."""
    if pair := key_value(sentence):
        return pair[1]
    return span_of(question, sentence) or (0, len(sentence))


def shared_lemmas(question: str, sentences: Sequence[str]) -> list[float]:
    """How much of the question each sentence holds, 0 to 1, rare words counting more."""
    held = [set(lemmas(sentence)) for sentence in sentences]
    spread = Counter(word for words in held for word in words)
    names = {word.lower() for word in re.findall(r"(?<=\s)[A-Z][^\W_]+", question)}
    weights = {
        word: math.log(1 + len(held) / (1 + spread[word])) * (OF_NAMES if word in names else 1)
        for word in set(lemmas(question))
    }
    total = sum(weights.values()) or 1.0
    own = [sum(weights[word] for word in weights.keys() & words) / total for words in held]
    return [
        min(1.0, share + OF_FORERUNNER * max(0.0, own[at - 1] - share))
        if at and _PRONOUN.match(sentences[at])
        else share
        for at, share in enumerate(own)
    ]


def names_a_stranger(question: str, sentences: Sequence[str]) -> bool:
    """Whether a question asks who or what fills a role that the text never names."""
    match = _ROLE.match(question.strip())
    if match is None or _ADDRESS.search(question):
        return False
    role = lemma(match["role"].split()[-1])
    return not any(role in lemmas(sentence) for sentence in sentences)


def is_of_namesake(question: str, sentence: str) -> bool:
    """Whether the sentence names somebody with the same last name as somebody in the question, and not them."""
    asked, named = (set(_FULL_NAME.findall(text)) for text in (question, sentence))
    return not asked & named and bool({last for _, last in asked} & {last for _, last in named})


def _kind(question: str, sentence: str) -> float:
    """More for a sentence that holds something new of the kind that is asked for, less for one that does not."""
    low = question.lower()
    patterns = (_NAME,) if _NAMED_KIND.search(question) else kinds_of(question)
    if _PRICE.search(question):
        patterns = patterns[:1]  # of the kinds of numbers only sums of money
    for pattern in patterns:
        found = {match[0].lower() for match in re.finditer(pattern, sentence)}
        if any(words and words not in low and words not in SMALL for words in found):
            likely = IS_ADDRESS if _ADDRESS.search(question) else HAS_KIND
            return likely if pattern == patterns[0] else 0.0
    return LACKS_KIND if patterns else 0.0
