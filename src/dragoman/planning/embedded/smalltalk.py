"""Small talk: greetings, thanks, and what Dragoman can do."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.words import Token
from dragoman.values import Request

_CHAT = ("@hello", "@thanks", "@bye", "@howareyou", "@ok", "@help")
_CAN = (
    "I look at pictures (what they show, objects and how many, text in them), listen to recordings (what is said, which sounds, noise "
    "removed), and work on texts (summary, translation, names, sentiment), and I read texts aloud. Hand me files and say what you want."
)


def reply_to(found: Sequence[Token], language: str, request: Request) -> str | None:
    """The reply if the words are small talk and nothing else, or None."""
    said = [t for t in found if t.kind != "mark"]
    if not said:
        return f"I have {request.resources[0].name}. What shall I do with it? {_CAN}" if request.resources else _CAN
    if any(t.has("@help") for t in said) or (
        len(said) <= 3 and any(t.has("@helpword") for t in said) and not request.resources
    ):
        return _CAN
    covered = set[int]()
    for at, token in enumerate(said):
        if token.has(*_CHAT):
            covered |= set(range(at, at + max([token.reach.get(s, 1) for s in _CHAT if token.has(s)])))
    rest = [t for at, t in enumerate(said) if at not in covered and not t.has("%glue", "%chat", "@i", "@it")]
    if not covered or rest:
        return None
    if any(t.has("@thanks") for t in said):
        return "You're welcome."
    return f"Hello. {_CAN}"
