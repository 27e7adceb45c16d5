"""Pages fall into keys with values, cells by row and column, and titles, whatever the layout."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.document_intents import (
    asks_for_all,
    asks_for_title,
    is_other_sum,
    kinds_of,
    phrases_of,
    spoken,
)
from dragoman.backends.box.document_layout import Fact, facts_of, whole_rows
from dragoman.backends.box.text_layout import Line, rows_in_order

FOLDER = Path(__file__).parent / "documents"


def lines_of(page: str) -> list[Line]:
    """The lines of a page as a reader would place them."""
    found: list[Line] = []
    for row in FOLDER.joinpath(f"{page}.tsv").read_text(encoding="utf-8").splitlines():
        x, y, size, text = row.split("\t")
        box = (float(x), float(y), float(x) + 0.5 * float(size) * len(text), float(y) + float(size))
        found.append(Line(text=text, score=1.0, box=box))
    return found


def facts(page: str, kind: str) -> list[Fact]:
    return [fact for fact in facts_of(rows_in_order(lines_of(page))) if fact.kind == kind]


def pairs(page: str) -> dict[str, str]:
    return {fact.key: " | ".join(fact.value) for fact in facts(page, "pair")}


def test_keys_and_values_of_an_invoice():
    """In one piece, below the key, side by side with a percentage in the key; boxes are those of the values."""
    found = pairs("invoice")

    assert found["Invoice No"] == "2024-0317"
    assert found["Bill to"] == "Harbour Books | 5 Quay Street | Bristol BS1 2AB"
    assert found["VAT 20%"] == "47.00"
    assert found["Total"] == "282.00 GBP"
    (total,) = [fact for fact in facts("invoice", "pair") if fact.key == "Total"]
    assert total.box[0] == 840
    assert total.line == "Total 282.00 GBP"


def test_cells_of_a_table_by_row_and_column():
    """Numbers stand flush right under their heads."""
    cells = {(fact.row, fact.key): fact.value[0] for fact in facts("invoice", "cell")}

    assert cells["Ink cartridge", "Unit price"] == "27.25"
    assert cells["Envelopes C5", "Quantity"] == "300"
    assert len(cells) == 12


def test_a_form_in_two_columns():
    """No colons; rows stand at even steps."""
    assert pairs("form")["Date of birth"] == "09/05/1987"
    assert len(pairs("form")) == 8


@pytest.mark.parametrize(
    ("page", "key", "value"),
    [("ticket", "Seat", "14C"), ("ticket", "To", "Lisbon"), ("apply", "First day", "5 August 2024")],
)
def test_labels_that_stand_over_their_values(page: str, key: str, value: str):
    """Three or two side by side."""
    assert pairs(page)[key] == value


def test_keys_and_values_in_far_columns():
    """A page that reads as two columns is looked at by whole rows, too."""
    assert pairs("bill")["Account holder"] == "Elena Petrova"


def test_titles_are_told_from_text():
    """By their letters."""
    assert [fact.line for fact in facts("invoice", "title")] == ["INVOICE"]
    assert [fact.line for fact in facts("lab", "title")] == ["Laboratory Report"]
    assert not [fact for fact in facts("invoice", "text") if fact.line == "INVOICE"]


def test_a_receipt_is_pairs():
    """Things and prices, then how it was paid."""
    assert pairs("receipt")["Apple strudel"] == "5.60"
    assert pairs("receipt")["Paid by"] == "Visa card"


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Date: 3 March", "Date", "3 March"), ("Invoice #1042", "Invoice", "1042"), ("Total $260", "Total", "$260"),
        ("Tel 555-1234", "Tel", "555-1234"), ("Report no. 88213", "Report no", "88213"),
        ("Dear Ms Roth,", "Dear", "Ms Roth"),
    ],
)  # fmt: skip
def test_a_key_and_its_value_in_one_piece(text: str, key: str, value: str):
    """With and without a colon."""
    (fact, _) = facts_of([[Line(text=text, score=1.0, box=(0, 0, 200, 20))]])

    assert (fact.key, fact.value) == (key, (value,))


@pytest.mark.parametrize("text", ["It opens at 10:30 every day of the week, except on Mondays", "Hello there", "12:45"])
def test_running_text_has_no_key(text: str):
    """A time of day is no key."""
    assert [fact.kind for fact in facts_of([[Line(text=text, score=1.0, box=(0, 0, 400, 20))]])] != ["pair", "text"]


edges = st.integers(0, 500)
pieces = st.builds(
    lambda text, x, y, w, h: Line(text=text, score=0.9, box=(x, y, x + w, y + h)),
    st.sampled_from(["Total", "Total:", "12.50", "Name", "A: b", "x", "Dear Sir,", ":", "No 5", "LOUD"]),
    edges, edges, st.integers(1, 200), st.integers(1, 40),
)  # fmt: skip


@given(st.lists(pieces, max_size=14))
def test_any_page_falls_into_facts(lines: list[Line]):
    """Nothing crashes; every value stands on the page; rows keep every line once."""
    found = facts_of(rows_in_order(lines))

    words = " ".join(line.text for line in lines)
    assert all(value in words for fact in found if fact.kind in ("pair", "cell") for value in fact.value)
    assert sum(map(len, whole_rows(lines))) == len(lines)


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("How much do I have to pay?", "total"), ("By when do I have to pay?", "due date"),
        ("Who is the customer?", "bill to"),
        ("How can I reach her by phone?", "telephone"), ("Who is travelling?", "passenger"),
        ("What is her job?", "occupation"),
    ],
)  # fmt: skip
def test_a_question_knows_what_things_are_called(question: str, phrase: str):
    """In other words than the labels."""
    assert phrase in phrases_of(question)


def test_kinds_of_questions_are_told():
    """The whole text, the title, a phone number; a subtotal is not the total."""
    assert asks_for_all("What is written there?")
    assert asks_for_title("What kind of document is this?")
    assert not asks_for_all("What is the total?")
    assert len(kinds_of("What number can I call?")) == 1
    assert is_other_sum("Subtotal", "What is the total?")
    assert not is_other_sum("Subtotal", "What is the amount before tax?")
    assert spoken("Report No.") == "report number"
