"""What a clause mentions: files, quotes, things by noun and number, pronouns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from dragoman.planning.embedded.languages import code_of
from dragoman.planning.embedded.numbers import ORDINALS, number_of
from dragoman.planning.embedded.words import Token
from dragoman.values import KINDS, Kind

# The labels that named entities carry for what people call names, places and so on.
LABELS = {
    "@person": "PERSON",
    "@name": "PERSON",
    "@place": "GPE",
    "@organisation": "ORG",
    "@date": "DATE",
    "@amount": "MONEY",
}
_MODIFIERS = (
    "@det",
    "@its",
    "@all",
    "@both",
    "@these",
    "@original",
    "@edited",
    "@last",
    "@other",
    "@of",
    "@detailed",
    "@brief",
    "@similar",
    "%language",
    "@polite",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One thing that a clause names at position `at`. products: tasks whose product the noun means."""

    at: int
    file: str | None = None
    quote: str | None = None
    kinds: tuple[Kind, ...] = ()
    products: tuple[str, ...] = ()
    label: str | None = None
    ordinal: int | None = None
    count: int | None = None
    is_pronoun: bool = False
    is_plural: bool = False
    is_all: bool = False
    is_original: bool = False
    is_changed: bool = False
    is_definite: bool = False
    is_other: bool = False
    is_medium: bool = False
    is_work: bool = False
    language: str | None = None
    text: str = ""


def mentions(clause: Sequence[Token]) -> list[Mention]:
    """Everything that the clause mentions, in order."""
    return list(_mentions(clause))


def _mentions(clause: Sequence[Token]) -> Iterator[Mention]:
    for at, token in enumerate(clause):
        if token.kind in ("file", "url"):
            yield Mention(at=at, file=token.text, text=token.text)
        elif token.kind == "quote":
            yield Mention(at=at, quote=token.text, text=token.text)
        elif _is_noun(clause, at) or _is_bare_ordinal(clause, at):
            yield _noun(clause, at)
        elif token.has("@it", "@them", "@its") and not _is_determiner(clause, at):
            spoken = next(
                (code_of(t.low) for i, t in enumerate(clause) if i and t.has("%language") and clause[i - 1].has("@in")),
                None,
            )
            yield Mention(at=at, is_pronoun=True, is_plural=token.has("@them"), language=spoken, text=token.low)
        elif (
            token.has("%language")
            and at
            and clause[at - 1].low == "the"
            and not (at + 1 < len(clause) and clause[at + 1].has("%things"))
        ):
            yield Mention(at=at, kinds=("text",), is_definite=True, language=code_of(token.low), text=token.low)
        elif token.low == "there" and at == len(clause) - 1:
            yield Mention(at=at, is_pronoun=True, text=token.low)


def _is_noun(clause: Sequence[Token], at: int) -> bool:
    token = clause[at]
    if not token.has("%things") or any(symbol[0] == "=" and size > 1 for symbol, size in token.reach.items()):
        return False
    if not (token.has("@file", *LABELS) or any(s[0] in "#>" for s in token.symbols)):
        return False
    # `speech file`, `photo a.jpg`: the last noun of a run speaks.
    following = clause[at + 1] if at + 1 < len(clause) else None
    return not (following is not None and following.has("@file") and following.kind == "word")


def _is_bare_ordinal(clause: Sequence[Token], at: int) -> bool:
    """`the first one`, `the second`, `both`, `the original` with no noun after it."""
    token = clause[at]
    following = clause[at + 1] if at + 1 < len(clause) else None
    is_heard = following is not None and following.low in ("sound", "sounds", "spoken") and at + 2 == len(clause)
    ends = following is None or is_heard or not following.has("%things", "one", *ORDINALS, "%file", "%number")
    if token.low in ("one", "ones") and at:
        return clause[at - 1].has(*ORDINALS, "@last", "@other", "@original", "@edited", "@these")
    if token.has("@both"):
        return ends
    if ends and token.has("@original"):
        return True
    return (
        ends
        and at > 0
        and token.has(*ORDINALS, "@original", "@last", "@other")
        and clause[at - 1].has("@det", "@and", "@its")
        and not (following and following.has("@similar"))
    )


def _is_determiner(clause: Sequence[Token], at: int) -> bool:
    """Whether `this`, `its`, `these` here only introduces a noun that is itself a mention."""
    if not clause[at].has("@det", "@its", "@these"):
        return False
    for place in range(at + 1, min(at + 5, len(clause))):
        if _is_noun(clause, place) or clause[place].kind in ("file", "url", "quote"):
            return True
        if not clause[place].has(*_MODIFIERS, *ORDINALS, "%number") and number_of(clause[place]) is None:
            return (
                clause[place].kind == "word"
                and not clause[place].has("%glue", "%actions", "@aloud")
                and not clause[at].has("@its")
            )
    return False


def _noun(clause: Sequence[Token], at: int) -> Mention:
    token = clause[at]
    before = list(_modifiers(clause, at))
    products = tuple(p for s in sorted(token.symbols) if s[0] == ">" for p in s[1:].split(","))
    labels = [label for symbol, label in LABELS.items() if token.has(symbol)]
    return Mention(
        at=at,
        text=token.low,
        products=products or (("token-classification",) if labels else ()),
        kinds=tuple(cast("Kind", s[1:]) for s in sorted(token.symbols) if s[0] == "#" and s[1:] in KINDS),
        label=labels[0] if labels else None,
        ordinal=_ordinal([*before, token]),
        count=next(
            (int(n) for t in before if (n := number_of(t)) is not None and n > 1),
            2 if _any(before, "@both") or token.has("@both") else None,
        ),
        is_plural=token.has("%plural") or _any(before, "@these", "@both") or token.has("@both"),
        is_all=_any([*before, token], "@all", "@both"),
        is_original=_any([*before, token], "@original") or _any(clause[at + 1 : at + 4], "@gave", "@as_is"),
        is_changed=_any(before, "@edited"),
        is_definite=_any(before, "the", "this", "that", "these", "those", "@its", "your", "my", "@original"),
        is_other=_any([*before, token], "@other"),
        is_work=token.has("@article"),
        language=next((code_of(t.low) for t in before if t.has("%language")), None),
        is_medium=token.has("@picture", "@recording", "@video", "@clip", "@table"),
    )


def _any(found: Sequence[Token], *symbols: str) -> bool:
    return any(token.has(*symbols) for token in found)


def _modifiers(clause: Sequence[Token], at: int) -> Iterator[Token]:
    """The determiners, ordinals and adjectives right before position `at`, nearest first."""
    for place in range(at - 1, max(-1, at - 6), -1):
        token = clause[place]
        if token.kind not in ("word", "number"):
            return
        if token.has("@det", "@its"):
            yield token
            if not token.has("@all", "@these"):
                return
        elif token.has(*_MODIFIERS, *ORDINALS) or number_of(token) is not None:
            yield token
        elif token.symbols != frozenset((token.low,)) and not token.has("%things"):
            return


def _ordinal(found: Sequence[Token]) -> int | None:
    for token in found:
        for number, symbol in enumerate(ORDINALS):
            if token.has(symbol):
                return number
        if token.has("@last"):
            return -1
    return None
