"""Cue patterns over tokens: words and concepts in order with bounded gaps; linear, with no regular expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dragoman.planning.embedded.words import Token

_NEAR, _FAR, _ANY = 2, 6, 60


END = Token(start=0, end=0, text="", low="$", kind="mark", symbols=frozenset("$"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One place of a pattern: any of `symbols`, after at most `gap` other tokens, or absent if `is_optional`."""

    symbols: frozenset[str]
    gap: int = _NEAR
    is_optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One way to ask for `task`. is_opening: only at the beginning of a clause; never: symbols that forbid it."""

    task: str
    elements: tuple[Element, ...]
    weight: float
    is_opening: bool = False
    never: frozenset[str] = frozenset()
    line: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A pattern found in a clause: the positions that it covers, in order."""

    pattern: Pattern
    covers: tuple[int, ...]


def parse(line: str, task: str) -> Pattern:
    """The pattern of one line of a `.cues` file."""
    elements: list[Element] = []
    gap, weight, is_opening, never = _NEAR, None, False, set[str]()
    for part in line.split():
        if part == "~":
            gap = _FAR
        elif part == "..":
            gap = _ANY
        elif part == "^":
            is_opening = True
        elif part.startswith("=") and len(part) > 1:
            weight = float(part[1:])
        elif part.startswith("!"):
            never |= set(part[1:].split("|"))
        else:
            elements.append(_element(part, gap))
            gap = _NEAR
    if weight is None:
        weight = 1.0 + 0.2 * (sum(not e.is_optional for e in elements) - 1)
    return Pattern(
        task=task, elements=tuple(elements), weight=weight, is_opening=is_opening, never=frozenset(never), line=line
    )


def with_and_without_first(pattern: Pattern) -> tuple[Pattern, ...]:
    """The pattern, and without its first element where that may be absent."""
    if not pattern.elements[0].is_optional:
        return (pattern,)
    return (pattern, *with_and_without_first(replace(pattern, elements=pattern.elements[1:])))


def _element(part: str, gap: int) -> Element:
    if part.startswith("+"):
        part, gap = part[1:], 0
    is_optional = part.endswith("?") and len(part) > 1
    part = part.removesuffix("?") if is_optional else part
    return Element(symbols=frozenset(part.split("|")), gap=gap, is_optional=is_optional)


def matches(pattern: Pattern, clause: Sequence[Token]) -> Iterator[Match]:
    """Where the pattern stands in the clause; one match at most for each place where it begins.

    The clause may end in `END`, which patterns write as `$`.
    """
    starts = range(min(2, len(clause))) if pattern.is_opening else range(len(clause))
    first = pattern.elements[0].symbols
    for start in starts:
        if not clause[start].symbols.isdisjoint(first):
            covers = _rest(pattern.elements, clause, (*_taken(clause, start, first),), 1)
            if covers is not None:
                yield Match(pattern=pattern, covers=tuple(at for at in covers if clause[at] is not END))


def _taken(clause: Sequence[Token], at: int, symbols: frozenset[str]) -> range:
    """The positions that an element takes at `at`: a phrase takes several."""
    reach = max((clause[at].reach.get(symbol, 1) for symbol in symbols if symbol in clause[at].symbols), default=1)
    return range(at, min(at + reach, len(clause)))


def _rest(
    elements: tuple[Element, ...], clause: Sequence[Token], covered: tuple[int, ...], at: int
) -> tuple[int, ...] | None:
    if at == len(elements):
        return covered
    element, after = elements[at], covered[-1] + 1
    for place in range(after, min(after + element.gap + 1, len(clause))):
        if not clause[place].symbols.isdisjoint(element.symbols):
            found = _rest(elements, clause, (*covered, *_taken(clause, place, element.symbols)), at + 1)
            if found is not None:
                return found
    return _rest(elements, clause, covered, at + 1) if element.is_optional else None
