"""Reading order: rows, tables, columns, titles."""

from __future__ import annotations

from dragoman.backends.box.text_layout import Line, plain_text, rows_in_order


def line(text: str, x: float, y: float, *, width: float = 0, height: float = 20) -> Line:
    return Line(text=text, score=0.9, box=(x, y, x + (width or 10 * len(text)), y + height))


def test_pieces_side_by_side_make_a_row():
    """A table reads row by row, its cells from left to right, whatever order they came in."""
    lines = [line("2.50", 300, 52), line("Pens", 10, 50), line("Item", 10, 10), line("Price", 300, 9)]

    assert plain_text(rows_in_order(lines)) == "Item Price\nPens 2.50"


def test_lines_close_under_one_another_stay_two():
    """Boxes of neighbouring lines overlap a little; they are still two rows."""
    assert plain_text(rows_in_order([line("first", 10, 10), line("second", 10, 26)])) == "first\nsecond"


def test_columns_of_running_text_read_one_after_the_other():
    """A title over both, then the left column, then the right one."""
    left = [line(f"left {n}", 10, 60 + 30 * n, width=300) for n in range(5)]
    right = [line(f"right {n}", 350, 60 + 30 * n, width=300) for n in range(5)]
    title = line("Title", 10, 10, width=600)

    words = plain_text(rows_in_order([*right, title, *left])).splitlines()

    assert words == ["Title", *(f"left {n}" for n in range(5)), *(f"right {n}" for n in range(5))]


def test_no_lines_are_no_text():
    """Nothing was read."""
    assert rows_in_order([]) == []
    assert plain_text([]) == ""
