"""Comparisons are found in a question and become bounds on a column."""

from __future__ import annotations

from datetime import date

import pytest

from dragoman.backends.box.columns import read_columns
from dragoman.backends.box.table_conditions import amount_of, comparisons
from dragoman.backends.box.table_units import factor
from dragoman.backends.box.table_words import degree_of, measure_of, name_stems, stem, unit_of

(NUMBERS,) = read_columns(["n"], [["1"], ["20"]])
(MINUTES,) = read_columns(["time (min)"], [["1"], ["20"]])
(DAYS,) = read_columns(["day"], [["2019-05-01"], ["2020-05-01"]])


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("over 10", "11", "10"), ("more than 10 rooms", "11", "10"), ("at least 10", "10", "9"),
        ("10 or more", "10", "9"), ("under 10", "9", "10"),
        ("no more than 10", "10", "11"), ("cheaper than 10", "9", "10"), ("> 10", "11", "10"),
        ("<= 10", "10", "11"), ("between 10 and 20", "20", "21"), ("exactly 10", "10", "11"),
        ("more than 1.5 thousand", "1501", "1500"), ("more than a million", "1000001", "1000000"),
        ("older than ten", "11", "10"), ("18 or older", "18", "17"),
        ("more expensive than $10", "11", "10"),
    ],
)  # fmt: skip
def test_a_comparison_bounds_a_column(question: str, inside: str, outside: str):
    """However it is put."""
    (compared,) = comparisons(f"which are {question}?")
    condition = compared.on(NUMBERS)

    assert condition is not None
    assert condition.holds([inside])
    assert not condition.holds([outside])


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("after 2019", "2020-01-01", "2019-12-31"), ("since 2019", "2019-01-01", "2018-12-31"),
        ("before 2019-05-02", "2019-05-01", "2019-05-02"), ("until 2019", "2019-12-31", "2020-01-01"),
    ],
)  # fmt: skip
def test_a_year_among_dates_is_all_its_days(question: str, inside: str, outside: str):
    """After 2019 begins with 2020."""
    (compared,) = comparisons(f"everything {question}")
    condition = compared.on(DAYS)

    assert condition is not None
    assert condition.holds([inside])
    assert not condition.holds([outside])


def test_units_are_converted_or_refused():
    """Two hours are 120 minutes; no column of minutes is heavier than 2 kg."""
    (compared,) = comparisons("longer than 2 hours")
    condition = compared.on(MINUTES)

    assert condition is not None
    assert condition.low == 120
    assert comparisons("over 2 kg")[0].on(MINUTES) is None
    assert (factor("h", "min"), factor("kg", "min"), factor("stars", "min")) == (60, None, 1)


def test_no_comparison_is_made_up():
    """Plain numbers and names stay."""
    assert comparisons("the price of 3 chairs from Porto and the 2 tables") == []
    assert comparisons("rather than that") == []


def test_amounts_are_read_as_the_column_writes_them():
    """`2,5` with decimal commas; a point is understood too."""
    (commas,) = read_columns(["n"], [["1,5"], ["2,25"]])

    assert amount_of("2,5 thousand", commas) == 2500
    assert amount_of("2.5", commas) == 2.5


def test_turned_comparisons_are_for_birthdays():
    """Older than is born before."""
    (compared,) = comparisons("older than 2000-01-01")
    condition = compared.on(DAYS, is_turned=True)

    assert condition is not None
    assert condition.high == date(2000, 1, 1).toordinal()


@pytest.mark.parametrize(
    ("word", "degree", "measure"),
    [
        ("oldest", 2, ("age", 1)), ("older", 1, ("age", 1)), ("old", 0, ("age", 1)),
        ("biggest", 2, ("size area population", 1)),
        ("heaviest", 2, ("weight mass", 1)), ("best", 2, ("score rating", 1)),
        ("largest", 2, ("size area population", 1)),
        ("cheaper", 1, ("price cost", -1)), ("last", 2, ("date", 1)), ("forest", 0, None), ("number", 0, None),
    ],
)  # fmt: skip
def test_adjectives_are_known_in_all_degrees(word: str, degree: int, measure: tuple[str, int] | None):
    """And other words are none."""
    assert degree_of(word) == degree
    assert measure_of(word) == measure


def test_names_of_columns_are_taken_apart():
    """Case, camels, underscores, units in brackets."""
    assert name_stems("unitPrice_EUR") == {"unit", "price", "eur"}
    assert name_stems("Length (km)") == {"length"}
    assert unit_of("Length (km)") == "km"
    assert [stem(word) for word in ("cities", "boxes", "status", "class", "sales")] == [
        "city",
        "box",
        "status",
        "class",
        "sale",
    ]
