"""The request as tokens: words with what they stand for, and the masked spans as single tokens."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from dragoman.planning.embedded.languages import code_of, is_name, near_name
from dragoman.planning.embedded.lexicon import HAN, LANGUAGES, Lexicon, lexicon, near
from dragoman.planning.embedded.masks import Mask
from dragoman.planning.embedded.titles import names_at
from dragoman.values import Kind

_WORD = re.compile(
    r"->|=>|→|⇒|\d+(?:x|st|nd|rd|th)\b|\d+(?:[.,]\d+)*|[^\W\d_][^\W_]*(?:[’'\-][^\W_]+)*|\[mask\]|<mask>|_{2,}|\S",
    re.IGNORECASE,
)
# `what's` is two words.
_SHORT = re.compile(r"(what|who|where|how|when|that|it|there|he|she|here)(['’](?:s|re))", re.IGNORECASE)
_MOST_CORRECTED = 12
# What the language of a long request is told by.
_HEAD_CHARS, _TAIL_CHARS = 600, 300
TokenKind = Literal["word", "number", "quote", "file", "url", "mark"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One word or masked span. low: folded; symbols: what it stands for, `low` itself among them.

    reach: for a symbol of a phrase that begins here, how many tokens it takes.
    """

    start: int
    end: int
    text: str
    low: str
    kind: TokenKind
    symbols: frozenset[str]
    reach: dict[str, int] = field(default_factory=dict[str, int])
    file_kind: Kind | None = None

    def has(self, *symbols: str) -> bool:
        """Whether it stands for any of these."""
        return not self.symbols.isdisjoint(symbols)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    start: int
    end: int
    text: str
    mask: Mask | None = None


def tokens(words: str, masked: Sequence[Mask], language: str, *, mends: bool = False) -> list[Token]:
    """The tokens of `words` in order. Words that the language doesn't know are looked up as English ones.

    mends: whether misspelt words are taken for the known ones that they lie near.
    """
    lexicons = [lexicon(language)] + ([lexicon("en")] if language != "en" else [])
    pieces = _pieces(words, masked, lexicons[0])
    lows = [fold(piece.text) if piece.mask is None else "\0" for piece in pieces]
    right = _corrections(pieces, lows, lexicons) if mends else {}
    spelt = [right.get(at, low) for at, low in enumerate(lows)]
    found: list[Token] = []
    inside = 0
    for at, piece in enumerate(pieces):
        if piece.mask is not None:
            found.append(_masked_token(piece, piece.mask))
            continue
        symbols, reach = _symbols(spelt, at, lexicons)
        if at < inside:  # A word inside a phrase has no meaning of its own.
            symbols, reach = {"%inside"}, {}
        inside = max(inside, at + max((n for symbol, n in reach.items() if symbol[0] != "="), default=1))
        if at in right:
            symbols |= {right[at], "%guess"}
        found.append(_word_token(piece, spelt[at], symbols, reach))
    return found


def _corrections(pieces: Sequence[_Piece], lows: Sequence[str], lexicons: list[Lexicon]) -> dict[int, str]:
    """By position: the known word that a misspelt one most likely stands for."""
    right: dict[int, str] = {}
    tried = 0
    for at, piece in enumerate(pieces):
        if (
            piece.mask is None
            and piece.text[0].isalpha()
            and tried < _MOST_CORRECTED
            and not _is_known(lows, at, lexicons)
        ):
            tried += 1
            found = _corrected(piece.text, lows[at], lexicons)
            if found is not None:
                right[at] = found
    return right


def _is_known(lows: Sequence[str], at: int, lexicons: list[Lexicon]) -> bool:
    low = lows[at]
    if code_of(low) or any(
        known.symbols(low) or low in known.phrases or known.symbols(low.removesuffix("'s")) for known in lexicons
    ):
        return True
    return bool(names_at(lows, at))


def fold(word: str) -> str:
    """The word in the spelling of the data files: lower case, plain apostrophes."""
    return unicodedata.normalize("NFKC", word).casefold().replace("’", "'").replace("ß", "ss")


def _symbols(lows: list[str], at: int, lexicons: list[Lexicon]) -> tuple[set[str], dict[str, int]]:
    """What the word at `at` stands for. A phrase that begins here says it instead of the single word."""
    symbols: set[str] = set()
    reach: dict[str, int] = {}
    for known in lexicons:
        for length, meant in known.phrases_at(lows, at):
            symbols |= meant
            reach.update({symbol: max(length, reach.get(symbol, 0)) for symbol in meant})
        if not symbols:
            symbols |= known.symbols(lows[at]) or known.symbols(lows[at].removesuffix("'s"))
        if symbols:
            break
    for length, task in names_at(lows, at):
        symbols.add(f"={task}")
        reach[f"={task}"] = length
    return symbols, reach


def _corrected(text: str, low: str, lexicons: list[Lexicon]) -> str | None:
    if text[0].isupper() and not text.isupper() and len(low) < 6:
        return None  # More likely a name than a slip.
    return next((right for known in lexicons if (right := near(low, known.language))), None) or near_name(low)


def _pieces(words: str, masked: Sequence[Mask], known: Lexicon) -> list[_Piece]:
    pieces: list[_Piece] = []
    at = 0
    for mask in masked:
        pieces += _split(words, at, mask.start, known)
        pieces.append(_Piece(start=mask.start, end=mask.end, text=words[mask.start : mask.end], mask=mask))
        at = mask.end
    return pieces + _split(words, at, len(words), known)


def _split(words: str, start: int, end: int, known: Lexicon) -> list[_Piece]:
    pieces: list[_Piece] = []
    for hit in _WORD.finditer(words, start, end):
        if HAN.match(hit.group()):
            pieces += _han_pieces(hit.group(), hit.start(), known)
        elif (short := _SHORT.fullmatch(hit.group())) is not None:
            middle = hit.start() + len(short[1])
            pieces += [
                _Piece(start=hit.start(), end=middle, text=short[1]),
                _Piece(start=middle, end=hit.end(), text=short[2]),
            ]
        elif "-" in hit.group() and len(hit.group()) > 1 and not known.symbols(fold(hit.group())):
            pieces += [
                _Piece(start=hit.start() + part.start(), end=hit.start() + part.end(), text=part.group())
                for part in re.finditer(r"[^-]+", hit.group())
            ]
        else:
            pieces.append(_Piece(start=hit.start(), end=hit.end(), text=hit.group()))
    return pieces


def _han_pieces(run: str, start: int, known: Lexicon) -> list[_Piece]:
    """A run of Han characters cut by the longest known word first."""
    pieces: list[_Piece] = []
    at = 0
    while at < len(run):
        size = next(
            (
                n
                for n in range(min(max(known.longest, 8), len(run) - at), 1, -1)
                if run[at : at + n] in known.exact or is_name(run[at : at + n])
            ),
            1,
        )
        pieces.append(_Piece(start=start + at, end=start + at + size, text=run[at : at + size]))
        at += size
    return pieces


def _gapped(mask: Mask) -> tuple[str, ...]:
    """The mark of a quote with a word left out."""
    return ("%gap",) if mask.kind == "quote" and re.search(r"\[mask\]|<mask>|_{2,}", mask.value, re.IGNORECASE) else ()


def _masked_token(piece: _Piece, mask: Mask) -> Token:
    kinds = {f"#{mask.file_kind}"} if mask.file_kind else set[str]()
    return Token(
        start=piece.start,
        end=piece.end,
        text=mask.value,
        low=mask.value,
        kind=mask.kind,
        file_kind=mask.file_kind,
        symbols=frozenset({*_gapped(mask), f"%{mask.kind}", *kinds, *({"%file"} if mask.kind == "url" else ())}),
    )


def _word_token(piece: _Piece, low: str, symbols: set[str], reach: dict[str, int]) -> Token:
    if low[0].isdigit():
        return Token(
            start=piece.start,
            end=piece.end,
            text=piece.text,
            low=low,
            kind="number",
            symbols=frozenset({low, "%number", *symbols}),
        )
    kind: TokenKind = "word" if low[0].isalpha() or (low[0] in "[<_'" and len(low) > 1) else "mark"
    return Token(
        start=piece.start,
        end=piece.end,
        text=piece.text,
        low=low,
        kind=kind,
        symbols=frozenset({low, *symbols}),
        reach=reach,
    )


def language_of(words: str, masked: Sequence[Mask]) -> str:
    """The language of the instruction among those with data: the one whose lexicon knows most of its words."""
    bare = _bare(words, masked)
    bare = bare[:_HEAD_CHARS] + " " + bare[-_TAIL_CHARS:] if len(bare) > _HEAD_CHARS + _TAIL_CHARS else bare
    if len(HAN.findall(bare)) >= max(2, len(bare) // 12):
        return "zh"
    seen = [fold(hit) for hit in re.findall(r"[^\W\d_]+", bare)]
    best, most = "en", -1.0
    for language in LANGUAGES[:-1]:
        known = lexicon(language)
        score = sum(_weight(known, word) for word in seen)
        if score > most + 1e-9:
            best, most = language, score
    return best


def _weight(known: Lexicon, word: str) -> float:
    return 1.0 if word in known.exact else 0.8 if known.symbols(word) or word in known.phrases else 0.0


def _bare(words: str, masked: Sequence[Mask]) -> str:
    parts, at = list[str](), 0
    for mask in masked:
        parts.append(words[at : mask.start])
        at = mask.end
    return " ".join([*parts, words[at:]])
