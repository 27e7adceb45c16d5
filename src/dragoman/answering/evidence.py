"""Results as a mind gets them: compact, typed, bounded, never bytes; and what a mind's sentences rest on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

import msgspec

from dragoman.answering.scene import Scene
from dragoman.answering.wording import safe, shortened
from dragoman.values import Claim, Done, Failed, Json, Outcome, Output, Skipped

__all__ = ["Draft", "compact", "read_draft"]

_TEXT_CHARS = 2000
_ROWS = 20
_MARK = re.compile(r"\s*\[((?:\s*(?:task\s*)?\d+\s*,?)+)\]", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?=\s)|\n+")
_TAG = r"(?:think|thinking|thought|reasoning|reflection)"
_THOUGHT = re.compile(rf"<{_TAG}>.*?</{_TAG}>", re.IGNORECASE | re.DOTALL)
_THINKING_ENDS = re.compile(rf"</{_TAG}>", re.IGNORECASE)
_THINKING_BEGINS = re.compile(rf"<{_TAG}>", re.IGNORECASE)
_EMPTY = re.compile(r"(?:null|none|nan|error|undefined|[\[\]{}\"'`.\s]*)", re.IGNORECASE)
_HEAVY = ("vectors", "vector", "embedding")


def compact(scene: Scene, *, chars: int) -> str:
    """Every outcome on a line of JSON, the whole within about `chars` characters."""
    outcomes = [scene.outcomes[task.id] for task in scene.plan.tasks if task.id in scene.outcomes]
    share = max(200, chars // max(1, len(outcomes)))
    return "\n".join(shortened(_line(scene, outcome), chars=share) for outcome in outcomes)


def _line(scene: Scene, outcome: Outcome) -> str:
    match outcome:
        case Done():
            made = {output.name: _content(scene, output) for output in outcome.outputs if output.name not in _HEAVY}
            line: dict[str, Json] = {"task": outcome.task, "state": "done", "outputs": made}
        case Failed():
            line = {"task": outcome.task, "state": "failed", "reason": outcome.reason}
        case Skipped():
            line = {"task": outcome.task, "state": "skipped", "reason": outcome.reason}
    return msgspec.json.encode(line).decode()


def _content(scene: Scene, output: Output) -> Json:
    made = output.resource
    if made.kind == "text":
        return shortened(safe(made.text or ""), chars=_TEXT_CHARS)
    if made.kind == "data":
        return _rows(made.data)
    return {"kind": made.kind, "path": scene.path(made), **made.facts}


def _rows(data: Json) -> Json:
    if isinstance(data, list):
        rows = [_rows(row) for row in cast("list[Json]", data)[:_ROWS]]
        more = len(cast("list[Json]", data)) - _ROWS
        return [*rows, f"… {more} more"] if more > 0 else rows
    if isinstance(data, dict):
        return {key: _rows(value) for key, value in cast("dict[str, Json]", data).items() if key not in _HEAVY}
    if isinstance(data, str):
        return shortened(safe(data), chars=_TEXT_CHARS)
    return data


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A mind's answer, its marks read and taken out."""

    text: str
    claims: tuple[Claim, ...]


def read_draft(reply: str, *, outcomes: Mapping[int, Outcome]) -> Draft:
    """The words without their marks, and the marked sentences as claims.

    A mark that names no done task is dropped; a sentence that names a path which no task made is dropped whole.
    """
    sentences: list[str] = []
    claims: list[Claim] = []
    for piece in _with_marks(safe(_said(reply))):
        marks = {int(number) for mark in _MARK.findall(piece) for number in re.findall(r"\d+", mark)}
        words = _MARK.sub("", piece)
        sentences.append(words)
        tasks = tuple(sorted(id_ for id_ in marks if isinstance(outcomes.get(id_), Done)))
        if tasks and words.strip():
            claims.append(Claim(text=words.strip(), tasks=tasks))
    return Draft(text="".join(sentences).strip(), claims=tuple(claims))


def _said(reply: str) -> str:
    """The reply without a reasoning model's thinking, shut or left open; nothing, where it is no sentence at all."""
    spoken = _THOUGHT.sub("", reply)
    spoken = _THINKING_ENDS.split(spoken)[-1]
    spoken = _THINKING_BEGINS.split(spoken)[0].strip()
    return "" if _EMPTY.fullmatch(spoken) else spoken


def _with_marks(text: str) -> list[str]:
    """`text` cut into sentences, line ends kept, a mark behind a full stop staying with its sentence."""
    pieces: list[str] = []
    start = 0
    for found in _SENTENCE_END.finditer(text):
        if _MARK.match(text, found.end()):
            continue
        pieces.append(text[start : found.end()])
        start = found.end()
    return [*pieces, text[start:]]
