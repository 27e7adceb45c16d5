"""Data as words: what goes in where a text is wanted and an earlier task made data."""

from __future__ import annotations

import json
from typing import cast

from dragoman.values import Json

__all__ = ["picked", "text_form"]

_WORDS = ("word", "text", "label", "answer", "name")
_LABELS = ("entity_group", "label", "entity", "name")


def picked(data: Json, pick: str) -> Json | None:
    """The elements of `data` that bear the label `pick` (any case), or None if it has no labelled elements.

    data: a list of objects, or an object that holds one (`boxes`, `segments`).
    """
    rows = _rows(data)
    if rows is None:
        return None
    wanted = pick.casefold()
    return [row for row in rows if any(str(row.get(key, "")).casefold() == wanted for key in _LABELS)]


def text_form(data: Json) -> str:
    """`data` as words, fit to be read aloud: the best label of a ranking, the counts of what was found, the words of
    its elements, each once, in order; else compact JSON.
    """
    if isinstance(data, str):
        return data
    if isinstance(data, dict) and isinstance(counts := cast("dict[str, Json]", data).get("counts"), dict):
        return ", ".join(f"{number} {label}" for label, number in cast("dict[str, Json]", counts).items()) or "nothing"
    rows = _rows(data)
    if rows and all("label" in row and "score" in row for row in rows):
        return str(rows[0].get("group") or rows[0]["label"])
    if rows is not None:
        words = [word for row in rows if (word := _word(row))]
        if not rows:
            return ""
        if words:
            return ", ".join(dict.fromkeys(words))
    if isinstance(data, list) and all(isinstance(item, (str, int, float)) for item in cast("list[Json]", data)):
        return ", ".join(str(item) for item in cast("list[Json]", data))
    if isinstance(data, dict) and isinstance(answer := cast("dict[str, Json]", data).get("answer"), str):
        return answer
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _rows(data: Json) -> list[dict[str, Json]] | None:
    if isinstance(data, dict):
        lists = [value for value in cast("dict[str, Json]", data).values() if isinstance(value, list)]
        data = lists[0] if len(lists) == 1 else None
    if not isinstance(data, list):
        return None
    rows = cast("list[Json]", data)
    return cast("list[dict[str, Json]]", rows) if all(isinstance(row, dict) for row in rows) else None


def _word(row: dict[str, Json]) -> str:
    return next((str(row[key]) for key in _WORDS if row.get(key)), "")
