"""The value of a named parameter, brought to the type that its spec asks for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from dragoman.tasks import Parameter
from dragoman.values import Arg, Json

__all__ = ["parameter_value"]

Tell = Callable[[str, str], None]

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_CODE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def parameter_value(value: Json, parameter: Parameter, *, tell: Tell) -> Arg:
    """The value in the parameter's type, or None where it can't be read so. `tell(found, did)` hears of repairs."""
    match parameter.type:
        case "integer" | "number":
            return _number(value, is_whole=parameter.type == "integer", tell=tell)
        case "list":
            return _list(value, tell=tell)
        case "language":
            return _language(value, tell=tell)
        case "data":
            return value
        case "string":
            return _words(value, tell=tell)


def _words(value: Json, *, tell: Tell) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        tell(f"{value!r} where words were wanted", "wrote it as words")
        return str(value)
    if isinstance(value, list) and len(cast("list[Json]", value)) == 1:
        tell("a list of one", "read the one")
        return _words(cast("list[Json]", value)[0], tell=tell)
    return None


def _number(value: Json, *, is_whole: bool, tell: Tell) -> int | float | None:
    if isinstance(value, bool):
        return None
    number: float | None = value if isinstance(value, (int, float)) else None
    if isinstance(value, str):
        text = value.strip().casefold()
        digits = re.match(r"-?\d{1,12}(?:\.\d{1,12})?", text)
        number = float(_NUMBERS.index(text)) if text in _NUMBERS else float(digits[0]) if digits else None
        if number is not None:
            tell(f"{value[:40]!r} where a number was wanted", "read the number")
    if number is None or abs(number) > 1e9 or (is_whole and number != int(number)):
        return None
    return int(number) if is_whole or isinstance(value, int) or number == int(number) else number


def _list(value: Json, *, tell: Tell) -> Arg:
    if isinstance(value, str):
        items = [item.strip(" \"'[]") for item in re.split(r"[,;\n]| or ", value)]
        tell("one string where a list was wanted", "took it apart")
        return [item for item in items if item] or None
    if isinstance(value, list):
        return [str(item) if isinstance(item, (int, float)) else item for item in cast("list[Json]", value)]
    if isinstance(value, dict):
        return list(cast("dict[str, Json]", value)) or None
    return None


def _language(value: Json, *, tell: Tell) -> str | None:
    """A BCP 47 code; names of languages in any spelling that is known are turned into theirs."""
    if isinstance(value, list) and len(cast("list[Json]", value)) == 1:
        value = cast("list[Json]", value)[0]
    if not isinstance(value, str):
        return None
    text = value.strip().replace("_", "-")
    if _CODE.fullmatch(text):
        return text
    from dragoman.planning.embedded.languages import code_of

    code = next((code for word in text.split() if (code := code_of(word.casefold()))), None)
    if code is None and _CODE.fullmatch(text.lower()):
        code = text.lower()
    if code is not None:
        tell(f"the language as {value[:40]!r}", f"wrote it as `{code}`")
    return code
