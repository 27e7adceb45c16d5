"""A call as a question to a language model: the instruction apart, the material fenced off from it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from dragoman.backends.base import Call, Item
from dragoman.backends.sendable import words_of
from dragoman.errors import ExpertError
from dragoman.minds.base import Ask, Message
from dragoman.minds.prompt import load_prompt
from dragoman.values import Json

__all__ = ["SENTIMENTS", "TEXT_TASKS", "VISION_TASKS", "labels_of", "picture_prompt", "question"]

SENTIMENTS = ("POSITIVE", "NEGATIVE", "NEUTRAL")
_PROMPTS = Path(__file__).with_name("prompts")
_MOST_TABLE_CHARS = 60_000
_MAX_TOKENS = 2000


def question(call: Call) -> Ask:
    """The question for a text task. Raises `ExpertError` where the call lacks what the task needs."""
    write = _WRITERS.get(call.task)
    if write is None:
        raise ExpertError(f"a language model is not asked for {call.task} here; take another expert.")
    system, user, schema = write(call)
    return Ask(
        stage="expert",
        messages=[Message(role="system", content=system), Message(role="user", content=user)],
        schema=schema,
        schema_name="result",
        max_tokens=_MAX_TOKENS,
        timeout_s=call.deadline_s,
    )


def labels_of(call: Call) -> list[str]:
    """The classes to choose from. Raises `ExpertError` where there are none."""
    labels = call.args.get("labels")
    if not isinstance(labels, (list, tuple)) or not labels:
        raise ExpertError("`labels` must be a list of classes to choose from; name some.")
    return [str(label) for label in labels]


def picture_prompt(call: Call) -> str:
    """The words that go with a picture to a model that sees."""
    if call.task == "image-to-text":
        words = call.args.get("text")
        focus = f" Look for this: {words}" if isinstance(words, str) and words.strip() else ""
        return _prompt(call.task, focus=focus)
    return _prompt(call.task, question=words_of(call.args))


def _prompt(name: str, **slots: str) -> str:
    return load_prompt(_PROMPTS / f"{name}.md").render(**slots)


_Written = tuple[str, str, Json]


def _fenced(instruction: str, material: str, *, schema: Json = None) -> _Written:
    """The mark is made of the material, so that nothing in it can close the fence."""
    mark = hashlib.sha256(material.encode("utf-8", "replace")).hexdigest()[:10]
    system = _prompt("frame", instruction=instruction, mark=mark)
    return system, f"<material-{mark}>\n{material}\n</material-{mark}>", schema


def _said(call: Call) -> _Written:
    """Where the words themselves are the wish."""
    return _prompt(call.task), words_of(call.args), None


def _summary(call: Call) -> _Written:
    count = call.args.get("sentences")
    length = (
        f"{count} sentence{'s' if count != 1 else ''}" if isinstance(count, int) and count > 0 else "a few sentences"
    )
    return _fenced(_prompt(call.task, length=length), words_of(call.args))


def _translation(call: Call) -> _Written:
    target, source = words_of(call.args, "target"), call.args.get("source")
    stated = f" It is in `{source}`." if source else ""
    return _fenced(_prompt(call.task, target=target, source=stated), words_of(call.args))


def _answer(call: Call) -> _Written:
    return _fenced(_prompt(call.task, question=words_of(call.args)), words_of(call.args, "context"))


def _table(call: Call) -> _Written:
    item = call.args.get("table")
    if not isinstance(item, Item):
        raise ExpertError("a table is wanted as `table`.")
    from dragoman import media

    text = media.read_text(item.path)
    if len(text) > _MOST_TABLE_CHARS:
        raise ExpertError(
            f"the table has {len(text):,} characters, and a language model gets at most {_MOST_TABLE_CHARS:,}; "
            "hand over a part of it or take another expert."
        )
    return _fenced(_prompt(call.task, question=words_of(call.args)), text)


def _classes(call: Call) -> _Written:
    labels = labels_of(call)
    instruction = _prompt(call.task, labels=", ".join(f"`{label}`" for label in labels))
    return _fenced(instruction, words_of(call.args), schema=_scored(labels))


def _sentiment(call: Call) -> _Written:
    return _fenced(_prompt(call.task), words_of(call.args), schema=_scored(list(SENTIMENTS)))


def _entities(call: Call) -> _Written:
    row = _object(word={"type": "string"}, entity_group={"type": "string"})
    return _fenced(_prompt(call.task), words_of(call.args), schema=_object(entities={"type": "array", "items": row}))


def _scored(labels: list[str]) -> Json:
    row = _object(label={"type": "string", "enum": labels}, score={"type": "number"})
    return _object(labels={"type": "array", "items": row})


def _object(**properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_WRITERS: Mapping[str, Callable[[Call], _Written]] = {
    "text-generation": _said,
    "conversational": _said,
    "text2text-generation": _said,
    "summarization": _summary,
    "translation": _translation,
    "question-answering": _answer,
    "table-question-answering": _table,
    "zero-shot-classification": _classes,
    "text-classification": _sentiment,
    "token-classification": _entities,
}
TEXT_TASKS = tuple(_WRITERS)
VISION_TASKS = ("image-to-text", "visual-question-answering", "document-question-answering")
