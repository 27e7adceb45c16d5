"""Short forms and how an English reader says them."""

from __future__ import annotations

import re

# Before a name or a number: the full stop belongs to the short form and ends no sentence.
TITLES = {
    "Dr": "Doctor", "Mr": "Mister", "Mrs": "Missus", "Ms": "Miz", "Prof": "Professor", "Sen": "Senator",
    "Rep": "Representative", "Gov": "Governor", "Gen": "General", "Col": "Colonel", "Capt": "Captain",
    "Lt": "Lieutenant", "Sgt": "Sergeant", "Rev": "Reverend", "Hon": "Honorable", "Mt": "Mount", "Ft": "Fort",
}  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
SHORT_MONTHS = {month[:3]: month for month in MONTHS if month != "May"} | {"Sept": "September"}
SHORT_DAYS = {
    "Mon": "Monday", "Tue": "Tuesday", "Tues": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Thurs": "Thursday",
    "Fri": "Friday", "Sat": "Saturday", "Sun": "Sunday",
}  # fmt: skip
# These may end a sentence, so their full stop stays where a capital follows.
WORDS = {
    "Jr": "Junior", "Sr": "Senior", "vs": "versus", "etc": "et cetera", "approx": "approximately",
    "Inc": "Incorporated", "Ltd": "Limited", "Co": "Company", "Corp": "Corporation", "Ave": "Avenue",
    "Blvd": "Boulevard", "Rd": "Road", "dept": "department", "Dept": "Department", "Vol": "Volume", "Fig": "Figure",
    "pp": "pages",
}  # fmt: skip
UNITS = {
    "km/h": "kilometer per hour", "m/s": "meter per second", "mph": "mile per hour", "km": "kilometer",
    "cm": "centimeter", "mm": "millimeter", "nm": "nanometer", "kg": "kilogram", "mg": "milligram", "g": "gram",
    "lb": "pound", "lbs": "pound", "oz": "ounce", "ft": "foot", "mi": "mile", "m": "meter", "ml": "milliliter",
    "l": "liter", "L": "liter", "kHz": "kilohertz", "MHz": "megahertz", "GHz": "gigahertz", "Hz": "hertz",
    "kB": "kilobyte", "KB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte", "kW": "kilowatt",
    "kWh": "kilowatt hour", "W": "watt", "V": "volt", "ms": "millisecond", "s": "second", "h": "hour", "hr": "hour",
    "hrs": "hour", "min": "minute", "px": "pixel", "°C": "degree Celsius", "°F": "degree Fahrenheit", "°": "degree",
    "%": "percent",
}  # fmt: skip
CURRENCIES = {
    "$": ("dollar", "cent"), "€": ("euro", "cent"), "£": ("pound", "penny"), "¥": ("yen", ""), "₹": ("rupee", "paisa"),
}  # fmt: skip
UNCHANGED_PLURALS = ("hertz", "percent", "yen")
IRREGULAR_PLURALS = {"foot": "feet", "penny": "pence", "paisa": "paise"}
LETTERED = (
    "Plan", "Vitamin", "vitamin", "Part", "Group", "Class", "Type", "Section", "Appendix", "Option", "grade", "Grade",
)  # fmt: skip
# After initials (`U.S.`) only these begin a new sentence; another capital goes on with the name (`U.S. Senate`).
STARTERS = (
    "A", "After", "All", "And", "As", "At", "Both", "But", "By", "For", "He", "Here", "How", "However", "I", "If", "In",
    "It", "Its", "My", "No", "Not", "On", "One", "Our", "She", "So", "Some", "That", "The", "Then", "There", "These",
    "They", "This", "Those", "To", "We", "What", "When", "Where", "While", "Who", "With", "Yes", "You", "Please",
)  # fmt: skip
LARGE = "thousand|million|billion|trillion"

_TITLE = re.compile(rf"\b({'|'.join(TITLES)})\.?(?=\s+[A-Z])")
_MONTH = re.compile(rf"\b({'|'.join(sorted(SHORT_MONTHS, key=len, reverse=True))})\.?(?=\s+\d)")
_DAY = re.compile(rf"\b({'|'.join(sorted(SHORT_DAYS, key=len, reverse=True))})(?:\.|(?=,))")
_WORD = re.compile(rf"\b({'|'.join(WORDS)})\.(\s+[A-Z]|\s*$)?")
_INITIALS = re.compile(r"\b(?:[A-Za-z]\.){2,}(\s+[A-Z]\w*|\s*$)?")
_INITIAL = re.compile(r"(?<![\w.])([A-Z])\.(?=\s+[A-Z])")
_SAINT = re.compile(r"\bSt\.(?=\s+[A-Z][a-z])")
_STREET = re.compile(r"\bSt\.(\s+[A-Z]|\s*$)?")
_LATIN = (
    (re.compile(r"\be\.g\.,?", re.IGNORECASE), "for example,"),
    (re.compile(r"\bi\.e\.,?", re.IGNORECASE), "that is,"),
)
_NUMBER = re.compile(r"(?:\bNo\.\s*|(?<!\w)#)(?=\d)")
_DEGREE = re.compile(r"\bPh\.?D\.?(?=\W|$)")


def expand(text: str) -> str:
    """`text` with short forms in full (`Dr. Smith`: Doctor Smith), so that a full stop that is left ends a sentence."""
    for pattern, words in _LATIN:
        text = pattern.sub(words, text)
    text = _DEGREE.sub("P H D", text)
    text = _TITLE.sub(lambda found: TITLES[found[1]], text)
    text = _MONTH.sub(lambda found: SHORT_MONTHS[found[1]], text)
    text = _DAY.sub(lambda found: SHORT_DAYS[found[1]], text)
    text = _NUMBER.sub("number ", text)
    text = _STREET.sub(_street, _SAINT.sub(_saint, text))
    text = _INITIALS.sub(_initials, _INITIAL.sub(_initial, text))
    return _WORD.sub(lambda found: WORDS[found[1]] + _end(found[2]), text)


def many(unit: str) -> str:
    """The plural of a unit of `UNITS` or `CURRENCIES`: of its first word (`miles per hour`, `degrees Celsius`)."""
    first, space, rest = unit.partition(" ")
    if first in UNCHANGED_PLURALS:
        return unit
    if unit == "kilowatt hour":
        return "kilowatt hours"
    return f"{IRREGULAR_PLURALS.get(first) or first + ('es' if first.endswith('ch') else 's')}{space}{rest}"


def _end(after: str | None) -> str:
    """What stays of a short form's full stop: it also ends the sentence where a capital or nothing follows."""
    return "" if after is None else f".{after}"


def _saint(found: re.Match[str]) -> str:
    before = found.string[: found.start()].rstrip()
    is_after_a_name = bool(re.search(r"(?:\d(?:st|nd|rd|th)|[A-Z][a-z]+)$", before))
    return found[0] if is_after_a_name else "Saint"


def _street(found: re.Match[str]) -> str:
    return f"Street{_end(found[1])}"


def _initial(found: re.Match[str]) -> str:
    before = found.string[: found.start()].split()[-1:]
    return found[0] if before and before[0] in LETTERED else found[1]


def _initials(found: re.Match[str]) -> str:
    letters, after = found[0], found[1]
    if after:
        letters = letters[: -len(after)]
    is_end = after is not None and (not after.strip() or after.strip() in STARTERS)
    return " ".join(letters.replace(".", "").upper()) + ("." if is_end else "") + (after or "")
