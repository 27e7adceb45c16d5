"""Numbers and ordinals in words."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.words import Token

_WORDS: dict[str, int] = {}
for _row in (
    "one two three four five six seven eight nine ten eleven twelve",
    "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "um dois três quatro cinco seis sete oito nove dez onze doze",
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "un deux trois quatre cinq six sept huit neuf dix onze douze",
    "一 二 三 四 五 六 七 八 九 十",
):
    _WORDS.update({word: number for number, word in enumerate(_row.split(), 1)})
_WORDS.update({"eine": 1, "einen": 1, "einem": 1, "uma": 1, "duas": 2, "una": 1, "une": 1, "两": 2, "couple": 2})

ORDINALS = ("@first", "@second", "@third", "@fourth", "@fifth")


def number_of(token: Token) -> int | float | None:
    """The number that a token says, in figures or in words."""
    if token.kind == "number":
        plain = token.low.replace(",", ".")
        try:
            return int(plain) if plain.isdigit() else float(plain)
        except ValueError:
            return None
    return _WORDS.get(token.low)


def number_before(tokens: Sequence[Token], at: int, *, reach: int = 3) -> int | float | None:
    """The nearest number within `reach` tokens before position `at`."""
    for place in range(at - 1, max(-1, at - 1 - reach), -1):
        found = number_of(tokens[place])
        if found is not None:
            return found
    return None
