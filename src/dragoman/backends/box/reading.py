"""Written English as it is read aloud: numbers, money, dates, times, units, short forms and signs become words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from dragoman.backends.box import abbreviations, number_words
from dragoman.backends.box.abbreviations import CURRENCIES, LARGE, MONTHS, UNITS

Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_MONTH = "|".join(MONTHS)
_ROMAN = re.compile(r"X{0,3}(IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_COUNTED = ("Act", "Book", "Chapter", "Part", "Phase", "Section", "Type", "Volume", "War", "Title", "Level", "Class")
_RULERS = (
    "Alexander", "Benedict", "Catherine", "Charles", "Clement", "Edward", "Elizabeth", "Ferdinand", "Francis",
    "Frederick", "George", "Gregory", "Henry", "Innocent", "James", "John", "Leo", "Louis", "Napoleon", "Nicholas",
    "Paul", "Peter", "Philip", "Pius", "Ramses", "Richard", "Wilhelm", "William",
)  # fmt: skip
_LINE = re.compile(r"(?<=[^\W_])\n(?=[A-Z\d])")  # a line of a list or a sign, not of a wrapped paragraph
_CLOCK = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?")
_FRACTIONS = re.compile(r"(?:(?<!\d)(\d{1,15})\s?)?([¼½¾⅓⅔⅛⅜⅝⅞])")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": ".", "—": ", ", "–": "-", "−": "-", "⁄": "/"})
_SIGNS = (
    (re.compile(r"\s*&\s*"), " and "), (re.compile(r"(?<=\w)@(?=\w)"), " at "), (re.compile(r"\s*=\s*"), " equals "),
    (re.compile(r"(?<=[\w ])\+(?=[\w ])"), " plus "), (re.compile(r"\s*×\s*"), " times "),
    (re.compile(r"(?<=[A-Za-z])\.(?=[A-Za-z]{2})"), " dot "), (re.compile(r"(?<=\w)/(?=\w)"), " slash "),
    (re.compile(r"[_*~`|<>{}\[\]\\#^]+"), " "),
)  # fmt: skip


def as_read(text: str) -> str:
    """`text` in words, on one line a paragraph; sentence marks stay, and a full stop ends a sentence only."""
    text = re.sub(r"[^\S\n]+", " ", unicodedata.normalize("NFC", text).translate(_QUOTES))
    text = _LINE.sub(", ", re.sub(r"\s*\n\s*", "\n", text))
    text = _FRACTIONS.sub(_mixed_number, text)
    text = abbreviations.expand(text)
    for pattern, words in _RULES:
        text = pattern.sub(words, text)
    for pattern, word in _SIGNS:
        text = pattern.sub(word, text)
    return re.sub(r"[ \t]+", " ", re.sub(r"\s+([,.;:!?])", r"\1", text)).strip()


def _mixed_number(found: re.Match[str]) -> str:
    over, _, under = unicodedata.normalize("NFKC", found[2]).partition("⁄")
    part = number_words.fraction(int(over), int(under))
    return f"{number_words.cardinal(int(found[1]))} and {part.replace('one', 'a', 1)}" if found[1] else part


def _money(found: re.Match[str]) -> str:
    sign, large = found[1], found[3]
    amount = re.sub(r",(?=\d\d$)", ".", found[2]).replace(",", "")
    unit, small = CURRENCIES[sign]
    if large:
        return f"{number_words.number(amount)} {large.strip().lower()} {abbreviations.many(unit)}"
    whole, _, cents = amount.partition(".")
    if cents and (len(cents) != 2 or not small):
        return f"{number_words.number(amount)} {abbreviations.many(unit)}"
    parts = [_counted(int(whole or "0"), unit)] if int(whole or "0") or not int(cents or "0") else []
    if int(cents or "0"):
        parts.append(_counted(int(cents), small))
    return " and ".join(parts)


def _counted(number: int, unit: str) -> str:
    return f"{number_words.cardinal(number)} {unit if number == 1 else abbreviations.many(unit)}"


def _iso_date(found: re.Match[str]) -> str:
    year, month, day = int(found[1]), int(found[2]), int(found[3])
    if not (1 <= month <= len(MONTHS) and 1 <= day <= 31):
        return found[0]
    return f"{MONTHS[month - 1]} {number_words.ordinal(day)}, {number_words.year(year)}"


def _slashed_date(found: re.Match[str]) -> str:
    first, second, year = int(found[1]), int(found[2]), int(found[3])
    month, day = (first, second) if first <= len(MONTHS) else (second, first)
    if not (1 <= month <= len(MONTHS) and 1 <= day <= 31):
        return found[0]
    return f"{MONTHS[month - 1]} {number_words.ordinal(day)}, {number_words.year(year)}"


def _month_day(found: re.Match[str]) -> str:
    year = f", {number_words.year(int(found[3]))}" if found[3] else ""
    return f"{found[1]} {number_words.ordinal(int(found[2]))}{year}"


def _day_month(found: re.Match[str]) -> str:
    year = f", {number_words.year(int(found[4]))}" if found[4] else ""
    return f"{found[1] or 'the '}{number_words.ordinal(int(found[2]))} of {found[3]}{year}"


def _clock(found: re.Match[str]) -> str:
    hour, minute = int(found[1]), int(found[2])
    minutes = f" {'oh ' if minute < 10 else ''}{number_words.cardinal(minute)}" if minute else ""
    return f"{number_words.cardinal(hour)}{minutes}" + ("" if minute else " o'clock")


def _clock_of_day(found: re.Match[str]) -> str:
    minutes = f":{found[2]}" if found[2] and int(found[2]) else ""
    hour = _CLOCK.sub(_clock, f"{found[1]}{minutes}")
    return f"{hour} {found[3].upper()} M{'.' if found[4] is not None else ''}"


def _ratio(found: re.Match[str]) -> str:
    over, under = int(found[1]), int(found[2])
    if over < under:
        return number_words.fraction(over, under)
    return f"{number_words.cardinal(over)} {number_words.cardinal(under)}"


def _height(found: re.Match[str]) -> str:
    inches = f" {number_words.cardinal(int(found[2]))}" if found[2] else ""
    return f"{number_words.cardinal(int(found[1]))} feet{inches}"


def _measure(found: re.Match[str]) -> str:
    unit = UNITS[found[2]]
    return f"{number_words.number(found[1])} {unit if found[1] == '1' else abbreviations.many(unit)}"


def _decade(found: re.Match[str]) -> str:
    number = int(found[1])
    return number_words.plural(number_words.year(number) if number >= 1000 else number_words.cardinal(number))


def _rank(found: re.Match[str]) -> str:
    return number_words.ordinal(int(found[1].replace(",", "")))


def _year(found: re.Match[str]) -> str:
    return number_words.year(int(found[0]))


def _dotted(found: re.Match[str]) -> str:
    return " point ".join(number_words.number(part) for part in found[0].split("."))


def _roman(found: re.Match[str]) -> str:
    before, numeral = found[1], found[2]
    if not _ROMAN.fullmatch(numeral) or (len(numeral) == 1 and before not in (*_COUNTED, *_RULERS)):
        return found[0]
    values = [_ROMAN_VALUES[sign] for sign in numeral]
    number = sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))
    said = f"the {number_words.ordinal(number)}" if before in _RULERS else number_words.cardinal(number)
    return f"{before} {said}"


# In this order: each rule takes the longest written form first, so that a plain number comes last.
_RULES: tuple[Rule, ...] = (
    (re.compile(r"\d{16,}|\d{1,3}(?:,\d{3}){5,}"), lambda found: number_words.digits(found[0])),
    (re.compile(rf"([{''.join(CURRENCIES)}])\s?(\d+,\d\d(?!\d)|{_NUMBER})(\s+(?:{LARGE})\b)?", re.IGNORECASE), _money),
    (re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b"), _iso_date),
    (re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b"), _slashed_date),
    (re.compile(rf"\b({_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}})\b)?"), _month_day),
    (re.compile(rf"\b([Tt]he )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b(?:,? (\d{{4}})\b)?"), _day_month),
    (re.compile(r"\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s?([AaPp])\.?\s?[Mm]\b(?:\.(?=(\s+[A-Z]|\s*$)?))?"), _clock_of_day),
    (_CLOCK, _clock),
    (re.compile(r"\b(\d)'(?:\s?(\d{1,2})\")?"), _height),
    (re.compile(r"\b\d{3}-\d{3}-\d{4}\b|\b\d{3}-\d{4}\b"), lambda found: number_words.digits(found[0])),
    (re.compile(r"(?<!\w)'?(\d{2}|\d{3}0)'?s\b"), _decade),
    (re.compile(r"\b(\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th)\b"), _rank),
    (re.compile(rf"(?<![\w.])({_NUMBER})\s?({_UNIT})(?![\w/])"), _measure),
    (re.compile(r"\b\d+(?:\.\d+){2,}\b"), _dotted),
    (re.compile(r"(?<=\d)(?=[A-Za-z])"), lambda _: " "),
    (re.compile(r"(?<=\d)\s?-\s?(?=\d)"), lambda _: " to "),
    (re.compile(r"\b(\d{1,2})/(\d{1,2})\b(?!/)"), _ratio),
    (re.compile(r"\b([A-Z][a-z]+) ([IVX]+)\b"), _roman),
    (re.compile(r"(?<![\d,.])(?:1[1-9]\d\d|20\d\d)(?![\d,]|\.\d)"), _year),
    (re.compile(rf"(?<![\w.])[-+]?(?:{_NUMBER})"), lambda found: number_words.number(found[0])),
    (re.compile(r"\d+"), lambda found: f" {number_words.number(found[0])} "),
)  # fmt: skip
