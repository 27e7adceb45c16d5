"""Named entities by a spaCy pipeline whose files were fetched one by one."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.sentences import spans
from dragoman.backends.box.texts import data_output, text_of, word_set
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json

UNUSED = ["tagger", "parser", "lemmatizer", "attribute_ruler", "senter", "tok2vec"]
SHORT_FORMS = word_set("AM PM US USA UK EU UN NY LA DC TV PhD MD CEO")
OFTEN_A_PERSON = word_set("ORG PRODUCT NORP FAC WORK_OF_ART")  # what a surname alone is taken for; a place it may be
SHORTEST_SHOUT = 5  # letters: a word alone in capitals that is no short form such as NASA


class Entities:
    """Names, places, dates and amounts in English text. The files of the card are those of a spaCy pipeline."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del threads  # spaCy's small pipelines use one
        with TemporaryDirectory(prefix="dragoman-") as folder:
            _lay_out(card, files, Path(folder))
            self._pipeline = _load(folder)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The entities of `text` in order, each with its place in it."""
        del task, tell
        text = text_of(args)
        units = spans(text)
        documents = self._pipeline.pipe(readable(text[start:end]) for start, end in units)
        found = [
            _entity(text, start + entity.start_char, start + entity.end_char, label=entity.label_)
            for (start, _), document in zip(units, documents, strict=True)
            for entity in document.ents
        ]
        return [data_output(_same_people(found), name="entities")]


def readable(sentence: str) -> str:
    """`sentence` as the pipeline knows text, every letter in its place: on one line, and names not all in capitals."""
    line = "".join(" " if char.isspace() else char for char in sentence)
    words = line.split(" ")
    is_shouted = not any(char.islower() for char in line) and (
        sum(bool(word) for word in words) > 1 or len(line) >= SHORTEST_SHOUT
    )
    return " ".join(map(_unshouted, words)) if is_shouted else line


def _unshouted(word: str) -> str:
    calm = word.capitalize()
    return word if word.strip(".,:;!?") in SHORT_FORMS or len(calm) != len(word) else calm


def _entity(text: str, start: int, end: int, *, label: str) -> dict[str, Json]:
    return {"entity_group": label, "word": " ".join(text[start:end].split()), "start": start, "end": end}


def _same_people(found: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """A surname that was taken for something else is a person where the full name stands in the same text."""
    names = [entity["word"].split() for entity in found if entity["entity_group"] == "PERSON"]
    surnames = {parts[-1] for parts in names if len(parts) > 1}
    return [
        entity | {"entity_group": "PERSON"}
        if entity["word"] in surnames and entity["entity_group"] in OFTEN_A_PERSON
        else entity
        for entity in found
    ]


def _load(folder: str) -> Any:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import spacy

    return spacy.load(folder, exclude=UNUSED)


def _lay_out(card: ModelCard, files: dict[str, Path], folder: Path) -> None:
    """The folder tree that spaCy reads, by links to the files of the store."""
    members = {file.name: PurePosixPath(file.member) for file in card.files}
    root = os.path.commonpath([member.parent for member in members.values()])
    for name, member in members.items():
        place = folder / member.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(files[name].resolve())
