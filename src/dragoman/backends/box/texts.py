"""Words into an adapter, words and data out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from dragoman.backends.base import Produced
from dragoman.errors import ExpertError
from dragoman.values import Arg, Json


def text_of(args: dict[str, Arg], name: str = "text") -> str:
    """The words in slot `name`. Raises `ExpertError` if there are none."""
    given = args.get(name)
    if not isinstance(given, str) or not given.strip():
        raise ExpertError(f"`{name}` must be words, {_came(given)}; hand over a text that says something.")
    return given


def texts_of(args: dict[str, Arg], name: str = "text") -> list[str]:
    """The texts in a slot that takes many; one text alone is a list of one. Raises `ExpertError` if one is empty."""
    given = args.get(name)
    texts = cast("Sequence[Arg]", given) if isinstance(given, (list, tuple)) else [given]
    return [text_of({name: text}, name) for text in texts] or [text_of({}, name)]


def names_of(args: dict[str, Arg], name: str) -> list[str]:
    """The distinct names in a list parameter such as `labels`; a string is read as names between commas."""
    given = args.get(name)
    parts = given.split(",") if isinstance(given, str) else cast("Sequence[Arg]", given or ())
    names = list(dict.fromkeys(text for part in parts if (text := str(part).strip())))
    if not names:
        raise ExpertError(f"`{name}` must name at least one, {_came(given)}; say which there are to choose from.")
    return names


def count_of(args: dict[str, Arg], name: str, *, default: int) -> int:
    """The whole number in `name`, at least 1. Raises `ExpertError` if it is none."""
    given = args.get(name)
    if given is None:
        return default
    try:
        count = int(float(given))
    except (TypeError, ValueError, OverflowError):
        count = 0
    if count < 1:
        raise ExpertError(f"`{name}` must be a whole number from 1 on, `{given}` came.")
    return count


def text_output(text: str, *, name: str = "text") -> Produced:
    """An output of words."""
    return Produced(name=name, kind="text", media_type="text/plain", text=text)


def data_output(data: Json, *, name: str) -> Produced:
    """An output of JSON: plain dicts, lists, strings and rounded floats."""
    return Produced(name=name, kind="data", media_type="application/json", data=data)


def labels_output(scores: dict[str, float]) -> Produced:
    """The output `labels`, best first; scores rounded to four places."""
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    return data_output([{"label": label, "score": round(float(score), 4)} for label, score in ranked], name="labels")


def word_set(listed: str) -> frozenset[str]:
    """The words of a list that is written with spaces between them."""
    return frozenset(listed.split())


def _came(given: Arg) -> str:
    if given is None:
        return "nothing came"
    return "an empty one came" if isinstance(given, str) else f"a {type(cast('object', given)).__name__} came"
