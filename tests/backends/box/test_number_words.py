"""Numbers in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box import number_words

VALUES = {name: number for number, name in enumerate(number_words.ONES)}
VALUES |= {name: 10 * tens for tens, name in enumerate(number_words.TENS) if name}
SCALES = {name: size for size, name in number_words.SCALES}


def parsed(words: str) -> int:
    """The number that `words` name, read by other means than they were made."""
    total, group = 0, 0
    for word in words.split():
        if word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * SCALES[word], 0
        else:
            group += VALUES[word]
    return total + group


@given(st.integers(0, number_words.LARGEST - 1))
def test_a_cardinal_reads_back_as_its_number(number: int):
    """Any number below 10**15."""
    assert parsed(number_words.cardinal(number)) == number


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "first"), (2, "second"), (12, "twelfth"), (20, "twentieth"), (21, "twenty first"), (103, "one hundred third")],
)
def test_an_ordinal_changes_its_last_word(number: int, words: str):
    """Irregular ones, tens and compounds."""
    assert number_words.ordinal(number) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1066, "ten sixty six"),
        (1900, "nineteen hundred"),
        (1905, "nineteen oh five"),
        (1984, "nineteen eighty four"),
        (2000, "two thousand"),
        (2005, "two thousand five"),
        (2024, "twenty twenty four"),
    ],
)
def test_a_year_is_said_in_pairs(number: int, words: str):
    """The first years of a millennium are said as numbers."""
    assert number_words.year(number) == words


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("-1,234.50", "minus one thousand two hundred thirty four point five zero"),
        ("007", "zero zero seven"),
        (".5", "zero point five"),
        ("1" + "0" * 15, "one" + " zero" * 15),
    ],
)
def test_a_written_number_keeps_sign_decimals_and_leading_zeros(written: str, words: str):
    """What a plain cardinal would lose."""
    assert number_words.number(written) == words


def test_a_fraction_has_its_own_names():
    """Halves and quarters, ordinals, and what has no name."""
    said = [number_words.fraction(over, under) for over, under in ((1, 2), (3, 4), (5, 8), (3, 2), (1, 0))]

    assert said == ["one half", "three quarters", "five eighths", "three halves", "one over zero"]
