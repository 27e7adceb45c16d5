"""The JSON in a mind's words: strict first, then out of fences, prose and thinking, then mended. Parsed, never run."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from dragoman.values import Json, Repair

__all__ = ["MAX_CHARS", "MAX_DEPTH", "Found", "find_json"]

MAX_CHARS = 200_000
MAX_DEPTH = 64
# Mending takes time that grows with the square of hostile text: 0.2 s at 8,000 characters, 2 s at 20,000.
MAX_MENDED_CHARS = 20_000
MAX_STARTS = 200

_THINKING = re.compile(r"</?(?:think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_BAD_ESCAPE = re.compile(r'\\(?:u(?![0-9a-fA-F]{4})|[^"\\/bfnrtu])|\\\\')
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """The JSON value that stood in a text, what was mended to read it, and `fault` where nothing could be read."""

    value: Json = None
    repairs: tuple[Repair, ...] = ()
    fault: str | None = None


def find_json(text: str, *, is_wanted: Callable[[Json], bool]) -> Found:
    """The last value in `text` that `is_wanted`, else the last that can be read at all.

    Never raises; a text that is too long, too deep or holds no JSON comes back as a fault.
    """
    text = _SURROGATE.sub("\ufffd", text).lstrip("\ufeff").strip()
    fault = _out_of_bounds(text)
    if fault:
        return Found(fault=fault)
    reading = _Reading(is_wanted)
    whole = reading.strict(text)
    if whole is not _NOTHING:
        return Found(value=_whole_letters(whole), repairs=tuple(reading.repairs))
    value = reading.last_value(reading.without_thinking(text))
    if value is _NOTHING:
        return Found(fault=f"the reply holds no JSON; it begins: {text[:80]!r}", repairs=tuple(reading.repairs))
    return Found(value=_whole_letters(value), repairs=tuple(reading.repairs))


def _whole_letters(value: Json) -> Json:
    """The value with U+FFFD for each half of a surrogate pair that was escaped alone: no file can hold one."""
    return json.loads(_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))


def _out_of_bounds(text: str) -> str | None:
    if not text:
        return "the reply is empty"
    if len(text) > MAX_CHARS:
        return f"the reply has {len(text):,} characters; at most {MAX_CHARS:,} are read"
    depth = deepest = 0
    for mark in re.findall(r"[\[\]{}]", text):
        depth = max(0, depth + (1 if mark in "[{" else -1))
        deepest = max(deepest, depth)
    return f"the reply is nested {deepest} deep; at most {MAX_DEPTH} are read" if deepest > MAX_DEPTH else None


class _Nothing:
    """Stands for no value, since null is one."""


_NOTHING = _Nothing()


class _Reading:
    """One text being read; collects what was mended."""

    def __init__(self, is_wanted: Callable[[Json], bool]) -> None:
        self.repairs: list[Repair] = []
        self._is_wanted = is_wanted
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._constant, parse_float=self._float, strict=False
        )

    def mended(self, found: str, did: str) -> None:
        self.repairs.append(Repair(task=None, found=found, did=did))

    def strict(self, text: str) -> Json | _Nothing:
        """The value that is the whole text; JSON inside a JSON string is opened once."""
        try:
            value = self._decoder.decode(text)
        except (ValueError, RecursionError):
            return _NOTHING
        if isinstance(value, str):
            inner = self.last_value(value)
            if inner is not _NOTHING:
                self.mended("the JSON stood inside a string", "opened it")
                return inner
        return value

    def without_thinking(self, text: str) -> str:
        """The text without what a reasoning model thought aloud, even where one tag of a pair is missing."""
        kept: list[str] = []
        at, is_open, last_bracket = 0, False, max(text.rfind("["), text.rfind("{"))
        for tag in _THINKING.finditer(text):
            if tag[0].startswith("</"):
                if not is_open and tag.end() <= last_bracket:
                    kept.clear()  # The opening tag was left out: all before it was thought.
                at, is_open = tag.end(), False
            elif not is_open:
                kept.append(text[at : tag.start()])
                at, is_open = tag.end(), True
        if at == 0:
            return text
        self.mended("thinking before the JSON", "left it out")
        return "\n".join([*kept, text[at:]])

    def last_value(self, text: str) -> Json | _Nothing:
        """The last wanted value in the text, else the last one; wanted single objects in a row become a list."""
        read = list(self._values(text))
        whole = [value for value, is_mended in read if not is_mended and value and self._is_wanted(value)]
        wanted = whole or [value for value, is_mended in read if is_mended]
        if len(wanted) > 1 and all(_is_bare(value) for value in wanted):
            self.mended(f"{len(wanted)} objects one after another", "read them as one list")
            return wanted
        if wanted:
            if len(wanted) > 1:
                self.mended(f"{len(wanted)} plans in one reply", "took the last")
            return wanted[-1]
        return read[-1][0] if read else _NOTHING

    def _values(self, text: str) -> Iterator[tuple[Json, bool]]:
        """Every value in the text from left to right, and whether it had to be mended."""
        at, starts = 0, 0
        while (start := _next_bracket(text, at)) is not None and starts < MAX_STARTS:
            starts += 1
            try:
                value, end = self._decoder.raw_decode(text, start)
                is_mended = False
            except (ValueError, RecursionError):
                end = _closing(text, start)
                value, is_mended = self._mended_value(text[start:end]), True
            if value is _NOTHING:
                at = start + 1
                continue
            if starts == 1 and (start > 0 or end < len(text.rstrip())):
                self.mended("words or a code fence around the JSON", "left them out")
            at = end
            yield value, is_mended

    def _mended_value(self, piece: str) -> Json | _Nothing:
        value = self._escaped(piece)
        if value is _NOTHING and len(piece) <= MAX_MENDED_CHARS:
            value = self._near(piece)
        return value

    def _escaped(self, piece: str) -> Json | _Nothing:
        """The value once lone backslashes, as in paths and patterns, are written as JSON wants them."""
        doubled = _BAD_ESCAPE.sub(lambda found: found[0] if found[0] == "\\\\" else "\\" + found[0], piece)
        if doubled == piece:
            return _NOTHING
        try:
            value, _ = self._decoder.raw_decode(doubled)
        except (ValueError, RecursionError):
            return _NOTHING
        self.mended("a lone backslash in a JSON string", "kept it as it was written")
        return value

    def _near(self, piece: str) -> Json | _Nothing:
        """The wanted value that near-JSON was meant to be, or nothing."""
        import json_repair

        try:
            value, log = json_repair.loads(piece, skip_json_loads=True, logging=True)  # pyright: ignore
        except Exception:  # noqa: BLE001  its own mistakes on odd text come in every class
            return _NOTHING
        value = cast("Json", value)
        if not self._is_wanted(value):
            return _NOTHING
        for entry in cast("list[dict[str, str]]", log)[:20] or [{"text": "the JSON was not well formed"}]:
            self.mended(str(entry.get("text", ""))[:160], "mended the JSON")
        return _clean(value)

    def _object(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        """An object; values under a repeated key are kept together, where JSON would lose all but the last."""
        merged: dict[str, Json] = {}
        for key, value in pairs:
            if key in merged and merged[key] != value:
                self.mended(f"the key `{key}` twice in one object", "kept both values as a list")
                value = [*(_as_list(merged[key])), *(_as_list(value))]
            merged[key] = value
        return merged

    def _constant(self, name: str) -> None:
        self.mended(f"`{name}`, which JSON does not have", "read it as null")

    def _float(self, digits: str) -> float | None:
        number = float(digits)
        return number if math.isfinite(number) else self._constant(digits[:20])


def _next_bracket(text: str, at: int) -> int | None:
    places = [place for place in (text.find("[", at), text.find("{", at)) if place >= 0]
    return min(places) if places else None


def _closing(text: str, start: int) -> int:
    """Where the bracket at `start` closes, by count alone (near-JSON has no strings to trust); else the text's end."""
    depth = 0
    for mark in re.finditer(r"[\[\]{}]|```", text[start:]):
        if mark[0] == "```":
            return start + mark.start()
        depth += 1 if mark[0] in "[{" else -1
        if depth == 0:
            return start + mark.end()
    return len(text)


def _is_bare(value: Json) -> bool:
    """Whether this is a single task, which holds no list of others."""
    return isinstance(value, dict) and not any(
        isinstance(item, list) and item and isinstance(item[0], dict) and ("task" in item[0] or "tool" in item[0])
        for item in cast("dict[str, Json]", value).values()
    )


def _as_list(value: Json) -> list[Json]:
    return cast("list[Json]", value) if isinstance(value, list) else [value]


def _clean(value: Json) -> Json:
    """The value without numbers that JSON can't hold."""
    if isinstance(value, dict):
        return {str(key): _clean(item) for key, item in cast("dict[str, Json]", value).items()}
    if isinstance(value, list):
        return [_clean(item) for item in cast("list[Json]", value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value
