"""Predictions stand beside the person's own cells, which stay as they are."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.predictions import number_cells, predictions_output

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12)


@given(st.lists(st.lists(cells, min_size=2, max_size=2), min_size=1, max_size=8))
def test_the_cells_of_the_table_stay(rows: list[list[str]]):
    """Whatever they hold; the new ones come last."""
    made = predictions_output(["a", "b"], rows, {"prediction": ["x"] * len(rows)})

    assert made.payload is not None
    header, *read = csv.reader(io.StringIO(made.payload.decode(), newline=""))
    assert header == ["a", "b", "prediction"]
    assert read == [[*row, "x"] for row in rows]
    assert made.facts == {"rows": len(rows), "columns": 3}


def test_a_taken_name_gets_a_number():
    """The person's own `Prediction` stays."""
    made = predictions_output(["id", "Prediction"], [["1", "yes"]], {"prediction": ["no"], "confidence": ["0.9"]})

    assert made.payload == b"id,Prediction,prediction 2,confidence\n1,yes,no,0.9\n"


def test_numbers_are_written_as_the_table_writes_them():
    """With its decimal mark, six digits, and no exponent for large ones."""
    assert number_cells([3.14159265, 1234567.8, -0.5, 20.0], ",") == ["3,14159", "1234568", "-0,5", "20"]
