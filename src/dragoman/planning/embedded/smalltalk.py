"""Small talk: greetings, thanks, and what Dragoman can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import hits, languages_for
from dragoman.planning.embedded.lexicon import DATA
from dragoman.planning.embedded.words import Token
from dragoman.values import Request

_CHAT = ("@hello", "@thanks", "@bye", "@howareyou", "@ok", "@help", "@helpword")
_ASKED_ENOUGH = 1.0


@cache
def _replies() -> Mapping[str, str]:
    lines = (DATA / "replies.txt").read_text("utf-8").splitlines()
    rows = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {occasion: words for occasion, _, words in rows}


def says(occasion: str, language: str) -> str:
    """What Dragoman says at an occasion (`can`, `welcome`, `hello`), else in English."""
    return _replies().get(f"{language} {occasion}") or _replies()[f"en {occasion}"]


def reply_to(clauses: Sequence[Clause], language: str, request: Request) -> str | None:
    """The reply if the words are small talk and nothing else, or None."""
    said = [t for clause in clauses for t in clause.tokens if t.kind != "mark"]
    if not said:
        return (
            f"I have {request.resources[0].name}. What shall I do with it? {says('can', language)}"
            if request.resources
            else says("can", language)
        )
    if not _is_all_chat(said):
        return None
    if any(t.has("@thanks") for t in said):
        return says("welcome", language)
    return (
        says("can", language)
        if any(t.has("@help", "@helpword") for t in said)
        else f"{says('hello', language)} {says('can', language)}"
    )


def reply_to_unread(clauses: Sequence[Clause], language: str) -> str | None:
    """The reply where no task was found: to thanks with a remark, and to questions about Dragoman itself."""
    for clause in clauses:
        if any(
            hit.task == "help" and hit.score >= _ASKED_ENOUGH for hit in hits(clause.tokens, languages_for(language))
        ):
            return says("can", language)
    if clauses and all(clause.mood == "statement" or _is_remark(clause) for clause in clauses):
        return says("can", language)
    if any(clause.has("@thanks") for clause in clauses) and all(
        c.mood == "statement" or _is_all_chat(c.tokens) for c in clauses
    ):
        return says("welcome", language)
    return None


def _is_remark(clause: Clause) -> bool:
    """`I'm a bit bored`: something told of oneself that names nothing to work on and nothing to do."""
    told = clause.tokens[0].low in ("i'm", "i've", "we're", "we've")
    return told and not clause.has("%actions", "%things", "%quote", "%file", "@want", "@wh")


def _is_all_chat(said: Sequence[Token]) -> bool:
    covered = set[int]()
    for at, token in enumerate(said):
        reach = [token.reach.get(symbol, 1) for symbol in _CHAT if token.has(symbol)]
        covered |= set(range(at, at + max(reach, default=0)))
    rest = [
        t
        for at, t in enumerate(said)
        if at not in covered and t.kind != "mark" and not t.has("%glue", "%chat", "%inside")
    ]
    return bool(covered) and not rest
