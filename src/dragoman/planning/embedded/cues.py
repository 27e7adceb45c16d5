"""Finding tasks in a clause by the cue patterns of the data files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from dragoman.planning.embedded.lexicon import DATA
from dragoman.planning.embedded.patterns import END, Match, Pattern, matches, parse, with_and_without_first
from dragoman.planning.embedded.titles import weight
from dragoman.planning.embedded.words import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A task that a clause may ask for: how strong the cue is and which of the clause's positions it rests on."""

    task: str
    score: float
    covers: tuple[int, ...]
    pattern: Pattern

    @property
    def at(self) -> int:
        """Where it begins."""
        return self.covers[0]


@cache
def _patterns(language: str) -> Mapping[str, tuple[Pattern, ...]]:
    """The patterns of a language by each symbol that can begin them."""
    table: dict[str, list[Pattern]] = {}
    task = ""
    for raw in (DATA / f"{language}.cues").read_text("utf-8").splitlines():
        line = raw.strip()
        if not line or line.startswith("# "):
            continue
        if line.startswith("[") and line.endswith("]") and not line.startswith("[mask]"):
            task = line[1:-1]
            continue
        for pattern in with_and_without_first(parse(line, task)):
            for symbol in pattern.elements[0].symbols:
                table.setdefault(symbol, []).append(pattern)
    return {symbol: tuple(row) for symbol, row in table.items()}


def hits(clause: Sequence[Token], languages: Sequence[str]) -> list[Hit]:
    """Every cue in the clause, strongest first."""
    symbols = frozenset[str]().union(*(token.symbols for token in clause)) if clause else frozenset[str]()
    closed = (*clause, END)
    found: dict[tuple[str, tuple[int, ...]], Hit] = {}
    for language in languages:
        table = _patterns(language)
        for pattern in {id(p): p for symbol in symbols for p in table.get(symbol, ())}.values():
            if pattern.never.isdisjoint(symbols):
                for match in matches(pattern, closed):
                    hit = _hit(match, clause)
                    known = found.get((hit.task, hit.covers))
                    if known is None or hit.score > known.score:
                        found[hit.task, hit.covers] = hit
    for hit in _by_title(clause):
        if hit.score > (known.score if (known := found.get((hit.task, hit.covers))) else 0.0):
            found[hit.task, hit.covers] = hit
    return sorted(found.values(), key=lambda h: (-h.score, -len(h.covers), h.covers, h.task))


def _by_title(clause: Sequence[Token]) -> Iterator[Hit]:
    """The tasks that the clause calls by name."""
    for at, token in enumerate(clause):
        for symbol, length in token.reach.items():
            if symbol.startswith("="):
                covers = tuple(range(at, min(at + length, len(clause))))
                line = f"={symbol[1:]}"
                pattern = Pattern(task=symbol[1:], elements=(), weight=weight(length, token.low), line=line)
                yield Hit(task=symbol[1:], score=pattern.weight, covers=covers, pattern=pattern)


def _hit(match: Match, clause: Sequence[Token]) -> Hit:
    guesses = sum(clause[at].has("%guess") for at in match.covers)
    between = (clause[at] for at in range(match.covers[0], match.covers[-1]) if at not in match.covers)
    crosses = any(token.has("@and", "@then") for token in between)
    score = match.pattern.weight - 0.15 * guesses - (0.15 if crosses else 0.0)
    return Hit(task=match.pattern.task, score=score, covers=match.covers, pattern=match.pattern)


def languages_for(language: str) -> tuple[str, ...]:
    """The languages whose cues are looked for: the request's, and English for its technical words."""
    return (language,) if language == "en" else (language, "en")
