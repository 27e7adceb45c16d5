"""The words that a generating task is given: what is to be painted, filmed or written, as the person put it."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.maps import MAP_SYMBOLS
from dragoman.planning.embedded.words import Token

_PICTURES = frozenset(("picture", "image", "photo", "bild", "foto", "imagem", "imagen", "图片"))
_FILMS = frozenset(("video", "clip", "film", "movie", "animation"))
_SHOWING = frozenset(("showing", "shows", "depicting"))
# Kinds of picture that say how it should look and so belong to the description.
_MANNERS = frozenset(("watercolor", "watercolour", "drawing", "painting", "sketch", "portrait", "illustration"))
_TO_FILE = frozenset(("in", "of", "on", "from", "von", "aus", "de", "da", "do", "里"))
_LEADING = ("@polite", "@please", "@you", "@i", "@aux", "@want", "@and", "@then", "@give")


def prompt(clause: Clause, covers: Sequence[int], words: str, *, is_along: bool = False) -> str:
    """What is to be made: all that follows the verb, without `me`, `a picture of` and, with `is_along`, the map."""
    tokens = clause.tokens
    verb = next((at for at in covers if tokens[at].has("%actions", "become")), None)
    begin = 0 if verb is None else verb + max(tokens[verb].reach.values(), default=1)
    leading = ("@i", "@polite", "@please", *(("@then", "@and") if verb is None else ()))
    while begin < len(tokens) and tokens[begin].has(*leading):
        begin += 1
    if is_along and verb is None and covers and tokens[covers[0]].has("@into"):
        begin = covers[0] + 1
    if is_along and verb is not None and tokens[verb].has("@convert"):
        begin = next((at + 1 for at in range(begin, len(tokens)) if tokens[at].has("@into")), begin)
    end = next((at for at in range(begin + 1, len(tokens)) if is_along and _leads_to_map(tokens, at)), len(tokens))
    while end > begin and tokens[end - 1].has("@polite", "@please", ",", "@for", "@with", "@in", "@that"):
        end -= 1
    if begin >= end and verb is not None:
        begin, end = _before_verb(tokens, verb)
    span = tokens[_after_picture_of(tokens, begin, end) : end]
    return words[span[0].start : span[-1].end].strip(" ,.!?:。！") if span else ""


def _leads_to_map(tokens: Sequence[Token], at: int) -> bool:
    """Whether what follows here is the map: `along them`, `from it`, `in the pose of`, `that follows the depth`."""
    token, ahead = tokens[at], tokens[at + 1 : at + 6]
    if token.has("@along"):
        return True
    if token.low == "of" and ahead and ahead[0].has("@it", "@them"):
        return True
    if not token.has("@from", "@with", "@in", "@into", "@by", "@over", "same"):
        return False
    pronoun = next((place for place, t in enumerate(ahead) if t.has("%it")), None)
    is_pronoun = pronoun is not None and all(t.low in ("top", "of") for t in ahead[:pronoun])
    return is_pronoun or any(t.has(*MAP_SYMBOLS) for t in ahead)


def _before_verb(tokens: Sequence[Token], verb: int) -> tuple[int, int]:
    """The object where the verb comes last: `kannst du einen Fuchs malen`."""
    begin = 0
    while begin < verb and tokens[begin].has(*_LEADING):
        begin += 1
    return begin, verb


def _after_picture_of(tokens: Sequence[Token], begin: int, end: int) -> int:
    """Behind `a picture of`, `a clip that shows`, which say nothing about the picture."""
    for at in range(begin, min(begin + 4, end - 2)):
        following = tokens[at + 1]
        is_bare = tokens[at].low in _PICTURES | _FILMS and following.has("@of", "@with", "@that")
        if is_bare or following.low in _SHOWING:
            return at + (3 if tokens[at + 2].low in _SHOWING else 2)
        if tokens[at].low in _MANNERS:
            return begin
    return begin


def change(clause: Clause, words: str) -> str:
    """What is to be changed or how something is to be put: the clause's words without politeness, quotes and files."""
    tokens = [token for token in clause.tokens if not token.has("@please", "@polite", "@also", "@then")]
    while len(tokens) > 1 and _only_leads(tokens[0]):
        tokens.pop(0)
    kept: list[Token] = []
    for token in tokens:
        if token.kind in ("file", "url", "quote"):
            while kept and kept[-1].low in _TO_FILE:
                kept.pop()
        elif token.kind != "mark":
            kept.append(token)
    return " ".join(words[token.start : token.end] for token in kept)


def instruction(clause: Clause, words: str) -> str:
    """The whole clause as it was put, without politeness around it: what a writing model is told."""
    tokens = list(clause.tokens)
    while len(tokens) > 2 and _only_leads(tokens[0]):
        tokens.pop(0)
    said = words[tokens[0].start : tokens[-1].end].strip(" ,.;:")
    return said[:1].upper() + said[1:] + ("" if said.endswith(("!", "?", "”", '"')) else ".")


def _only_leads(token: Token) -> bool:
    return (token.kind == "mark" or token.has(*_LEADING)) and not token.has("%verb", "@wh")
