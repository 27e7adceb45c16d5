"""Questions to a table, answered by rules over its cells; meaning only helps to find the column that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.columns import read_columns
from dragoman.backends.box.minilm import encoder_of
from dragoman.backends.box.table_answers import answer_of
from dragoman.backends.box.table_queries import query_of
from dragoman.backends.box.tables import table_of
from dragoman.backends.box.texts import data_output, text_of, text_output
from dragoman.errors import ExpertError
from dragoman.media import read_table
from dragoman.models.card import ModelCard
from dragoman.values import Arg


class TableAnswers:
    """Adapter for table-question-answering. files: a sentence encoder's."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._encoder = encoder_of(card, files, threads=threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The answer in a sentence, and the cells that it rests on."""
        del task
        question = text_of(args)
        tell(0.0, "reading the table")
        header, rows = read_table(table_of(args).path)
        if not rows:
            raise ExpertError("the table has a header and no rows; there is nothing to answer from.")
        columns = read_columns(header, rows)
        says, cells = answer_of(query_of(question, columns, rows, near=self._near), rows)
        return [text_output(says), data_output(cells, name="cells")]

    def _near(self, phrase: str, names: Sequence[str]) -> list[float]:
        vectors = self._encoder.encode([phrase, *names])
        return [float(cosine) for cosine in vectors[1:] @ vectors[0]]
