"""Picture tasks in the wire format of `hf-inference`: raw bytes, or base64 in JSON where there are parameters.

Source: huggingface_hub, `inference/_providers/hf_inference.py`.
"""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Mapping, Sequence
from typing import Any

from dragoman.backends.base import Call, Produced
from dragoman.backends.exchange import Received
from dragoman.backends.made import data_output, labels_output, number, picture_output, rows_of, text_output
from dragoman.backends.providers.text import labels_of
from dragoman.backends.providers.wire import Body, Wire, single
from dragoman.backends.sendable import Picture, as_base64, picture_of, words_of
from dragoman.values import Json

__all__ = ["VISION_WIRES"]

_PNG = "image/png"


def _raw(call: Call) -> Body:
    picture = picture_of(call.args)
    return Body(content=picture.payload, media_type=picture.media_type, picture=picture)


def _with(call: Call, extra: Mapping[str, Json] | None = None, **parameters: Json) -> Body:
    picture = picture_of(call.args)
    body = {"inputs": as_base64(picture.payload), "parameters": parameters, **(extra or {})}
    return Body(json=body, picture=picture)


def _labels(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    return [labels_output(rows_of(received.json(), received=received), received=received)]


def _zero_shot_body(call: Call) -> Body:
    return _with(call, candidate_labels=labels_of(call))


def _caption(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    row = rows_of(received.json(), received=received)[0]
    return [text_output(row.get("generated_text"), received=received), _evidence(call)]


def _evidence(call: Call) -> Produced:
    """What a caption or an answer by a whole model rests on: that model's word alone."""
    return data_output("evidence", {"model": call.card.id})


def _question_body(call: Call) -> Body:
    body = _with(call, {"question": words_of(call.args)})
    return Body(json={**body.json, "image": body.json["inputs"]}, picture=body.picture)


def _answer(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    rows = [row for row in rows_of(received.json(), received=received) if row.get("answer")]
    if not rows:
        raise received.unlike("an answer")
    best = max(rows, key=lambda row: number(row.get("score"), received=received))
    evidence = {"model": call.card.id, "score": round(float(best["score"]), 4)}
    return [text_output(best["answer"], received=received), data_output("evidence", evidence)]


def _document_body(call: Call) -> Body:
    picture = picture_of(call.args)
    inputs = {"question": words_of(call.args), "image": as_base64(picture.payload)}
    return Body(json={"inputs": inputs, "parameters": {}}, picture=picture)


def _document(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    row = max(rows_of(received.json(), received=received), key=lambda row: row.get("score") or 0.0)
    span = {"answer": row.get("answer"), "line": None, "box": None, "score": row.get("score")}
    return [text_output(row.get("answer"), received=received), data_output("span", span)]


def _objects(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    from dragoman import media
    from dragoman.backends.box.boxes import Found, boxes_data, clipped
    from dragoman.backends.box.drawing import annotated

    picture = _sent(body)
    found = [
        Found(
            label=str(row.get("label")),
            score=number(row.get("score"), received=received),
            box=_box(row.get("box"), received=received, scale=picture.scale),
        )
        for row in rows_of(received.json(), received=received)
    ]
    found = clipped(found, width_px=picture.width_px, height_px=picture.height_px)
    found.sort(key=lambda thing: -thing.score)
    drawn = annotated(media.read_image(call.args["image"].path), found)
    return [data_output("boxes", boxes_data(found)), _pixels_output(drawn, "annotated")]


def _box(box: Json, *, received: Received, scale: float) -> tuple[float, float, float, float]:
    if not isinstance(box, dict):
        raise received.unlike("boxes")
    left, top, right, bottom = (
        number(box.get(edge), received=received) / scale for edge in ("xmin", "ymin", "xmax", "ymax")
    )
    return left, top, right, bottom


def _pixels_output(pixels: Any, name: str) -> Produced:
    from dragoman import media

    height_px, width_px = pixels.shape[:2]
    facts: dict[str, Json] = {"width_px": int(width_px), "height_px": int(height_px), "frames": 1}
    return Produced(name=name, kind="image", media_type=_PNG, payload=media.png_bytes(pixels), facts=facts)


def _sent(body: Body) -> Picture:
    assert body.picture is not None
    return body.picture


def _segments(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    """What was cut out, and a mask in the original's size: white where any wanted segment is."""
    import numpy as np

    picture = _sent(body)
    wanted = {str(label).casefold() for label in call.args.get("labels") or ()}
    whole = np.zeros((picture.height_px, picture.width_px), dtype=np.uint8)
    segments: list[dict[str, Json]] = []
    for row in rows_of(received.json(), received=received):
        label = str(row.get("label"))
        if wanted and label.casefold() not in wanted:
            continue
        mask = _mask(row.get("mask"), received=received, picture=picture)
        if mask.any():
            segments.append({"label": label, "score": row.get("score"), **_extent(mask)})
            whole[mask] = 255
    return [data_output("segments", segments), _pixels_output(whole, "mask")]


def _extent(mask: Any) -> dict[str, Json]:
    ys, xs = mask.any(axis=1).nonzero()[0], mask.any(axis=0).nonzero()[0]
    box = [int(xs[0]), int(ys[0]), int(xs[-1]) + 1, int(ys[-1]) + 1]
    return {"box": box, "area": int(mask.sum())}


def _mask(text: Json, *, received: Received, picture: Picture) -> Any:
    """(H, W) bool in the original's size."""
    import numpy as np
    from PIL import Image

    try:
        payload = base64.b64decode(str(text), validate=True)
        with Image.open(io.BytesIO(payload), formats=["PNG", "JPEG", "WEBP"]) as image:
            grey = image.convert("L").resize((picture.width_px, picture.height_px), Image.Resampling.NEAREST)
    except (binascii.Error, OSError, ValueError) as error:
        raise received.unlike("masks") from error
    return np.asarray(grey) > 127


def _prompt_body(call: Call) -> Body:
    return Body(json={"inputs": words_of(call.args), "parameters": {}}, accept=_PNG)


def _edit_body(call: Call) -> Body:
    words = call.args.get("text")
    prompt: dict[str, Json] = {"prompt": words} if isinstance(words, str) and words.strip() else {}
    body = _with(call, None, **prompt)
    return Body(json=body.json, picture=body.picture, accept=_PNG)


def _image(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    return [picture_output(received)]


VISION_WIRES: Mapping[str, Wire] = {
    "image-classification": single(_raw, _labels),
    "zero-shot-image-classification": single(_zero_shot_body, _labels),
    "image-to-text": single(_raw, _caption),
    "visual-question-answering": single(_question_body, _answer),
    "document-question-answering": single(_document_body, _document),
    "object-detection": single(_raw, _objects),
    "image-segmentation": single(_raw, _segments),
    "text-to-image": single(_prompt_body, _image),
    "image-to-image": single(_edit_body, _image),
}
