"""Cells are read as people write them: numbers in either notation, dates, and nothing."""

from __future__ import annotations

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.cells import date_shape, day_of, decimal_votes, is_code, is_nothing, number_of


@pytest.mark.parametrize(
    ("cell", "mark", "number"),
    [
        ("12", ".", 12), ("12", ",", 12), ("-3.5", ".", -3.5), ("−4", ".", -4), ("+4", ".", 4), (" 7 ", ".", 7),
        ("1,234", ".", 1234), ("1,234", ",", 1.234), ("1.234,56", ",", 1234.56), ("1,23,456.5", ".", 123456.5),
        ("1 234,5", ",", 1234.5), ("1'234.5", ".", 1234.5), ("3,5", ",", 3.5), (".5", ".", 0.5), ("1e-3", ".", 0.001),
        ("$5.00", ".", 5), ("-$5", ".", -5), ("US$ 5", ".", 5), ("€ 3,50", ",", 3.5), ("EUR 9", ".", 9),
        ("12 %", ".", 12), ("330 m", ".", 330), ("5kg", ".", 5),
    ],
)  # fmt: skip
def test_numbers_are_read_with_their_signs(cell: str, mark: str, number: float):
    """Currency, units, thousands and either decimal mark."""
    assert number_of(cell, mark) == pytest.approx(number)


@pytest.mark.parametrize(
    "cell", ["", "A12", "10:30", "5-6", "2020-01-02", "1.2.3", "3,5", "nan", "inf", "1e999", "Room 5"]
)
def test_what_is_no_number_is_none(cell: str):
    """`3,5` is none with a decimal point: its comma can't part thousands."""
    assert math.isnan(number_of(cell, "."))


@given(st.floats(-1e9, 1e9).map(lambda number: round(number, 3)), st.sampled_from([".", ","]))
def test_a_number_written_either_way_is_read_back(number: float, mark: str):
    """With thousands apart, as Python writes them and with the signs swapped."""
    text = f"{number:,.3f}"
    written = text if mark == "." else text.translate(str.maketrans(",.", ".,"))

    assert number_of(written, mark) == number


@given(st.text(max_size=20), st.sampled_from([".", ","]))
def test_any_text_is_a_number_or_none(cell: str, mark: str):
    """Nothing is raised and nothing is infinite."""
    assert not math.isinf(number_of(cell, mark))
    assert decimal_votes([cell]).total() <= 1
    assert date_shape([cell], share=1) is None or cell.strip()


@pytest.mark.parametrize(
    ("cells", "votes"),
    [
        (["3,5", "4,25"], {",": 2}), (["3.5", "1,234"], {".": 1}), (["1.234,5"], {",": 1}), (["1,234"], {}),
        (["12"], {}), (["0,125"], {",": 1}), (["1.234.567"], {",": 1}), (["1.2.3"], {}), (["1234,567"], {",": 1}),
    ],
)  # fmt: skip
def test_only_clear_cells_vote_on_the_decimal_mark(cells: list[str], votes: dict[str, int]):
    """`1,234` may be either."""
    assert decimal_votes(cells) == votes


@pytest.mark.parametrize(
    "cell",
    [
        "2021-03-04", "2021/3/4", "4.3.2021", "04.03.21", "03/04/2021", "4 March 2021", "4th Mar 2021", "March 4, 2021",
        "2021-03-04 00:00", "2021-03-04T00:00:00Z",
    ],
)  # fmt: skip
def test_dates_become_days(cell: str):
    """However they are written."""
    shape = date_shape([cell], share=1)

    assert shape is not None
    assert day_of(cell, shape) == date(2021, 3, 4).toordinal()


def test_the_other_dates_tell_day_from_month():
    """`31/12` can't be a month first, so `01/02` beside it is the first of February."""
    shape = date_shape(["01/02/2021", "31/12/2021"], share=1)

    assert shape is not None
    assert day_of("01/02/2021", shape) == date(2021, 2, 1).toordinal()


@pytest.mark.parametrize("cell", ["2021-02-30", "13.13.2021", "4 Brumaire 1801"])
def test_a_day_that_never_was_is_no_date(cell: str):
    """The thirtieth of February."""
    assert date_shape([cell], share=1) is None


def test_time_of_day_is_a_fraction():
    """Noon is half a day."""
    shape = date_shape(["2021-03-04 12:00"], share=1)

    assert shape is not None
    assert day_of("2021-03-04 12:00", shape) % 1 == 0.5


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("007", True), ("0", False), ("0.5", False), ("12345678901234567890", True), ("70", False), ("A07", False)],
)
def test_leading_zeros_and_long_ids_are_codes(cell: str, expected: bool):
    """A float would lose them."""
    assert is_code(cell) is expected


def test_people_write_nothing_in_many_ways():
    """`None` is a word: it may be a class."""
    assert all(map(is_nothing, ["", " ", "NA", "n/a", "NaN", "null", "?", "-", "#N/A"]))
    assert not any(map(is_nothing, ["0", "None", "no", "Nan Madol"]))
