"""Inputs to try an expert on, made on the spot: one picture, one second of sound, one sentence."""

from __future__ import annotations

import io
import math
import struct
import wave
from collections.abc import Mapping
from random import Random
from typing import Literal

from dragoman.backends.base import Item, Produced
from dragoman.models.card import ModelCard
from dragoman.store import Store
from dragoman.tasks import Parameter, Slot, TaskSpec
from dragoman.values import Arg, Kind, Resource

__all__ = ["Trials", "unlike_spec"]

_RATE_HZ = 16_000
_SENTENCES = {
    "en": "Ada Lovelace walked to the station in London. She was happy. It rained later that day.",
    "pt": "A Ada foi à estação de Lisboa. Estava contente. Choveu mais tarde nesse dia.",
    "de": "Ada ging in Berlin zum Bahnhof. Sie war froh. Später am Tag regnete es.",
    "es": "Ada fue a la estación de Madrid. Estaba contenta. Llovió más tarde ese día.",
    "fr": "Ada est allée à la gare de Paris. Elle était contente. Il a plu plus tard ce jour-là.",
    "zh": "小明走到了北京的车站。他很高兴。那天后来下雨了。",
}
_QUESTIONS = {
    "question-answering": "Who walked to the station?",
    "table-question-answering": "How many rows are there?",
    "document-question-answering": "What is written there?",
    "visual-question-answering": "What is in the picture?",
}
_COLUMNS = {"tabular-classification": "kind", "tabular-regression": "width"}
_TABLE = "height,width,kind\n" + "".join(f"{n},{n * 2},{'tall' if n > 10 else 'low'}\n" for n in range(1, 21))


class Trials:
    """Makes arguments for one call of an expert. `store`: where the pictures and sounds are put."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: dict[str, Resource] = {}

    def args(self, spec: TaskSpec, card: ModelCard) -> dict[str, Arg]:
        """Everything that the task requires, in a language that the expert masters."""
        language = next((code for code in card.languages if code in _SENTENCES), "en")
        found: dict[str, Arg] = {
            slot.name: self._slot(slot, language=language) for slot in spec.slots if slot.is_required
        }
        if spec.slot("right") is not None:
            found |= {"image": self._item("left"), "right": self._item("right")}
        if spec.name in _QUESTIONS:
            found["text"] = _QUESTIONS[spec.name]
        if spec.name in _COLUMNS:
            found["column"] = _COLUMNS[spec.name]
        wanted = [parameter for parameter in spec.parameters if parameter.is_required]
        return found | {parameter.name: _parameter(parameter, card, language=language) for parameter in wanted}

    def _slot(self, slot: Slot, *, language: str) -> Arg:
        one: Arg = _SENTENCES[language] if "text" in slot.kinds else self._item(slot.kinds[0])
        return [one, one] if slot.takes_many else one

    def _item(self, kind: Kind | Literal["left", "right"]) -> Item:
        if kind not in self._made:
            content, name = _CONTENT[kind]()
            self._made[kind] = self._store.take(content, name=name)
        resource = self._made[kind]
        return Item(resource=resource, path=self._store.path(resource.sha256))


def unlike_spec(outputs: tuple[Produced, ...], spec: TaskSpec) -> str:
    """What is wrong with the outputs by the task's spec, or nothing."""
    known = {out.name: out.kind for out in spec.outputs}
    if not outputs:
        return "it returned nothing"
    wrong = [f"{one.name} ({one.kind})" for one in outputs if known.get(one.name) != one.kind]
    return f"it returned {', '.join(wrong)}, which {spec.name} does not have" if wrong else ""


def _parameter(parameter: Parameter, card: ModelCard, *, language: str) -> Arg:
    if parameter.type == "language":
        return next((code for code in card.languages if code not in (language, "*")), language)
    given: Mapping[str, Arg] = {"list": ["cat", "cup"], "number": 2.0, "integer": 2, "data": []}
    return given.get(parameter.type, "cup")


def _picture() -> tuple[bytes, str]:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (480, 320), (225, 230, 235))
    pen = ImageDraw.Draw(picture)
    pen.ellipse((300, 60, 440, 200), fill=(200, 60, 40))
    pen.rectangle((40, 180, 260, 290), fill=(50, 90, 160))
    pen.text((40, 60), "DRAGOMAN", fill=(10, 10, 10), font=ImageFont.load_default(44))
    sink = io.BytesIO()
    picture.save(sink, format="PNG")
    return sink.getvalue(), "trial.png"


def _view(offset_px: int) -> tuple[bytes, str]:
    """One view of a speckled wall; the other is the same, some pixels further."""
    from PIL import Image

    wall = Image.frombytes("L", (200, 120), Random(1).randbytes(200 * 120)).resize((800, 480))  # noqa: S311 - speckles, no secret
    sink = io.BytesIO()
    wall.crop((offset_px, 0, offset_px + 700, 480)).convert("RGB").save(sink, format="PNG")
    return sink.getvalue(), f"trial-{offset_px}.png"


def _left() -> tuple[bytes, str]:
    return _view(0)


def _right() -> tuple[bytes, str]:
    return _view(12)


def _sound() -> tuple[bytes, str]:
    """A second of a voice-like hum: harmonics of 120 Hz that swell four times."""
    sink = io.BytesIO()
    with wave.open(sink, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE_HZ)
        file.writeframes(b"".join(struct.pack("<h", round(8000 * _hum(n / _RATE_HZ))) for n in range(_RATE_HZ)))
    return sink.getvalue(), "trial.wav"


def _hum(at_s: float) -> float:
    swell = 0.5 - 0.5 * math.cos(2 * math.pi * 4 * at_s)
    return swell * sum(math.sin(2 * math.pi * 120 * harmonic * at_s) / harmonic for harmonic in range(1, 12)) / 2


def _video() -> tuple[bytes, str]:
    import av
    from PIL import Image

    picture = Image.open(io.BytesIO(_picture()[0]))
    sink = io.BytesIO()
    with av.open(sink, "w", format="mp4") as file:
        stream = file.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = picture.width, picture.height, "yuv420p"
        for _ in range(10):
            file.mux(stream.encode(av.VideoFrame.from_image(picture)))
        file.mux(stream.encode())
    return sink.getvalue(), "trial.mp4"


def _table() -> tuple[bytes, str]:
    return _TABLE.encode(), "trial.csv"


def _document() -> tuple[bytes, str]:
    from PIL import Image

    sink = io.BytesIO()
    Image.open(io.BytesIO(_picture()[0])).save(sink, format="PDF")
    return sink.getvalue(), "trial.pdf"


_CONTENT = {
    "image": _picture,
    "left": _left,
    "right": _right,
    "audio": _sound,
    "video": _video,
    "table": _table,
    "document": _document,
}
