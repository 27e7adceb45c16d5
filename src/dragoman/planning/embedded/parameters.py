"""Named parameters that the words set: languages, numbers of sentences, scale, classes, columns."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.labels import label_texts
from dragoman.planning.embedded.languages import code_of, names
from dragoman.planning.embedded.numbers import number_before, number_of
from dragoman.planning.embedded.things import named_texts
from dragoman.planning.embedded.words import Token

_MOST_SENTENCES, _LABEL_CHARS = 1000, 60
_DESCRIBED = ("#text", "#image", "#audio", "#video", "#document", "@speech")


def target_languages(clause: Clause) -> list[str]:
    """The languages wanted, in order: `into French`, `to German and French`, `auf Englisch`, `翻译成葡萄牙语`."""
    tokens = clause.tokens
    found: list[str] = []
    for at, token in enumerate(tokens):
        code = code_of(token.low) if token.has("%language") else None
        if code is None or _is_source(tokens, at):
            continue
        is_led = any(before.has("@into") for before in tokens[max(0, at - 3) : at])
        is_next = at > 0 and tokens[at - 1].has("@and", ",", "@or")
        if found and found[-1].startswith(f"{code}-"):
            continue  # `Brazilian Portuguese` is one language.
        if is_led or is_next or not found:
            found.append(code)
    return list(dict.fromkeys(found)) or _by_code(tokens)


def _by_code(tokens: Sequence[Token]) -> list[str]:
    """A two-letter code behind `to` or an arrow, or beside a word for translation: `en to pt`, `PT version`."""
    codes = {code for code in names().values() if len(code) == 2}
    for at, token in enumerate(tokens):
        beside = [*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2]]
        is_led = at > 0 and tokens[at - 1].low in ("to", "->", "→", "into")
        is_word = token.low in ("it", "no", "is", "he", "la", "et", "id", "de", "es") and not token.text.isupper()
        if (
            token.low in codes
            and not is_word
            and (is_led or any(t.kind == "quote" or t.has("@translate", "@translation") for t in beside))
        ):
            return [token.low]
    return []


def source_language(clause: Clause) -> str | None:
    """The language that the text is said to be in: `from French`, `this German letter`."""
    for at, token in enumerate(clause.tokens):
        if token.has("%language") and _is_source(clause.tokens, at):
            return code_of(token.low)
    return None


def _is_source(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[at - 1] if at else None
    if before is not None and before.has("@from", "@into"):
        return before.has("@from") and not before.has("@into")
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is None or not after.has(*_DESCRIBED):
        return False
    return not after.has("@aloud", "@translation", "@version", "@summary")


def sentences_wanted(clause: Clause) -> int | None:
    """How many sentences (or lines, or points) are wanted."""
    for at, token in enumerate(clause.tokens):
        if token.has("@sentence", "@bullet") or token.low in ("sent", "sents"):
            number = number_before(clause.tokens, at)
            if number is not None and 0 < number < _MOST_SENTENCES:
                return int(number)
            if at and clause.tokens[at - 1].low in ("a", "one", "single"):
                return 1
    return None


def scale_wanted(clause: Clause) -> float | None:
    """How many times larger."""
    tokens = clause.tokens
    for at, token in enumerate(tokens):
        if token.has("@double"):
            return 2
        if token.low.endswith("x") and token.low[:-1].isdigit():
            return int(token.low[:-1])
        number = number_before(tokens, at, reach=1) if token.has("@times") else None
        if token.has("@factor"):
            number = next((n for t in tokens[at + 1 : at + 3] if (n := number_of(t)) is not None), None)
        if number is not None:
            return number
    return None


def labels_wanted(clause: Clause, words: str) -> list[str]:
    """The classes that the words list, the things that they look for, or the quoted ones."""
    quotes = [t.text for t in clause.tokens if t.kind == "quote" and len(t.text) <= _LABEL_CHARS]
    return label_texts(clause.tokens, words) or named_texts(clause.tokens, words) or (quotes if len(quotes) > 1 else [])


def column_wanted(clauses: Sequence[Clause]) -> str | None:
    """The column that the words name: quoted or behind `predict` in the first clause, or beside `column` in any."""
    first = clauses[0].tokens
    quote = next((t.text for t in first if t.kind == "quote" and "\n" not in t.text), None)
    beside = (_beside_column(c.tokens, at) for c in clauses for at, t in enumerate(c.tokens) if t.has("@column"))
    behind = (_predicted(first[at + 1 : at + 4]) for at, token in enumerate(first) if token.has("@predict"))
    return quote or next((name for name in (*beside, *behind) if name), None)


def _beside_column(tokens: Sequence[Token], at: int) -> str | None:
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is not None and after.kind == "word" and not after.has("%glue", "%actions"):
        return after.text
    before = tokens[at - 1] if at else None
    if before is not None and before.kind == "word" and not before.has("%glue", "%actions", "%adjectives"):
        return before.text
    return None


def _predicted(following: Sequence[Token]) -> str | None:
    named = (t for t in following if t.kind == "word" and not t.has("%glue", "%actions", "@wh", "@column", "@that"))
    found = next(named, None)
    return None if found is None or found.has("@table", "@row") else found.text


def is_stereo(clause: Clause) -> bool:
    """Whether two pictures are said to be the two views of a stereo pair."""
    return clause.has("@stereo")
