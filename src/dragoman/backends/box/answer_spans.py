"""The few words of a sentence that answer a question: dates, amounts, names and places, by patterns."""

from __future__ import annotations

import re

from dragoman.backends.box.texts import word_set

Span = tuple[int, int]

_NUMBER = r"(?:\d[\d,.]*\d|\d)(?: (?:thousand|million|billion|trillion))?"
_COUNT = (
    rf"{_NUMBER}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|a dozen|"
    r"(?:a|one|two|three) hundred)\b"
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATE = (
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}(?:,? \d{{4}})?|"
    rf"\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|\b{_MONTH} \d{{4}}|"
    r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:1\d|20)\d\ds?\b"
)
_TIME = (
    r"\b\d{1,2}(?::\d\d)? ?(?:a\.?m\b\.?|p\.?m\b\.?|o'clock)|\b\d{1,2}:\d\d\b|"
    r"\b(?:on )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|"
    r"\bat (?:half past |a quarter (?:past|to) )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"noon|midnight)\b|\b(?:today|tomorrow|yesterday|tonight)\b"
)
_MONEY = (
    rf"[$€£¥₹] ?{_NUMBER}|{_NUMBER} ?(?:dollars?|euros?|pounds?|cents?|pence|yen|rupees|reais|EUR|USD|GBP|CHF|JPY)\b"
)
_UNIT = (
    r"(?:square )?(?:kilo|centi|milli)?(?:met(?:er|re)s?|grams?|lit(?:er|re)s?)|km/h|km|cm|mm|kg|mg|miles?|feet|foot|"
    r"inch(?:es)?|tons?|tonnes?|pounds?|degrees?(?: Celsius| Fahrenheit)?|°[CF]|%|per ?cent|seconds?|minutes?|hours?|"
    r"days?|weeks?|months?|years?(?: old)?|megabytes|MB|GB|m|g|l"
)
_QUANTITY = rf"(?:{_COUNT})[ -]?(?:{_UNIT})(?!\w)"
_NAME = r"\b[A-Z][\w'’-]*(?:(?: (?:of|the|de|da|van|von|and|&) (?:the )?| )[A-Z][\w'’-]*)*"
_IN = r"\b(?:in|at|near|from|into|outside|on|over|under|behind|beside|next to|opposite) "
_NAMED_PLACE = rf"{_IN}(?:the )?({_NAME})"
_PLACE = (
    rf"{_IN}(?!\d)((?:the |a |an |our |her |his )?[\w'’-]+"
    r"(?: (?!and\b|but\b|to\b|that\b|which\b|who\b|at\b|on\b|by\b|for\b|near\b|where\b)[\w'’-]+){0,6})"
)

_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\b(who|whose|whom)\b|\bby which (company|person)\b", (_NAME,)),
    (r"\bwhere\b|\b(what|which) (city|country|place|town|street)\b", (_NAMED_PLACE, _PLACE)),
    (r"\bwhen\b|\b(what|which) (date|day|year|time|month)\b", (_DATE, _TIME)),
    (r"\b(price|cost|costs|paid|pay|salary|total|amount|fee|worth)\b.*|\bhow much\b", (_MONEY, _QUANTITY, _COUNT)),
    (r"\bhow (old|tall|high|long|far|deep|wide|heavy|fast|big|large|hot|cold)\b", (_QUANTITY, _COUNT)),
    (r"\bhow many\b|\b(what|which) (number|percentage|share)\b", (_COUNT,)),
    (r"\bwhich (company|person|team|band|school|university)\b|\bwhat (is|was) the name\b", (_NAME,)),
)
SHORTEST_STEM, LONGEST_STEM = 3, 5
BEHIND = 2
_SMALL = word_set(
    """a an the this that it its he she they we you i his her their of in on at by for from with to as is are was were
    be been do does did has have had will would can could and or not who whom whose what which when where why how
    much many there if any me"""
)
_FALSE_NAMES = word_set(
    "The A An It He She They We You I This That These Those In On At Its His Her Most Some After Before Our"
)


def answer_span(question: str, sentence: str) -> Span | None:
    """Where in `sentence` the short answer stands, or None where no pattern tells."""
    value = _value_of_key(question, sentence)
    if value:
        return value
    for pattern in wanted(question):
        found = [match.span(match.lastindex or 0) for match in re.finditer(pattern, sentence)]
        new = [span for span in found if _is_new(question, sentence[slice(*span)], is_name=pattern is _NAME)]
        if new:
            return min(new, key=lambda span: _distance(span, sentence, question))
    return None


def content_words(text: str) -> list[str]:
    """The words of `text` that say something, without their endings."""
    return [stem(word) for word in re.findall(r"\w+", text.lower()) if word not in _SMALL]


def stem(word: str) -> str:
    """`word` without a common English ending, and no longer than five letters: so that died and die are alike."""
    for ending in ("ing", "ed", "es", "s", "d", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word[: -len(ending)][:LONGEST_STEM]
    return word[:LONGEST_STEM]


def _distance(span: Span, sentence: str, question: str) -> int:
    """Letters from a candidate to the nearest word of the question; what stands in front of it counts as nearer."""
    asked = set(content_words(question))
    places = [match for match in re.finditer(r"\w+", sentence) if stem(match[0].lower()) in asked]
    gaps = [
        span[0] - place.end() if place.end() <= span[0] else BEHIND * (place.start() - span[1])
        for place in places
        if place.end() <= span[0] or place.start() >= span[1]
    ]
    return min(gaps, default=len(sentence))


def wanted(question: str) -> tuple[str, ...]:
    """The patterns of what a question asks for, the likeliest first; none for "what", "why" and "how"."""
    lower = question.lower()
    return next((patterns for cue, patterns in _KINDS if re.search(cue, lower)), ())


def _is_new(question: str, words: str, *, is_name: bool) -> bool:
    """Whether `words` say something that the question did not."""
    is_article = is_name and words in _FALSE_NAMES
    return not is_article and words.lower().strip(".") not in question.lower()


def _value_of_key(question: str, sentence: str) -> Span | None:
    """In a line such as `Total: 260 EUR`, what stands behind the colon, if the question names what stands before."""
    match = re.fullmatch(r"\s*([^:]{2,40}):\s+(\S.*?)\s*", sentence, re.DOTALL)
    if match is None:
        return None
    asked = set(re.findall(r"\w+", question.lower()))
    key = set(re.findall(r"\w+", match[1].lower()))
    patterns = wanted(question)
    is_of_kind = not patterns or any(re.search(pattern, match[2]) for pattern in patterns)
    return match.span(2) if key & asked and is_of_kind else None
