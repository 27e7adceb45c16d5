"""Translation between two languages, sentence by sentence, the layout kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.language import is_latin, primary, scores
from dragoman.backends.box.marian import Marian
from dragoman.backends.box.sentences import spans
from dragoman.backends.box.texts import text_of, text_output
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg

BATCH = 16
LONGEST_TOKENS = 100  # longer sentences are cut at a comma or a space: the model saw few of them
SURE = 2.0  # common words more than of the likely language, before a text is taken to be in another
LONGEST_SHORT_FORM = 4  # letters: NASA stays as it is
NAMES = {
    "en": "English",
    "pt": "Portuguese",
    "es": "Spanish",
    "fr": "French",
    "de": "German",
    "it": "Italian",
    "nl": "Dutch",
}

_EMOJI = r"[^\w\s\x00-\xff“”‘’„«»…–—€₹]"  # and other signs that the models don't know
_IN_FRONT = re.compile(rf"^(?:{_EMOJI}\s*)+")
_BEHIND = re.compile(rf"(?:\s*{_EMOJI})+$")
_CUT = re.compile(r"[,;:—–]\s+|\s+")


@dataclass(frozen=True, kw_only=True)
class Direction:
    """One direction: a model and the tokens of its languages."""

    model: Marian
    tokenizer: Tokenizer


class Translation:
    """A pair of languages, either way. Files: `enpt.bin`, `enpt.json`, `enpt.lex`, and the same for every direction."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, threads  # numpy takes the threads that the worker's environment gives it
        self._files = files
        self._pairs = [(name[:2], name[2:4]) for name in files if name.endswith(".bin")]
        self._directions: dict[tuple[str, str], Direction] = {}

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`text` in the language `target`; `source` is guessed where it isn't given."""
        del task
        text = text_of(args)
        direction = self._direction(source_and_target(text, args, pairs=self._pairs))
        pieces = list(cut_up(text, direction.tokenizer))
        wanted = sorted({piece for piece in pieces if any(map(str.isalpha, piece))}, key=len)
        translated: dict[str, str] = {}
        for at in range(0, len(wanted), BATCH):
            batch = wanted[at : at + BATCH]
            translated.update(zip(batch, _translated(batch, direction), strict=True))
            tell((at + len(batch)) / len(wanted), "translating")
        return [text_output("".join(translated.get(piece, piece) for piece in pieces))]

    def _direction(self, pair: tuple[str, str]) -> Direction:
        if pair not in self._directions:
            stem = "".join(pair)
            self._directions[pair] = Direction(
                model=Marian(self._files[f"{stem}.bin"], shortlist=self._files[f"{stem}.lex"]),
                tokenizer=Tokenizer.from_file(str(self._files[f"{stem}.json"])),
            )
        return self._directions[pair]


def source_and_target(text: str, args: dict[str, Arg], *, pairs: list[tuple[str, str]]) -> tuple[str, str]:
    """The direction that is wanted. Raises `ExpertError` that names the pairs if it is none of them."""
    target = primary(str(args.get("target") or ""))
    if not target:
        raise ExpertError("`target` must say into which language, as a code such as `pt`; nothing came.")
    given = primary(str(args.get("source") or ""))
    known = [source for source, into in pairs if into == target]
    source = given or (_guessed(text, known[0]) if known else "")
    if source == target:
        raise ExpertError(
            f"the text seems to be in {_named(target)} already; give its language as `source` if it is not."
        )
    if (source, target) not in pairs:
        there_is = ", ".join(f"{_named(one)} to {_named(other)}" for one, other in pairs)
        came = f"{_named(source)} to {_named(target)}" if source else f"into {_named(target)}"
        raise ExpertError(f"this expert translates {there_is}; {came} was asked for.")
    return source, target


def _guessed(text: str, likely: str) -> str:
    """The language of `text`: the likely one unless the text clearly shows another."""
    if not is_latin(text):
        return ""
    evidence = scores(text)
    best = max(evidence, key=lambda code: (evidence[code], code == likely))
    return best if evidence[best] - evidence[likely] >= SURE else likely


def cut_up(text: str, tokenizer: Tokenizer) -> Iterator[str]:
    """`text` in pieces: sentences, each on one line and not too long, and what stands between them as it is."""
    at = 0
    for start, end in spans(text):
        yield text[at:start]
        line = " ".join(text[start:end].split())
        words = _BEHIND.sub("", _IN_FRONT.sub("", line))
        before, _, behind = line.partition(words) if words else (line, "", "")
        yield before
        yield from _parts(words, tokenizer)
        yield behind
        at = end
    yield text[at:]


def _parts(sentence: str, tokenizer: Tokenizer) -> Iterator[str]:
    """The sentence whole, or cut into parts that the model can hold, with the spaces between them."""
    while len(tokenizer.encode(sentence).ids) > LONGEST_TOKENS:
        limit = max(1, len(sentence) * LONGEST_TOKENS // len(tokenizer.encode(sentence).ids))
        cuts = [match.end() for match in _CUT.finditer(sentence, 1, limit)]
        commas = [cut for cut in cuts if not sentence[cut - 2].isalnum() and cut > limit // 2]
        cut = (commas or cuts or [limit])[-1]
        yield sentence[:cut].rstrip()
        yield " " if sentence[cut - 1].isspace() else ""
        sentence = sentence[cut:]
    yield sentence


def _translated(sentences: list[str], direction: Direction) -> list[str]:
    """Each sentence translated. Words all in capitals, as on signs, are unknown to the models: they go in small."""
    is_shouted = [sentence.isupper() and len(sentence) > LONGEST_SHORT_FORM for sentence in sentences]
    calm = [text.capitalize() if shouts else text for text, shouts in zip(sentences, is_shouted, strict=True)]
    ids = [direction.tokenizer.encode(text, add_special_tokens=False).ids for text in calm]
    texts = [direction.tokenizer.decode(tokens).strip() for tokens in direction.model.translate(ids)]
    return [text.upper() if shouts else text for text, shouts in zip(texts, is_shouted, strict=True)]


def _named(code: str) -> str:
    return NAMES.get(code, f"`{code}`")
