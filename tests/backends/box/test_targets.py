"""A column that can't be predicted is refused with the reason and a way on."""

from __future__ import annotations

import math

import pytest

from dragoman.backends.box.columns import find_column, read_columns
from dragoman.backends.box.targets import class_cells, inputs_of, number_cells_of
from dragoman.errors import ExpertError

TABLE = [[f"{n * 37 % 101}.5", "ab"[n % 2], str(n % 5), f"word {n}", "same", f"2021-01-{n + 1:02}"] for n in range(30)]
COLUMNS = read_columns(["price", "kind", "stars", "note", "flag", "day"], TABLE)


def column(name: str):
    return find_column(COLUMNS, name)


def test_numbers_that_come_again_may_be_classes():
    """Stars are either."""
    assert set(class_cells(column("stars"), TABLE)) == {"0", "1", "2", "3", "4"}
    assert number_cells_of(column("stars"), TABLE)[:3] == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "says", "helps"),
    [
        ("price", "`price` holds numbers with 30 different values, not classes", "that is tabular-regression"),
        ("day", "`day` holds dates with 30 different values, not classes", "Name a column of classes"),
        ("note", "`note` says something else in nearly every row", "words come again"),
        ("flag", "`flag` says `same` in every row", ""),
    ],
)
def test_what_holds_no_classes_is_refused(name: str, says: str, helps: str):
    """A number with many values is sent to regression."""
    with pytest.raises(ExpertError, match=says) as raised:
        class_cells(column(name), TABLE)

    assert helps in raised.value.helps


@pytest.mark.parametrize(
    ("name", "says", "helps"),
    [
        ("kind", "`kind` holds words such as `a`, not numbers", "that is tabular-classification"),
        ("note", "`note` holds words such as `word 0`, not numbers", "Name a column of numbers"),
        ("flag", "`flag` holds words such as `same`", ""),
        ("day", "`day` holds dates such as `2021-01-01`", ""),
    ],
)
def test_what_holds_no_numbers_is_refused(name: str, says: str, helps: str):
    """A column of classes is sent to classification."""
    with pytest.raises(ExpertError, match=says) as raised:
        number_cells_of(column(name), TABLE)

    assert helps in raised.value.helps


def test_empty_cells_have_no_class():
    """`NA` neither; they are what is to be predicted."""
    rows = [*([["x"], ["y"]] * 4), [""], ["NA"]]

    assert class_cells(read_columns(["kind"], rows)[0], rows)[-2:] == ["", ""]


def test_too_few_known_rows_are_refused():
    """Four amounts and six gaps."""
    rows = [[str(n * 3 % 7)] for n in range(4)] + [[""]] * 6

    with pytest.raises(ExpertError, match="`a` has a value in 4 rows; learning to predict it takes at least 5"):
        number_cells_of(read_columns(["a"], rows)[0], rows)


def test_the_same_number_everywhere_is_refused():
    """There is nothing to learn; a gap doesn't change that."""
    rows = [["5"]] * 6 + [[""]]

    with pytest.raises(ExpertError, match="the same number in every row"):
        number_cells_of(read_columns(["a"], rows)[0], rows)


def test_numbers_that_are_missing_are_no_numbers():
    """A strange cell counts as missing."""
    rows = [[str(n * 3 % 50)] for n in range(40)] + [[">50"]]

    assert math.isnan(number_cells_of(read_columns(["a"], rows)[0], rows)[-1])


def test_ids_and_running_text_are_left_out():
    """And it says so."""
    used, dropped = inputs_of(COLUMNS, column("price"))

    assert [each.name for each in used] == ["kind", "stars", "day"]
    assert dropped == [
        {"column": "note", "why": "words that hardly come again"},
        {"column": "flag", "why": "the same value in every row"},
    ]


def test_nothing_to_learn_from_is_refused():
    """Only a note is left."""
    with pytest.raises(ExpertError, match="nothing to predict `price` from: `note` has words that hardly come again"):
        inputs_of([column("price"), column("note")], column("price"))
    with pytest.raises(ExpertError, match="the table has no other column"):
        inputs_of([column("price")], column("price"))
