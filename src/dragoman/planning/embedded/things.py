"""Things that a request names in its own words where it looks for them: `find the traffic cones and a red umbrella`."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.words import Token

# Classes that every detector knows by one word; a colour or any other word before them makes them a thing of their own.
_KNOWN = ("@thing", "@cat", "@person", "@animal", "@everything", "@face", "@hand")
_SKIPPED = ("@det", "@all", "@both", "@polite", "@i", "@of", "@its")
_MOST_WORDS = 4
Span = tuple[int, int]


def named_spans(tokens: Sequence[Token]) -> list[Span]:
    """The things looked for, as (from, to) positions, if at least one is named in words of its own; else none."""
    for at, token in enumerate(tokens):
        if token.has("@search") and (start := _behind_for(tokens, at)):
            spans = _list_from(tokens, start)
            if any(_is_own(tokens[begin:end]) for begin, end in spans):
                return spans
        if token.has("@find", "@boxed") or (token.has("@where") and at + 1 < len(tokens) and tokens[at + 1].has("@be")):
            spans = _list_from(tokens, at + max(token.reach.values(), default=1))
            if any(_is_own(tokens[start:end]) for start, end in spans):
                return spans
    return []


def _behind_for(tokens: Sequence[Token], at: int) -> int | None:
    """Where the list begins in `search a.jpg for …`."""
    return next((place + 1 for place in range(at + 1, min(at + 5, len(tokens))) if tokens[place].has("@for")), None)


def _list_from(tokens: Sequence[Token], start: int) -> list[Span]:
    spans: list[Span] = []
    at = start
    while at < len(tokens):
        while at < len(tokens) and (tokens[at].has(*_SKIPPED, "@be") or tokens[at].kind == "number"):
            at += 1
        end = at
        while end < len(tokens) and end - at < _MOST_WORDS and _is_part(tokens[end]):
            end += 1
        if end == at:
            break
        spans.append((at, end))
        if end >= len(tokens) or not (tokens[end].low in (",", "，", "、") or tokens[end].has("@and", "@or")):
            break
        at = end + 1
    return spans


def _is_part(token: Token) -> bool:
    if token.kind == "quote":
        return len(token.text) <= 40
    if token.kind != "word" or token.has("%actions", "%glue"):
        return False
    return token.symbols == frozenset((token.low,)) or token.has(*_KNOWN, "%named", "@colour", "%guess")


def _is_own(member: Sequence[Token]) -> bool:
    head = member[-1]
    if head.kind == "quote":
        return True
    if head.symbols <= frozenset((head.low, "%named")) or head.has("%guess"):
        return len(head.low) > 2 and not head.low.endswith(("ed", "ing"))
    return head.has(*_KNOWN) and any(
        token.symbols == frozenset((token.low,)) or token.has("@colour") for token in member[:-1]
    )


def named_texts(tokens: Sequence[Token], words: str) -> list[str]:
    """The things looked for as the person wrote them."""
    return [
        tokens[start].text if end - start == 1 else words[tokens[start].start : tokens[end - 1].end]
        for start, end in named_spans(tokens)
    ]
