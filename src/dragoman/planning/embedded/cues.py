"""Finding tasks in a clause by the cue patterns of the data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dragoman.planning.embedded.lexicon import DATA
from dragoman.planning.embedded.patterns import Match, Pattern, matches, parse
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


@lru_cache(maxsize=None)
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
        pattern = parse(line, task)
        for symbol in pattern.elements[0].symbols:
            table.setdefault(symbol, []).append(pattern)
    return {symbol: tuple(row) for symbol, row in table.items()}


def hits(clause: Sequence[Token], languages: Sequence[str]) -> list[Hit]:
    """Every cue in the clause, strongest first; of one task, overlapping cues count once."""
    symbols = frozenset[str]().union(*(token.symbols for token in clause)) if clause else frozenset[str]()
    found: list[Hit] = []
    seen: set[int] = set()
    for language in languages:
        for symbol in symbols:
            for pattern in _patterns(language).get(symbol, ()):
                if id(pattern) not in seen and pattern.never.isdisjoint(symbols):
                    seen.add(id(pattern))
                    found += [_hit(match, clause) for match in matches(pattern, clause)]
    return _strongest(found)


def _hit(match: Match, clause: Sequence[Token]) -> Hit:
    guesses = sum(clause[at].has("%guess") for at in match.covers)
    score = match.pattern.weight - 0.15 * guesses
    return Hit(task=match.pattern.task, score=score, covers=match.covers, pattern=match.pattern)


def _strongest(found: list[Hit]) -> list[Hit]:
    kept: list[Hit] = []
    for hit in sorted(found, key=lambda h: (-h.score, -len(h.covers), h.at, h.task)):
        if not any(other.task == hit.task and set(other.covers) & set(hit.covers) for other in kept):
            kept.append(hit)
    return kept
