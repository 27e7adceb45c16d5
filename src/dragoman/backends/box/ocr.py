"""Text in pictures and scanned documents, read by PP-OCR through rapidocr."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from dragoman.backends.base import Item, Produced, Tell
from dragoman.backends.box.pictures import Pixels, data_output, text_output
from dragoman.backends.box.text_layout import Line, plain_text, rows_in_order
from dragoman.errors import ExpertError
from dragoman.media import document_pages, read_image
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json

# Pictures are enlarged to this short side before lines are looked for. rapidocr's own 736 takes three times as long and
# broke 8 of 72 rendered signs between words; at 320 all are right, and so is a page of 191 px that needs enlarging.
SHORT_SIDE_PX = 320
LEAST_SCORE = 0.6
SURE_SCORE = 0.95
SIDE_PX = 12  # a picture smaller than a letter holds none, and rapidocr can't scale it


class TextReader:
    """A loaded reader. files: `detect.onnx`, `recognize.onnx`, `turn.onnx`, which tells what stands on its head."""

    def __init__(self, files: Mapping[str, Path], *, version: str, threads: int) -> None:
        from rapidocr import OCRVersion, RapidOCR

        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        self._read: Any = RapidOCR(
            params={
                "Global.log_level": "error",
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                "Det.limit_side_len": SHORT_SIDE_PX,
                "Det.model_path": str(files["detect.onnx"]),
                "Det.ocr_version": OCRVersion(version),
                "Rec.model_path": str(files["recognize.onnx"]),
                "Rec.ocr_version": OCRVersion(version),
                "Cls.model_path": str(files["turn.onnx"]),
            }
        )

    def rows(self, pixels: Pixels) -> list[list[Line]]:
        """The lines in reading order, pieces side by side together; empty where nothing is written."""
        if min(pixels.shape[:2]) < SIDE_PX:
            return []
        # rapidocr takes arrays as OpenCV keeps them: blue first.
        read = self._read(np.ascontiguousarray(pixels[:, :, ::-1]))
        if read.boxes is None or not read.txts:
            return []
        lines = [_line(*each) for each in zip(read.txts, read.scores, read.boxes, strict=True)]
        return rows_in_order([line for line in lines if is_credible(line.text, line.score)])


_readers: WeakValueDictionary[tuple[str, int], TextReader] = WeakValueDictionary()
_opening = Lock()


def open_reader(card: ModelCard, files: Mapping[str, Path], *, threads: int) -> TextReader:
    """The reader of a card; the one that is open already where its files are the same. It goes with its last user."""
    key = (str(files["recognize.onnx"]), threads)
    with _opening:
        reader = _readers.get(key)
        if reader is None:
            version = str(card.options["version"])
            _readers[key] = reader = TextReader(files, version=version, threads=threads)
    return reader


class TextLines:
    """Adapter for optical-character-recognition."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._reader = open_reader(card, files, threads=threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The text, and its lines with places and scores; of a document page after page."""
        del task
        item = args.get("image")
        if not isinstance(item, Item):
            raise ExpertError(f"A picture or a document is wanted as `image`; {type(item).__name__} came.")
        is_document = item.resource.kind == "document"
        count = int(item.resource.facts.get("pages") or 1)
        texts: list[str] = []
        lines: list[Json] = []
        for number, pixels in enumerate(_pages(item), start=1):
            tell((number - 1) / max(count, number), f"reading page {number}" if is_document else "reading")
            rows = self._reader.rows(pixels)
            texts.append(plain_text(rows))
            lines += [line_data(line, page=number if is_document else None) for row in rows for line in row]
        return [text_output("\n\n".join(text for text in texts if text)), data_output("lines", lines)]


def is_credible(text: str, score: float) -> bool:
    """Whether a line was read rather than imagined: round things become `O`, leaves `AAA`, with a middling score."""
    is_slight = len(set(text.replace(" ", ""))) < 3
    return score >= (SURE_SCORE if is_slight else LEAST_SCORE)


def line_data(line: Line, *, page: int | None = None) -> dict[str, Json]:
    """`{text, box, score}`, of a document with its `page` from 1."""
    data: dict[str, Json] = {
        "text": line.text,
        "box": [round(edge) for edge in line.box],
        "score": round(line.score, 4),
    }
    return data if page is None else {**data, "page": page}


def _pages(item: Item) -> Iterator[Pixels]:
    if item.resource.kind == "document":
        yield from document_pages(item.path)
    else:
        yield read_image(item.path)


def _line(text: str, score: float, corners: Any) -> Line:
    xs, ys = corners[:, 0], corners[:, 1]
    box = (float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))
    return Line(text=text, score=float(score), box=box)
