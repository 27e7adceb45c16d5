"""Text tasks in the wire format of `hf-inference`: `{"inputs": …, "parameters": …}`.

Source: huggingface_hub, `inference/_providers/hf_inference.py`, and the task specifications of huggingface.js.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dragoman.backends.base import Call, Item, Produced
from dragoman.backends.exchange import Received
from dragoman.backends.made import data_output, labels_output, number, rows_of, text_output, unit_vectors
from dragoman.backends.providers.wire import Body, Wire, single
from dragoman.backends.sendable import words_of
from dragoman.errors import ExpertError
from dragoman.values import Json

__all__ = ["TEXT_WIRES", "mean_vectors", "texts_of"]

_MASKS = re.compile(r"\[MASK\]|<mask>|\[mask\]|_{3,}")
_GROUPS = {"PER": "PERSON"}


def _body(inputs: Json, **parameters: Json) -> Body:
    found = {key: value for key, value in parameters.items() if value is not None}
    return Body(json={"inputs": inputs, "parameters": found})


def _plain(call: Call) -> Body:
    return _body(words_of(call.args))


def _labels(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    return [labels_output(rows_of(received.json(), received=received), received=received)]


def _zero_shot_body(call: Call) -> Body:
    return _body(words_of(call.args), candidate_labels=labels_of(call))


def labels_of(call: Call) -> list[str]:
    """The classes to choose from. Raises `ExpertError` where there are none."""
    labels = call.args.get("labels")
    if not isinstance(labels, (list, tuple)) or not labels:
        raise ExpertError("`labels` must be a list of classes to choose from; name some.")
    return [str(label) for label in labels]


def _zero_shot(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    """Rows, or the older `{sequence, labels, scores}`."""
    found = received.json()
    if isinstance(found, dict) and isinstance(found.get("labels"), list) and isinstance(found.get("scores"), list):
        pairs = zip(found["labels"], found["scores"], strict=False)
        found = [{"label": label, "score": score} for label, score in pairs]
    return [labels_output(rows_of(found, received=received), received=received)]


def _entities_body(call: Call) -> Body:
    return _body(words_of(call.args), aggregation_strategy="simple")


def _entities(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    text = words_of(call.args)
    return [data_output("entities", [_entity(row, text) for row in rows_of(received.json(), received=received)])]


def _entity(row: Mapping[str, Json], text: str) -> dict[str, Json]:
    group = str(row.get("entity_group") or row.get("entity") or "").removeprefix("B-").removeprefix("I-")
    start, end = row.get("start"), row.get("end")
    word = str(row.get("word") or "")
    if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text):
        word = text[start:end]  # the model's own word has lost its case and spaces
    found: dict[str, Json] = {"entity_group": _GROUPS.get(group, group), "word": word, "start": start, "end": end}
    score = row.get("score")
    return {**found, "score": round(score, 4)} if isinstance(score, float) else found


def texts_of(call: Call) -> list[str]:
    """The texts in the slot `text`, one or several. Raises `ExpertError` where there are none."""
    given = call.args.get("text")
    texts = list(given) if isinstance(given, (list, tuple)) else [given]
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise ExpertError("words are wanted as `text`.")
    return [str(text) for text in texts]


def _vectors_body(call: Call) -> Body:
    return Body(json={"inputs": texts_of(call)})


def _vectors(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    count = len(texts_of(call))
    rows = mean_vectors(received.json(), count=count)
    return [data_output("vectors", unit_vectors(rows, received=received, count=count))]


def mean_vectors(value: Json, *, count: int) -> Json:
    """One vector per text, where a model gives one vector per token, or a text's vector bare or in a list."""
    depth, at = 0, value
    while isinstance(at, list) and at:
        depth, at = depth + 1, at[0]
    if depth == 1 and count == 1:
        return [value]
    if depth == 2 and count == 1 and len(value) > 1:
        return [_mean(value)]
    if depth == 4 and len(value) == count:
        value, depth = [row[0] for row in value], 3
    return [_mean(row) for row in value] if depth == 3 else value


def _mean(rows: Json) -> Json:
    try:
        return [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    except (TypeError, ValueError):
        return rows


def _mask_body(call: Call) -> Body:
    mask = str(call.card.options.get("mask", "[MASK]"))
    text, count = _MASKS.subn(lambda _: mask, words_of(call.args))
    if not count:
        raise ExpertError("no masked word in the text; put [MASK] where the word is missing.")
    return _body(text)


def _mask(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    found = received.json()
    if isinstance(found, list) and found and isinstance(found[0], list):
        found = found[0]  # of several masks the first
    rows = [
        {"label": str(row.get("token_str", "")).strip(), "score": row.get("score")}
        for row in rows_of(found, received=received)
    ]
    return [labels_output(rows, received=received)]


def _similarity_body(call: Call) -> Body:
    first, *others = texts_of(call)
    if not others:
        raise ExpertError("two texts or more are wanted; the first is compared with the others.")
    return _body({"source_sentence": first, "sentences": others})


def _similarity(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    _, *others = texts_of(call)
    scores = received.json()
    if not isinstance(scores, list) or len(scores) != len(others):
        raise received.unlike(f"{len(others)} scores")
    rows = [
        {"text": text, "score": round(number(score, received=received), 4)}
        for text, score in zip(others, scores, strict=True)
    ]
    return [data_output("similarity", rows)]


def _question_body(call: Call) -> Body:
    return _body({"question": words_of(call.args), "context": words_of(call.args, "context")})


def _answer(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    row = rows_of(received.json(), received=received)[0]
    context = words_of(call.args, "context")
    start, end = row.get("start"), row.get("end")
    span: dict[str, Json] = {"answer": row.get("answer"), "sentence": sentence_at(context, start)}
    span |= {"start": start, "end": end, "score": row.get("score")}
    return [text_output(row.get("answer"), received=received), data_output("span", span)]


def sentence_at(text: str, start: Json) -> str | None:
    """The sentence of `text` that holds the letter at `start`."""
    if not isinstance(start, int) or not 0 <= start < len(text):
        return None
    ends = [0, *(found.end() for found in re.finditer(r"[.!?。！？]+[\s\"”’)]*|\n+", text)), len(text)]
    left = max(end for end in ends if end <= start)
    return text[left : min(end for end in ends if end > start)].strip()


def _words(key: str) -> Wire:
    def read(received: Received, call: Call, body: Body) -> Sequence[Produced]:
        row = rows_of(received.json(), received=received)[0]
        return [text_output(row.get(key), received=received)]

    body = _translation_body if key == "translation_text" else _plain
    return single(body, read)


def _translation_body(call: Call) -> Body:
    """With the model's own codes of the languages where its card has a table, else for its one pair."""
    options = call.card.options
    codes = options.get("codes")
    target, source = (_base(call.args.get(name)) for name in ("target", "source"))
    if isinstance(codes, dict):
        wanted = codes.get(target)
        if wanted is None:
            raise ExpertError(f"{call.card.id} does not know the language `{target}`; take another expert.")
        source = source or "en"
        if source not in codes:
            raise ExpertError(f"{call.card.id} does not know the language `{source}`; take another expert.")
        return _body(words_of(call.args), src_lang=codes[source], tgt_lang=wanted)
    known = options.get("source")
    if source and known and source != known:
        raise ExpertError(f"{call.card.id} translates from `{known}`, not from `{source}`; take another expert.")
    return _plain(call)


def _base(code: Json) -> str:
    return str(code or "").replace("_", "-").partition("-")[0].casefold()


def _table_body(call: Call) -> Body:
    item = call.args.get("table")
    if not isinstance(item, Item):
        raise ExpertError("a table is wanted as `table`.")
    from dragoman import media

    header, rows = media.read_table(item.path)
    columns = {name: [row[place] for row in rows] for place, name in enumerate(header)}
    return _body({"query": words_of(call.args), "table": columns})


def _cells(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    found = rows_of(received.json(), received=received)[0]
    names = list(body.json["inputs"]["table"])
    pairs = zip(found.get("coordinates") or [], found.get("cells") or [], strict=False)
    cells = [
        {"row": row, "column": names[column], "value": value}
        for (row, column), value in pairs
        if isinstance(column, int) and 0 <= column < len(names)
    ]
    return [text_output(found.get("answer"), received=received), data_output("cells", cells)]


TEXT_WIRES: Mapping[str, Wire] = {
    "text-classification": single(_plain, _labels),
    "zero-shot-classification": single(_zero_shot_body, _zero_shot),
    "token-classification": single(_entities_body, _entities),
    "feature-extraction": single(_vectors_body, _vectors),
    "fill-mask": single(_mask_body, _mask),
    "sentence-similarity": single(_similarity_body, _similarity),
    "question-answering": single(_question_body, _answer),
    "summarization": _words("summary_text"),
    "translation": _words("translation_text"),
    "table-question-answering": single(_table_body, _cells),
}
