"""Lists of classes in running words: `as sports, politics or tech`, `a cat or a dog`, `between spam and ham`."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.words import Token

_ARTICLES = ("@det", "@polite", "either", "whether")
_MOST_WORDS = 3
Span = tuple[int, int]


def label_spans(tokens: Sequence[Token]) -> list[Span]:
    """The members of the clause's list of classes, as (from, to) positions; empty where there is none."""
    for at, token in enumerate(tokens):
        if token.has("@or") and not _is_empty_choice(tokens, at):
            spans = _around(tokens, at)
            if len(spans) > 1 and not _is_sentiment(tokens, spans):
                return spans
    return _after_opener(tokens)


def _is_empty_choice(tokens: Sequence[Token], at: int) -> bool:
    """`or not`, `or so`, `one or two`, `and/or`."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return (
        at == 0
        or after is None
        or after.has("@not", "so", "@wh", "something", "%number", "%verb")
        or tokens[at - 1].kind == "number"
    )


def _is_sentiment(tokens: Sequence[Token], spans: Sequence[Span]) -> bool:
    """Whether the classes are those of sentiment, which has a task of its own."""
    is_moody = any(token.has("@sentiment", "@emotion") for token in tokens)
    return is_moody or any(tokens[end - 1].has("@positive", "@feeling") for _, end in spans)


def _around(tokens: Sequence[Token], conjunction: int) -> list[Span]:
    """The members before and after the conjunction."""
    spans: list[Span] = []
    end = conjunction
    while True:
        if end and tokens[end - 1].low in (",", "，", "、"):
            end -= 1
        start = _member_start(tokens, end)
        if start == end:
            break
        spans.insert(0, (start, end))
        if start == 0 or tokens[start - 1].low not in (",", "，", "、", "/"):
            break
        end = start
    following = _member_end(tokens, conjunction + 1)
    return [*spans, following] if spans and following[0] < following[1] else []


def _member_start(tokens: Sequence[Token], end: int) -> int:
    start = end
    while start and end - start < _MOST_WORDS + 1 and _is_label_word(tokens[start - 1]):
        if start < end and "quote" in (tokens[start - 1].kind, tokens[start].kind):
            break  # A quote is a member by itself.
        start -= 1
        if tokens[start].has("@det"):
            break
    return start


def _member_end(tokens: Sequence[Token], start: int) -> Span:
    end = start
    while (
        end < len(tokens) and end - start < _MOST_WORDS + 1 and (_is_label_word(tokens[end]) or tokens[end].has("@det"))
    ):
        if end > start and tokens[end].has("@det", "@it"):
            break
        end += 1
    return start, end


def _is_label_word(token: Token) -> bool:
    if token.kind == "quote":
        return len(token.text) <= 60
    if token.kind != "word":
        return False
    if token.has("@det"):
        return not token.has("this", "that", "these", "those", "my", "your")
    return not token.has(
        "@be",
        "@of",
        "@to",
        "@wh",
        "@it",
        "@i",
        "@you",
        "@and",
        "@or",
        "@with",
        "@aloud",
        "@as",
        "@not",
        "@there",
        "@then",
        "@classify",
        "@if",
        "under",
        "among",
        "between",
    )


def _after_opener(tokens: Sequence[Token]) -> list[Span]:
    """A list behind `as`, `into`, `between`, `classes:`, of members joined by commas and `and`."""
    for at in range(len(tokens)):
        if _opens_list(tokens, at):
            spans = _listed(tokens, _behind_opener(tokens, at + 1))
            if len(spans) > 1:
                return spans
    return []


def _opens_list(tokens: Sequence[Token], at: int) -> bool:
    is_sorting = any(token.has("@classify", "@choose", "@segment") for token in tokens[:at])
    is_told = tokens[at].has("@classes") and at + 1 < len(tokens) and tokens[at + 1].low in (":", "：")
    return is_told or (is_sorting and tokens[at].has("@into_classes", "@classes"))


def _behind_opener(tokens: Sequence[Token], place: int) -> int:
    """Where the list itself begins: behind `one of`, `these three classes`, a colon."""
    while place < len(tokens):
        token = tokens[place]
        if token.low not in (":", "：") and not token.has("@classes", "%number", "@these", "@of", "@choose"):
            break
        place += max(token.reach.values(), default=1)
    return place


def _listed(tokens: Sequence[Token], place: int) -> list[Span]:
    spans: list[Span] = []
    while place < len(tokens):
        start, end = _member_end(tokens, place)
        if start == end:
            break
        spans.append((start, end))
        if end >= len(tokens) or not (tokens[end].low in (",", "，", "、", "/") or tokens[end].has("@and", "@or")):
            break
        place = end + 1
        while place < len(tokens) and tokens[place].has("@and", "@or"):
            place += 1
    return spans


def label_texts(tokens: Sequence[Token], words: str) -> list[str]:
    """The classes as the person wrote them, without articles."""
    found: list[str] = []
    for start, end in label_spans(tokens):
        while start < end - 1 and tokens[start].has(*_ARTICLES):
            start += 1
        text = tokens[start].text if end - start == 1 else words[tokens[start].start : tokens[end - 1].end]
        if text not in found:
            found.append(text)
    return found
