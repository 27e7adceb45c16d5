"""Marks that take more than one word to see: languages, lists of classes, things named in their own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dragoman.planning.embedded.labels import label_spans
from dragoman.planning.embedded.languages import by_code, code_of
from dragoman.planning.embedded.things import named_spans
from dragoman.planning.embedded.words import Token

_ARROWS = ("->", "→", "=>", "⇒", ">")


def marked(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with `%language` on names of languages."""
    named = [_with(token, "%language") if token.kind == "word" and code_of(token.low) else token for token in tokens]
    for at in range(2, len(named)):
        if named[at - 1].has(*_ARROWS) and {named[at - 2].low, named[at].low} <= by_code().keys():
            named[at] = _with(replace(named[at], low=by_code()[named[at].low]), "%language")  # `en -> pt`
    return named


def with_lists(clause: Sequence[Token]) -> tuple[Token, ...]:
    """A clause's tokens with `%labels` and `%named` where such lists begin, and `%it` on pronouns that stand alone."""
    labels, named = label_spans(clause)[:1], named_spans(clause)[:1]
    made = [
        _with(t, "%it") if t.has("@it", "@them") and not _introduces(clause, at) else t for at, t in enumerate(clause)
    ]
    for spans, symbol in ((labels, "%labels"), (named, "%named")):
        for start, _ in spans:
            made[start] = _with(made[start], symbol)
    return tuple(made)


def _introduces(clause: Sequence[Token], at: int) -> bool:
    """Whether `this`, `those` here stands before a noun and not for one."""
    if at + 1 >= len(clause) or not clause[at].has("@det", "@its", "@these"):
        return False
    following = clause[at + 1]
    return (
        following.kind in ("file", "url", "quote")
        or following.has("%things", "%adjectives")
        or following.symbols == frozenset((following.low,))
    )


def _with(token: Token, symbol: str) -> Token:
    return replace(token, symbols=token.symbols | {symbol})
