"""Filling named parameters and the words that go in as text: prompts, questions, languages, numbers, labels."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.labels import label_texts
from dragoman.planning.embedded.languages import code_of, names
from dragoman.planning.embedded.numbers import number_before, number_of
from dragoman.planning.embedded.things import named_texts
from dragoman.planning.embedded.words import Token


_PICTURES = frozenset(
    (
        "picture",
        "image",
        "photo",
        "bild",
        "foto",
        "imagem",
        "imagen",
        "图片",
        "video",
        "clip",
        "film",
        "movie",
        "animation",
    )
)
_SHOWING = frozenset(("showing", "shows", "depicting"))
_ADJECTIVAL = frozenset(("watercolor", "watercolour", "drawing", "painting", "sketch", "portrait", "illustration"))
_MAP_WORDS = tuple(
    f"@map_{family}" for family in ("canny", "hed", "mlsd", "normal", "openpose", "depth", "seg", "scribble")
)


def target_language(clause: Clause, *, after: int = 0) -> list[str]:
    """The languages wanted, in order: `into French`, `to German and French`, `auf Englisch`, `翻译成葡萄牙语`."""
    tokens = clause.tokens
    found: list[str] = []
    for at, token in enumerate(tokens):
        if not token.has("%language") or at < after:
            continue
        code = code_of(token.low)
        before = tokens[max(0, at - 3) : at]
        if code is None or _is_source(tokens, at):
            continue
        if (
            any(t.has("@into") for t in before)
            or (found and at and tokens[at - 1].has("@and", ",", "@or"))
            or not found
        ):
            found.append(code)
    return list(dict.fromkeys(found)) or _by_code(tokens)


def _by_code(tokens: Sequence[Token]) -> list[str]:
    """A two-letter code behind `to` or an arrow: `en to pt`, `-> de`."""
    codes = set(names().values())
    return [
        t.low
        for at, t in enumerate(tokens)
        if at and t.low in codes and len(t.low) == 2 and tokens[at - 1].low in ("to", "->", "→", "into")
    ][:1]


def source_language(clause: Clause) -> str | None:
    """The language that the text is said to be in: `from French`, `this German letter`."""
    for at, token in enumerate(clause.tokens):
        if token.has("%language") and _is_source(clause.tokens, at):
            return code_of(token.low)
    return None


def _is_source(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if before is not None and before.has("@from"):
        return True
    if before is not None and before.has("@into"):
        return False
    describes = (
        after is not None
        and after.has("#text", "#image", "#audio", "#video", "#document", "@speech")
        and not after.has("@aloud")
    )
    return describes and not (after is not None and after.has("@translation", "@version", "@summary"))


def sentences_wanted(clause: Clause) -> int | None:
    """How many sentences (or lines, or points) are wanted."""
    for at, token in enumerate(clause.tokens):
        if token.has("@sentence", "@bullet"):
            number = number_before(clause.tokens, at)
            if number is not None and 0 < number < 1000:
                return int(number)
            if at and clause.tokens[at - 1].low in ("a", "one", "single"):
                return 1
    return None


def scale_wanted(clause: Clause) -> float | None:
    """How many times larger."""
    for at, token in enumerate(clause.tokens):
        if token.has("@times") and (number := number_before(clause.tokens, at, reach=1)) is not None:
            return number
        if token.has("@double"):
            return 2
        if token.low.endswith("x") and token.low[:-1].isdigit():
            return int(token.low[:-1])
        if token.has("@factor") and at + 1 < len(clause.tokens):
            number = next((n for t in clause.tokens[at + 1 : at + 3] if (n := number_of(t)) is not None), None)
            if number is not None:
                return number
    return None


def labels_wanted(clause: Clause, words: str) -> list[str]:
    """The classes that the words list, the things that they look for, or the quoted ones."""
    quotes = [t.text for t in clause.tokens if t.kind == "quote" and len(t.text) <= 60]
    return label_texts(clause.tokens, words) or named_texts(clause.tokens, words) or (quotes if len(quotes) > 1 else [])


def column_wanted(clause: Clause, names: Sequence[str]) -> str | None:
    """The column that the words name, among `names` where they are known."""
    for token in clause.tokens:
        if token.kind == "quote" and "\n" not in token.text:
            return token.text
    lows = {token.low: token for token in clause.tokens}
    for name in names:
        if name.casefold() in lows or name.casefold().replace("_", " ") in " ".join(t.low for t in clause.tokens):
            return name
    return _column_by_place(clause.tokens)


def _column_by_place(tokens: Sequence[Token]) -> str | None:
    for at, token in enumerate(tokens):
        if token.has("@column"):
            after = tokens[at + 1] if at + 1 < len(tokens) else None
            if after is not None and after.kind == "word" and not after.has("%glue", "%actions"):
                return after.text
            before = tokens[at - 1] if at else None
            if before is not None and before.kind == "word" and not before.has("%glue", "%actions", "%adjectives"):
                return before.text
        if token.has("@predict"):
            for following in tokens[at + 1 : at + 4]:
                if following.kind == "word" and not following.has("%glue", "%actions", "@wh", "@column", "@that"):
                    return following.text if not following.has("@table", "@row") else None
    return None


def prompt(clause: Clause, covers: Sequence[int], words: str, *, is_along: bool = False) -> str:
    """What is to be made, in the person's words: all that follows the verb, without `me`, `a picture of` and what it follows."""
    tokens = clause.tokens
    first = next((at for at in covers if tokens[at].has("%actions")), covers[0] if covers else 0)
    begin = first + max(tokens[first].reach.values(), default=1)
    if not any(tokens[at].has("%actions") for at in covers):
        begin = 0
    while begin < len(tokens) and tokens[begin].has("@i", "@polite", "@please"):
        begin += 1
    end = next((at for at in range(begin + 1, len(tokens)) if is_along and _leads_to_map(tokens, at)), len(tokens))
    while end > begin and tokens[end - 1].has("@polite", "@please", ",", "@for", "@with", "@in", "@that"):
        end -= 1
    if begin >= end:
        begin, end = _before_verb(tokens, first)
    begin = _after_picture_of(tokens, begin, end)
    span = tokens[begin:end]
    return words[span[0].start : span[-1].end].strip(" ,.!?:。！") if span else ""


def _leads_to_map(tokens: Sequence[Token], at: int) -> bool:
    """Whether what follows here is the map: `along them`, `from it`, `in the pose of`, `that follows the depth`."""
    if tokens[at].has("@along"):
        return True
    ahead = tokens[at + 1 : at + 6]
    leads = tokens[at].has("@from", "@with", "@in", "@by", "@over", "same") or (
        tokens[at].low == "of" and at + 1 < len(tokens) and tokens[at + 1].has("@it", "@them")
    )
    return leads and any(t.has("@map", *_MAP_WORDS) or (t.has("@it", "@them") and not t.has("@det")) for t in ahead)


def _before_verb(tokens: Sequence[Token], verb: int) -> tuple[int, int]:
    """The object where the verb comes last: `kannst du einen Fuchs malen`."""
    begin = 0
    while begin < verb and tokens[begin].has(
        "@polite", "@please", "@you", "@i", "@aux", "@want", "@and", "@then", "@give"
    ):
        begin += 1
    return begin, verb


def _after_picture_of(tokens: Sequence[Token], begin: int, end: int) -> int:
    """Behind `a picture of`, `a clip that shows`, which say nothing about the picture."""
    for at in range(begin, min(begin + 4, end - 2)):
        if (
            tokens[at].low in _PICTURES
            and tokens[at + 1].has("@of", "@with", "@that")
            or tokens[at + 1].low in _SHOWING
        ):
            return at + (3 if tokens[at + 2].low in _SHOWING else 2)
        if tokens[at].low in _ADJECTIVAL:
            return begin
    return begin


def question(clause: Clause, words: str) -> str:
    """The question as the person put it, without what leads in and the file that it is about.

    A quoted question stands for itself.
    """
    for token in clause.tokens:
        if token.kind == "quote" and token.text.rstrip().endswith(("?", "？")):
            return token.text
    tokens = [t for t in clause.tokens[_asking_from(clause.tokens) :] if t.kind != "quote"] or clause.tokens
    kept = _without_files(tokens)
    said = " ".join(words[run[0].start : run[-1].end] for run in kept).strip(" ,.!:;？?")
    return said[:1].upper() + said[1:] + "?"


def _asking_from(tokens: Sequence[Token]) -> int:
    """Where the question begins: at its question word (and a preposition before it) or at the helping verb."""
    for at, token in enumerate(tokens):
        if token.has("@wh", "@how_many"):
            return (
                at - 1 if at and tokens[at - 1].has("@of", "@to", "@by", "@with") and tokens[at - 1].low != "to" else at
            )
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.has("@be", "@aux") and following is not None and not following.has("@you", "@aux", "%verb"):
            return at
    return 0


def _without_files(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """The tokens in runs, each file and the preposition before it left out."""
    runs: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in ("file", "url"):
            while runs[-1] and (
                runs[-1][-1].has("@of", "@in", "@by", "@according", "@with") or runs[-1][-1].low in ("to", ",")
            ):
                runs[-1].pop()
            runs.append([])
        elif token.low not in (":", "：") or runs[-1]:
            runs[-1].append(token)
    return [run for run in runs if run] or [list(tokens)]


def instruction(clause: Clause, words: str) -> str:
    """The whole clause as it was put, without politeness around it: what a writing model is told."""
    tokens = list(clause.tokens)
    while (
        len(tokens) > 2
        and (
            tokens[0].has("@and", "@then", "@polite", "@please", "@you", "@aux", "@i", "@want")
            or tokens[0].kind == "mark"
        )
        and not tokens[0].has("%verb", "@wh")
    ):
        tokens.pop(0)
    said = words[tokens[0].start : tokens[-1].end].strip(" ,.;:")
    return said[:1].upper() + said[1:] + ("" if said.endswith(("!", "?", "”", '"')) else ".")


def is_stereo(clause: Clause) -> bool:
    """Whether two pictures are said to be the two views of a stereo pair."""
    return clause.has("@stereo")
