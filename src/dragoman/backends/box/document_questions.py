"""Questions to a scanned page, form, invoice or PDF: the value whose key, or whose row and column, is asked for.

Extractive: nothing is written that the page does not say. MiniLM tells how close a key is to the question in meaning,
and what kind of thing is asked for (a date, an amount, a name) must be what the value is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from dragoman.backends.base import Item, Produced, Tell
from dragoman.backends.box.answer_spans import answer_span, content_words, wanted
from dragoman.backends.box.boxes import Box
from dragoman.backends.box.document_intents import (
    asks_for_all,
    asks_for_title,
    is_other_sum,
    kinds_of,
    phrases_of,
    spoken,
)
from dragoman.backends.box.document_layout import Fact, around, facts_of
from dragoman.backends.box.document_lines import Rows, pages_of
from dragoman.backends.box.embedding import Array
from dragoman.backends.box.minilm import encoder_of
from dragoman.backends.box.ocr import open_reader
from dragoman.backends.box.question_answering import shared
from dragoman.backends.box.sentences import spans
from dragoman.backends.box.text_layout import plain_text
from dragoman.backends.box.texts import data_output, text_of, text_output
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json

Pages = list[tuple[int | None, Rows]]
Told = tuple[Fact, int | None]  # with its page
Encode = Callable[[Sequence[str]], Array]

LEAST_FACT, LEAST_TEXT = 0.52, 0.32
IS_OF_KIND, IS_OTHER_KIND, HAS_KIND = 0.12, -0.4, 0.15
NAMED_ROW = 0.6  # of its words in the question: then it is this row that is asked about
OF_WORDS = 0.25  # the rest is of meaning
BY_PHRASE, HOLDS = 0.95, 0.85
SAID = 0.2  # for a word that the question says of its own: `water` when a total is asked for
LEAST_ROW = 0.55  # how clearly the row of a cell must be named
_PLACE = re.compile(r"\b(where|address|lives?)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """An answer: its words, the line and the place that it stands in, from 0 to 1 how well it fits."""

    answer: str
    line: str
    box: Box
    score: float
    page: int | None

    def data(self) -> dict[str, Json]:
        """The output `span`, of a document with its `page`."""
        data: dict[str, Json] = {
            "answer": self.answer,
            "line": self.line,
            "box": [round(edge) for edge in self.box],
            "score": round(self.score, 4),
        }
        return data if self.page is None else {**data, "page": self.page}


class DocumentAnswers:
    """Adapter for document-question-answering. files: a text reader's and a sentence encoder's."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._reader = open_reader(card, files, threads=threads)
        self._encoder = encoder_of(card, files, threads=threads)
        self._read: tuple[tuple[str, str], Pages] | None = None

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The answer and where it stands; empty words and a low score where the page does not say it."""
        del task
        question = text_of(args)
        item = args.get("image", args.get("document"))
        if not isinstance(item, Item):
            raise ExpertError(f"a picture or a document is wanted as `image`; {type(item).__name__} came.")
        pages = self._pages(item, tell=tell)
        if not pages:
            raise ExpertError("nothing that could be read is written there.")
        if asks_for_all(question):
            whole = "\n\n".join(plain_text(rows) for _, rows in pages)
            facts = facts_of(pages[0][1])
            found = Found(answer=whole, line=facts[0].line, box=facts[0].box, score=1.0, page=pages[0][0])
        else:
            found = self._best(question, [(fact, page) for page, rows in pages for fact in facts_of(rows)])
        return [text_output(found.answer), data_output(found.data(), name="span")]

    def _pages(self, item: Item, *, tell: Tell) -> Pages:
        """What is written, page by page. The last page or document is remembered: questions come in rows."""
        key = (item.resource.sha256, str(item.path))
        if self._read is None or self._read[0] != key:
            self._read = (key, [(page, rows) for page, rows in pages_of(item, self._reader, tell=tell) if rows])
        return self._read[1]

    def _best(self, question: str, facts: Sequence[Told]) -> Found:
        """The value whose key or cell is meant, a row that is named first; else what a sentence says."""
        if asks_for_title(question):
            fact, page = next(((fact, page) for fact, page in facts if fact.kind == "title"), facts[0])
            return _found(fact, page, question, score=1.0)
        told = [(fact, page) for fact, page in facts if fact.kind in ("pair", "cell")]
        named = [(fact, page) for fact, page in told if share_said(fact.row, question) >= NAMED_ROW]
        for group in (named, told):
            scores = self._scores(question, [fact for fact, _ in group])
            best = max(range(len(group)), key=lambda at: scores[at], default=0)
            if group and scores[best] >= LEAST_FACT:
                return _found(*group[best], question, score=scores[best])
        return self._written(question, facts)

    def _written(self, question: str, facts: Sequence[Told]) -> Found:
        """What the nearest sentence says; no words where none is near enough."""
        sentences = [each for page in dict.fromkeys(page for _, page in facts) for each in sentences_of(facts, page)]
        near = self._nearness(question, [sentence for sentence, _, _ in sentences])
        patterns = kinds_of(question)
        scores = [
            score + HAS_KIND * any(re.search(pattern, sentence) for pattern in patterns)
            for score, (sentence, _, _) in zip(near, sentences, strict=True)
        ]
        best = max(range(len(sentences)), key=lambda at: scores[at], default=0)
        if not sentences or scores[best] < LEAST_TEXT:
            return Found(answer="", line="", box=(0, 0, 0, 0), score=max([*scores, 0.0]), page=None)
        sentence, box, page = sentences[best]
        return Found(
            answer=part_of(sentence, question), line=sentence, box=box, score=min(1.0, scores[best]), page=page
        )

    def _scores(self, question: str, facts: Sequence[Fact]) -> list[float]:
        """How well each pair or cell answers, up to 1."""
        names = list(dict.fromkeys(name for fact in facts for name in (fact.key, fact.row) if name))
        if not names:
            return [0.0] * len(facts)
        close = _Closeness(question, names, self._encoder.encode)
        return [min(1.0, max(0.0, close.of(fact) + _kind_bonus(question, fact))) for fact in facts]

    def _nearness(self, question: str, lines: Sequence[str]) -> list[float]:
        if not lines:
            return []
        vectors = self._encoder.encode([question, *lines])
        meaning = (vectors[1:] @ vectors[0]).tolist()
        return [(alike + share) / 2 for alike, share in zip(meaning, shared(question, list(lines)), strict=True)]


class _Closeness:
    """How close the names on a page are to a question: by its own words, and by what such things are called."""

    def __init__(self, question: str, names: Sequence[str], encode: Encode) -> None:
        self._question = question
        self._phrases = phrases_of(question)
        said = " ".join(content_words_as_written(question)) or question
        vectors = encode([question, said, *self._phrases, *map(spoken, names)])
        count = 2 + len(self._phrases)
        self._said = set(content_words(question)) - set(content_words(" ".join(self._phrases)))
        likeness = vectors[count:] @ vectors[:count].T
        self._own: dict[str, float] = dict(zip(names, likeness[:, :2].max(axis=1).tolist(), strict=True))
        called = likeness[:, 2:].max(axis=1, initial=0.0).tolist()
        self._called = {name: max(score, self._holds(name)) for name, score in zip(names, called, strict=True)}

    def of(self, fact: Fact) -> float:
        """How close a pair's key is; of a cell both its row and its column."""
        key = self._key(fact.key)
        if fact.kind == "pair":
            return 0.0 if is_other_sum(fact.key, self._question) else key
        row = max(share_said(fact.row, self._question), self._own[fact.row]) if fact.row else 0.0
        is_itself = fact.value == (fact.row,)
        return 0.0 if row < LEAST_ROW or is_itself else (row + key) / 2

    def _holds(self, name: str) -> float:
        """Whether a name holds all words of what the thing is called: `Billing period` is a period."""
        words = set(content_words(spoken(name)))
        return HOLDS * any(words >= set(content_words(phrase)) for phrase in self._phrases if content_words(phrase))

    def _key(self, name: str) -> float:
        meaning = max(self._own[name], BY_PHRASE * self._called[name])
        words = max(share_said(name, self._question), self._called[name] > 0.99)
        return (1 - OF_WORDS) * meaning + OF_WORDS * words + SAID * bool(self._said & set(content_words(spoken(name))))


def content_words_as_written(question: str) -> list[str]:
    """The words of a question that say something, with their endings."""
    return [word for word in re.findall(r"[\w'-]+", question.lower()) if content_words(word)]


def share_said(name: str, question: str) -> float:
    """The share of a name's words that the question says."""
    words = set(content_words(spoken(name)))
    return len(words & set(content_words(question))) / len(words) if words else 0.0


def sentences_of(facts: Sequence[Told], page: int | None) -> list[tuple[str, Box, int | None]]:
    """The sentences of a page, across its lines, with the place of the lines that each stands in."""
    lines = [fact for fact, own in facts if own == page and fact.kind == "text"]
    text = "\n".join(fact.line for fact in lines)
    starts = list(accumulate((len(fact.line) + 1 for fact in lines), initial=0))
    found: list[tuple[str, Box, int | None]] = []
    for start, end in spans(text):
        held = [fact for at, fact in enumerate(lines) if starts[at] < end and starts[at + 1] > start]
        found.append((" ".join(text[start:end].split()), around([fact.box for fact in held]), page))
    return found


def part_of(sentence: str, question: str) -> str:
    """The few words of a sentence that answer, where a pattern tells; else the sentence."""
    for pattern in kinds_of(question)[: 1 if kinds_of(question) != wanted(question) else 0]:
        if match := re.search(pattern, sentence):
            return match[0]
    span = answer_span(question, sentence)
    return sentence[slice(*span)] if span else sentence


def _kind_bonus(question: str, fact: Fact) -> float:
    """More for a value of the kind that is asked for, less for another."""
    patterns = kinds_of(question)
    if not patterns:
        return 0.0
    return IS_OF_KIND if any(re.search(pattern, line) for pattern in patterns for line in fact.value) else IS_OTHER_KIND


def _found(fact: Fact, page: int | None, question: str, *, score: float) -> Found:
    is_one_line = kinds_of(question) and not _PLACE.search(question)  # of an address, the name that stands first
    answer = ", ".join(fact.value[:1] if is_one_line else fact.value)
    return Found(answer=answer, line=fact.line, box=fact.box, score=score * fact.read, page=page)
