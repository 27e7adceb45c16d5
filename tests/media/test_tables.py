"""Tables are read whatever their separator, encoding and quoting; cells stay as they stand."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import MediaError
from dragoman.media import facts, read_table

cells = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12)


def table(tmp_path, content, *, name="a.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@given(
    st.integers(2, 5).flatmap(lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=6)),
    st.sampled_from([",", ";", "\t", "|"]),
)
@settings(deadline=None)
def test_quoted_tables_of_any_cells_are_read_back(tmp_path_factory, rows, separator):
    """Every cell quoted, any separator, a header of words in front."""
    header = [f"name {chr(97 + n)}" for n in range(len(rows[0]))]
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=separator, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    path = table(tmp_path_factory.mktemp("t"), f"sep={separator}\n" + buffer.getvalue())

    assert read_table(path) == (tuple(header), [row for row in rows if any(cell.strip() for cell in row)])


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_separators_and_encodings_are_found(tmp_path, separator, encoding):
    """Names with accents, no separator stated."""
    lines = [["Stadt", "Größe"], ["Köln", "405"], ["Zürich", "88"]]
    path = table(tmp_path, "\r\n".join(separator.join(line) for line in lines).encode(encoding))

    assert read_table(path) == (("Stadt", "Größe"), [["Köln", "405"], ["Zürich", "88"]])
    assert facts(path, kind="table", media_type="text/csv") == {"rows": 2, "columns": 2}


def test_decimal_commas_do_not_cut_cells(tmp_path):
    """Semicolons between numbers that hold commas, with a header and without."""
    assert read_table(table(tmp_path, "a;b\n1,5;2,5\n3,5;4,5\n")) == (("a", "b"), [["1,5", "2,5"], ["3,5", "4,5"]])
    assert read_table(table(tmp_path, "1,5;2,5\n3,5;4,5\n"))[1] == [["1,5", "2,5"], ["3,5", "4,5"]]


def test_cells_stay_as_they_stand(tmp_path):
    """NA, leading zeros, ids of 20 digits, spaces inside."""
    path = table(tmp_path, 'id,code,note\n12345678901234567890,007,NA\n2,008,"two\nlines, ""quoted"""\n')

    assert read_table(path)[1] == [["12345678901234567890", "007", "NA"], ["2", "008", 'two\nlines, "quoted"']]


def test_a_missing_header_is_numbered(tmp_path):
    """Numbers from the first row on; a header of words over numbers is one even with a year in it."""
    assert read_table(table(tmp_path, "1,2\n3,4\n")) == (("column 1", "column 2"), [["1", "2"], ["3", "4"]])
    assert read_table(table(tmp_path, "value,2020\n1,2\n"))[0] == ("value", "2020")


def test_rows_of_unequal_length_are_made_equal(tmp_path):
    """Short rows get empty cells, surplus cells a column of their own; empty rows are left out."""
    path = table(tmp_path, "a,b\n1\n\n,,\n2,3,4\n")

    assert read_table(path) == (("a", "b", "column 3"), [["1", "", ""], ["2", "3", "4"]])


def test_one_column_and_one_row_are_tables(tmp_path):
    """A list of words; a header alone."""
    assert read_table(table(tmp_path, "word\none\ntwo\n")) == (("word",), [["one"], ["two"]])
    assert read_table(table(tmp_path, "a,b\n")) == (("a", "b"), [])


def test_an_empty_table_is_refused(tmp_path):
    """Only line ends and commas."""
    with pytest.raises(MediaError, match=r"The table `a.csv` has no rows"):
        read_table(table(tmp_path, ",,\n\n"))


def test_a_quote_that_never_closes_is_told(tmp_path):
    """It swallows the rest of the file."""
    with pytest.raises(MediaError, match=r"The table `a.csv` can't be read: field larger"):
        read_table(table(tmp_path, 'a,b\n1,"' + "x,y\n" * 100_000))
