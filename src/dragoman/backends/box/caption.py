"""Captions and answers from evidence: what the box's other experts find in a picture, put into words.

Not a captioning model: it knows no actions, no relations and no names.
"""

from __future__ import annotations

from pathlib import Path

from dragoman.backends.base import Item, Produced, Tell
from dragoman.backends.box.answers import answer, looked_for
from dragoman.backends.box.boxes import Found
from dragoman.backends.box.colours import colour_shares
from dragoman.backends.box.detection import JoinedObjects, MainThing
from dragoman.backends.box.evidence import Evidence, caption
from dragoman.backends.box.imagenet import best, everyday, read_classes
from dragoman.backends.box.ocr import open_reader
from dragoman.backends.box.onnx_image import TOP, load_net
from dragoman.backends.box.pictures import Pixels, data_output, picture, text_output
from dragoman.backends.box.text_layout import plain_text
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg


class EvidenceCaption:
    """Adapter for image-to-text and visual-question-answering."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._net = load_net(card, files, threads=threads)
        self._classes = read_classes(files["imagenet-classes.json"])
        self._can_count = "centernet.onnx" in files
        finder = JoinedObjects if self._can_count else MainThing
        self._finder = finder(card=card, files=files, threads=threads)
        self._reader = open_reader(card, files, threads=threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """A caption or an answer, and the evidence that it rests on."""
        pixels = picture(args)
        question = _words(args.get("text"))
        if task == "visual-question-answering" and not question:
            raise ExpertError("A question is wanted as `text`; none came.")
        evidence = self.look(pixels, tell=tell)
        if task == "visual-question-answering":
            says = answer(question, evidence)
        else:
            says = f"{caption(evidence)} {looked_for(question, evidence)}".strip()
        return [text_output(says), data_output("evidence", evidence.data())]

    def look(self, pixels: Pixels, *, tell: Tell) -> Evidence:
        """Everything that the other experts find in a picture."""
        height_px, width_px = pixels.shape[:2]
        tell(0.0, "naming what it shows")
        probabilities = self._net.probabilities(pixels)
        thing = everyday(probabilities, self._classes)
        tell(0.2, "finding things")
        found = self._finder.find(pixels)
        tell(0.4, "reading what is written")
        text = plain_text(self._reader.rows(pixels))
        return Evidence(
            width_px=width_px,
            height_px=height_px,
            labels=best(probabilities, self._classes, top=TOP),
            name=thing.name,
            kind=thing.kind,
            score=thing.score,
            found=found,
            colours=colour_shares(pixels),
            box_colours=[colour_shares(_inside(pixels, each)) for each in found],
            text=text,
            can_count=self._can_count,
            known=self._finder.known,
        )


def _inside(pixels: Pixels, thing: Found) -> Pixels:
    """A box without its margins: less of what lies around the thing."""
    left, top, right, bottom = (int(edge) for edge in thing.box)
    dx, dy = (right - left) // 8, (bottom - top) // 8
    return pixels[top + dy : max(bottom - dy, top + dy + 1), left + dx : max(right - dx, left + dx + 1)]


def _words(arg: Arg) -> str:
    if isinstance(arg, Item):
        return (arg.resource.text or "").strip()
    return arg.strip() if isinstance(arg, str) else ""
