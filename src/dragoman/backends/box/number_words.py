"""Numbers as an English reader says them: cardinals, ordinals, years, decimals, digits one by one."""

from __future__ import annotations

ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (10**3, "thousand"), (100, "hundred"))
IRREGULAR_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
LONGEST = 15  # digits of a number that is said as one
LARGEST = 10**LONGEST


def digits(text: str) -> str:
    """Every digit of `text` by its name; other signs are left out."""
    return " ".join(ONES[int(sign)] for sign in text if sign in "0123456789")


def cardinal(number: int) -> str:
    """`number` in words (`one hundred twenty three`); from 10**15 on, digit by digit."""
    if number < 0:
        return f"minus {cardinal(-number)}"
    if number >= LARGEST:
        return digits(str(number))
    if number < len(ONES):
        return ONES[number]
    for size, name in SCALES:
        if number >= size:
            head, rest = divmod(number, size)
            return f"{cardinal(head)} {name}" + (f" {cardinal(rest)}" if rest else "")
    tens, ones = divmod(number, 10)
    return TENS[tens] + (f" {ONES[ones]}" if ones else "")


def ordinal(number: int) -> str:
    """`number` as a rank (`twenty first`)."""
    head, space, last = cardinal(number).rpartition(" ")
    if last in IRREGULAR_ORDINALS:
        last = IRREGULAR_ORDINALS[last]
    elif last.endswith("y"):
        last = f"{last[:-1]}ieth"
    else:
        last = f"{last}th"
    return f"{head}{space}{last}"


def year(number: int) -> str:
    """A year of four digits as it is said: `nineteen eighty four`, `nineteen oh five`, `two thousand five`."""
    century, rest = divmod(number, 100)
    if century % 10 == 0 and rest < 10:
        return cardinal(number)
    if rest == 0:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} {'oh ' if rest < 10 else ''}{cardinal(rest)}"


def plural(words: str) -> str:
    """The last of `words` in the plural: `nineteen eighty` becomes `nineteen eighties`."""
    if words.endswith("y"):
        return f"{words[:-1]}ies"
    return f"{words}{'es' if words.endswith(('x', 's', 'ch')) else 's'}"


def number(text: str) -> str:
    """A written number in words: `-1,234.50` with its sign, commas and decimals; `007` and long ones digit by digit."""
    sign = "minus " if text.startswith(("-", "−")) else ""
    whole, point, decimals = text.lstrip("+-−").replace(",", "").partition(".")
    is_code = (not point and len(whole) > 1 and whole.startswith("0")) or len(whole) > LONGEST
    words = digits(whole) if is_code else cardinal(int(whole or "0"))
    return f"{sign}{words} point {digits(decimals)}" if decimals else f"{sign}{words}"


def count(text: str, one: str) -> str:
    """How many of `one` there are: `1` mile, `2.5` miles."""
    return f"{number(text)} {one if text == '1' else plural(one)}"


def fraction(over: int, under: int) -> str:
    """`over`/`under` in words: `one half`, `three quarters`, `five eighths`."""
    if under == 0 or over >= 100 or under >= 100:
        return f"{cardinal(over)} over {cardinal(under)}"
    name = {1: "whole", 2: "half", 4: "quarter"}.get(under) or ordinal(under)
    if over == 1:
        return f"one {name}"
    return f"{cardinal(over)} {'halves' if under == 2 else plural(name)}"
