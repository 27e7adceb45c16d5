"""What a language model replied, read into the outputs of the task: nothing in it is believed that can be checked."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from dragoman.backends.base import Call, Produced
from dragoman.backends.mind.questions import SENTIMENTS, labels_of
from dragoman.errors import ExpertError
from dragoman.values import Json

__all__ = ["outputs"]

_FENCE = re.compile(r"\A```[\w-]*\n(.*?)\n?```\Z", re.DOTALL)
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_MARK = re.compile(r"</?material-[0-9a-f]{10}>")


def outputs(text: str, call: Call, *, by: str) -> tuple[Produced, ...]:
    """The outputs of the call's task. by: the model, for messages. Raises `ExpertError` where nothing can be read."""
    text = _MARK.sub("", _THOUGHT.sub("", text)).strip()
    if not text:
        raise ExpertError(f"{by} replied without words; try again or take another expert.")
    return tuple(_READERS.get(call.task, _words)(text, call, by))


def _words(text: str, call: Call, by: str) -> Sequence[Produced]:
    del call, by
    fenced = _FENCE.match(text)
    return [Produced(name="text", kind="text", media_type="text/plain", text=fenced[1] if fenced else text)]


def _data(name: str, value: Json) -> Produced:
    return Produced(name=name, kind="data", media_type="application/json", data=value)


def _known(text: str, by: str, *, where: str) -> str:
    """The words, unless they say that nothing is known."""
    if text.strip(" .\"'`").casefold() == "unknown":
        raise ExpertError(f"{by} says that the {where} does not tell.")
    return text


def _answer(text: str, call: Call, by: str) -> Sequence[Produced]:
    """With its place in the context, where the model used the context's own words."""
    text = _known(text, by, where="text")
    context = str(call.args.get("context") or "")
    start = context.casefold().find(text.rstrip(".").casefold())
    end = start + len(text.rstrip(".")) if start >= 0 else None
    span = {"answer": text, "sentence": None, "start": start if end else None, "end": end, "score": None}
    return [*_words(text, call, by), _data("span", span)]


def _table_answer(text: str, call: Call, by: str) -> Sequence[Produced]:
    return [*_words(_known(text, by, where="table"), call, by), _data("cells", [])]


def _evidence(text: str, call: Call, by: str) -> Sequence[Produced]:
    return [*_words(text, call, by), _data("evidence", {"model": call.card.id})]


def _page_answer(text: str, call: Call, by: str) -> Sequence[Produced]:
    text = _known(text, by, where="page")
    return [*_words(text, call, by), _data("span", {"answer": text, "line": None, "box": None, "score": None})]


def _labels(text: str, call: Call, by: str) -> Sequence[Produced]:
    """Classes that were asked for, each once; one that stands alone in the reply counts, too."""
    wanted = list(SENTIMENTS) if call.task == "text-classification" else labels_of(call)
    names = {label.casefold(): label for label in wanted}
    found: dict[str, float] = {}
    for row in _rows(text, "labels"):
        label = names.get(str(row.get("label", "")).strip().casefold())
        if label is not None:
            found.setdefault(label, _score(row.get("score")))
    if not found:
        named = [label for key, label in names.items() if re.search(rf"\b{re.escape(key)}\b", text.casefold())]
        if len(named) != 1:
            raise ExpertError(f"{by} named none of the classes {', '.join(wanted)}; take another expert.")
        found = {named[0]: 1.0}
    rows = [{"label": label, "score": round(score, 4)} for label, score in found.items()]
    return [_data("labels", sorted(rows, key=lambda row: -cast("float", row["score"])))]


def _entities(text: str, call: Call, by: str) -> Sequence[Produced]:
    """Only what stands in the text, each at its next place there."""
    if not re.search(r"[\[{]", text):
        raise ExpertError(f"{by} gave no list of entities; take another expert.")
    whole = str(call.args.get("text") or "")
    found: list[dict[str, Json]] = []
    at = 0
    for row in _rows(text, "entities"):
        word = str(row.get("word") or "").strip()
        start = whole.find(word, at) if word else -1
        start = whole.find(word) if word and start < 0 else start
        if start < 0:
            continue
        at = start + len(word)
        group = str(row.get("entity_group") or "").strip().upper()
        found.append({"entity_group": group, "word": word, "start": start, "end": at})
    return [_data("entities", found)]


def _rows(text: str, key: str) -> list[dict[str, Json]]:
    """The objects under `key` of the JSON in a reply, or of a bare list; none where there is no JSON."""
    value = _json(text)
    rows = value.get(key) if isinstance(value, dict) else value
    return [row for row in cast("list[Json]", rows) if isinstance(row, dict)] if isinstance(rows, list) else []


def _json(text: str) -> Json:
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    end = max(text.rfind("}"), text.rfind("]"))
    if start < 0:
        return None
    try:
        return json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        from json_repair import repair_json

        return repair_json(text[start:], return_objects=True)


def _score(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0.0
    return min(max(float(value), 0.0), 1.0)


_READERS: Mapping[str, Callable[[str, Call, str], Sequence[Produced]]] = {
    "question-answering": _answer,
    "table-question-answering": _table_answer,
    "zero-shot-classification": _labels,
    "text-classification": _labels,
    "token-classification": _entities,
    "image-to-text": _evidence,
    "visual-question-answering": _evidence,
    "document-question-answering": _page_answer,
}
