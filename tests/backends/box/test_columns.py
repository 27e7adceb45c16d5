"""Columns are told apart by their cells, and found by their names."""

from __future__ import annotations

import pytest

from dragoman.backends.box.columns import find_column, read_columns
from dragoman.errors import ExpertError


def columns(header: str, *lines: str):
    return read_columns(header.split(";"), [line.split(";") for line in lines])


def roles(header: str, *lines: str) -> dict[str, str]:
    return {column.name: column.role for column in columns(header, *lines)}


def test_what_a_column_holds_is_seen():
    """Row numbers, codes, classes, amounts, dates, notes, nothing."""
    lines = [f"{n};00{n};{'xy'[n % 2]};{n * 1.5};2021-01-{n:02};note {n};;k" for n in range(1, 25)]

    assert roles("nr;code;kind;amount;day;note;gap;same", *lines) == {
        "nr": "id", "code": "id", "kind": "class", "amount": "number", "day": "date", "note": "text", "gap": "empty",
        "same": "constant",
    }  # fmt: skip


def test_codes_that_come_again_are_classes():
    """`007` stays a name, as do ids of twenty digits."""
    lines = [f"00{n % 3};{10**19 + n % 3}" for n in range(12)]

    assert roles("plant;batch", *lines) == {"plant": "class", "batch": "class"}


def test_only_nameless_columns_that_count_up_are_row_numbers():
    """Years, months and hours of study count up too."""
    lines = [f"{2000 + n};{n};{n};{n}" for n in range(1, 13)]

    assert roles("year;hours;line;column 4", *lines) == {
        "year": "number", "hours": "number", "line": "id", "column 4": "id",
    }  # fmt: skip


def test_all_different_numbers_are_ids_only_by_name():
    """Prices differ too; a customer number that doesn't repeat names its row."""
    lines = [f"{n * 37 % 101};{n * 37 % 101};{n * 37 % 101}" for n in range(1, 30)]

    assert roles("price;customer_id;number of rooms", *lines) == {
        "price": "number", "customer_id": "id", "number of rooms": "number",
    }  # fmt: skip


def test_an_unclear_column_follows_the_others():
    """`1,234` beside `2,5` is a little over one; alone it is over a thousand."""
    assert [column.mark for column in columns("a;b", "1,234;2,5", "2,345;3,5")] == [",", ","]
    assert [column.mark for column in columns("a;b", "1,234;2", "2,345;3")] == [".", "."]


def test_a_few_strange_cells_leave_a_column_of_numbers():
    """One in thirty; they are named."""
    (column,) = columns("level", *(str(n * 7) for n in range(30)), ">200")

    assert (column.role, column.strange) == ("number", ">200")


def test_units_are_kept_apart_and_mixed_ones_are_words():
    """`5 km` and `5 kg` don't add up."""
    (way,) = columns("way", "5 km", "7 km")
    (thing,) = columns("thing", "5 km", "5 kg", "5 km", "5 kg")

    assert (way.role, way.affix) == ("number", ("", "km"))
    assert thing.role == "class"


@pytest.mark.parametrize("name", ["Unit Price", "unit price", " UNIT_PRICE ", "`unit-price`"])
def test_a_column_is_found_by_name_in_any_case(name: str):
    """Spaces and signs don't matter."""
    assert find_column(columns("id;unit_price;last", "1;2;3"), name).place == 1


def test_an_exact_name_comes_first():
    """Two columns that differ in case only."""
    table = columns("price;Price", "1;2")

    assert find_column(table, "Price").place == 1
    assert find_column(table, "").place == 1


def test_a_column_that_is_not_there_names_the_nearest():
    """And all there are."""
    with pytest.raises(ExpertError, match="no column `specie`; the nearest is `Species`") as raised:
        find_column(columns("Length;Species", "1;2"), "specie")

    assert raised.value.helps == "Its columns are `Length`, `Species`."
