"""Written English as it is read aloud."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.reading import as_read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("It cost $3.50.", "It cost three dollars and fifty cents."),
        ("$1 and $0.05", "one dollar and five cents"),
        ("$1.2 million", "one point two million dollars"),
        ("€2,50 or £1,250", "two euros and fifty cents or one thousand two hundred fifty pounds"),
    ],
)
def test_money_is_said_in_units_and_small_units(written: str, read: str):
    """Whole, small, large, and with a decimal comma."""
    assert as_read(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("March 5, 2024", "March fifth, twenty twenty four"),
        ("2024-03-05", "March fifth, twenty twenty four"),
        ("9/11/2001", "September eleventh, two thousand one"),
        ("25/12/1999", "December twenty fifth, nineteen ninety nine"),
        ("The 4th of July", "The fourth of July"),
        ("Jan. 2", "January second"),
        ("in 1984", "in nineteen eighty four"),
        ("the 1990s and the '80s", "the nineteen nineties and the eighties"),
        ("at 10:05 a.m.", "at ten oh five A M."),
        ("10:00, 5 pm", "ten o'clock, five P M"),
    ],
)
def test_dates_and_times_are_said_as_such(written: str, read: str):
    """Months first, days first, ISO, short months, decades, clocks."""
    assert as_read(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Dr. Smith met Mrs. Jones.", "Doctor Smith met Missus Jones."),
        ("St. Mary on Elm St. It rained.", "Saint Mary on Elm Street. It rained."),
        ("We met at 7 p.m. Then we left.", "We met at seven P M. Then we left."),
        ("The U.S. Senate sat. In the U.S. It is", "The U S Senate sat. In the U S. It is"),
        ("J. R. R. Tolkien", "J R R Tolkien"),
        ("Plan B. Then", "Plan B. Then"),
        ("fruit, e.g. figs, etc.", "fruit, for example, figs, et cetera."),
    ],
)
def test_a_full_stop_stays_only_where_a_sentence_ends(written: str, read: str):
    """Titles, initials and other short forms have one that ends nothing."""
    assert as_read(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("5 km at 60 mph", "five kilometers at sixty miles per hour"),
        ("1 ft, 20°C, 5%", "one foot, twenty degrees Celsius, five percent"),
        ("5 in the morning", "five in the morning"),
        ("pages 10-20", "pages ten to twenty"),
        ("555-0199", "five five five zero one nine nine"),
        ("½ of 3/4, 24/7", "one half of three quarters, twenty four seven"),
        ("version 1.2.3", "version one point two point three"),
        ("room 12B", "room twelve B"),
        ("World War II, Henry VIII, Malcolm X", "World War two, Henry the eighth, Malcolm X"),
        ("Tom & Ann", "Tom and Ann"),
        ("a@b.org", "a at b dot org"),
    ],
)
def test_measures_and_signs_become_words(written: str, read: str):
    """Units, ranges, telephone numbers, fractions, Roman numerals, addresses."""
    assert as_read(written) == read


def test_lines_of_a_sign_are_read_with_a_pause():
    """A line that begins with a capital is a line of its own; a wrapped one is not."""
    assert as_read("Paul Smith\nLisbon") == "Paul Smith, Lisbon"
    assert as_read("a long\nline").split() == ["a", "long", "line"]


def test_a_very_long_number_is_said_digit_by_digit():
    """More digits than Python turns into a number at once."""
    assert as_read("1" * 20_000).split() == ["one"] * 20_000
    assert as_read("$" + "1" * 5_000 + "!").endswith("one one!")


@given(st.text(max_size=60) | st.from_regex(r"[\d.,:/$%A-Z -]{0,30}", fullmatch=True))
def test_no_figure_is_left_whatever_is_written(text: str):
    """Any text, and figures among signs."""
    assert not re.search(r"[0-9]", as_read(text))
