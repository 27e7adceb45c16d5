"""Words of questions to a table: what they ask to be done, what they measure, how words are compared. Pure Python."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dragoman.backends.box.texts import word_set

_WORD = re.compile(r"[^\W_]+(?:[.,:'’/-][^\W_]+)*|[<>]=?|=|[^\W_]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_UNIT = re.compile(r"[(\[]\s*([^)\]]*)\s*[)\]]")

SMALL = word_set(
    """a an the this that these those it its he she they them we you i his her their there here of in on at by for from
    with to as is are was were be been being am do does did has have had having will would can could may might shall
    should and or but not no than then so if how what which who whom whose when where why me my our your any some all
    each every please tell give show list name find say get let us know according table file column row data value
    values s"""
)
COUNTED = word_set("row rows entry entries record records line lines item items thing things case cases one ones")
SUMS = word_set("total sum altogether overall combined together")
MEANS = word_set("average mean avg typical typically")
MOST, LEAST = word_set("most max maximum highest top greatest"), word_set("least min minimum lowest fewest bottom")
COMMON = word_set("common frequent often popular")
DIFFERENT = word_set("different distinct unique various")
CUES = SUMS | MEANS | MOST | LEAST | COMMON | DIFFERENT | word_set("median number count many much more less fewer over")

# An adjective: what it measures, and whether more of that is more of it.
MEASURES: dict[str, tuple[str, int]] = {
    "old": ("age", 1), "young": ("age", -1), "new": ("date", 1), "recent": ("date", 1), "late": ("date", 1),
    "early": ("date", -1), "tall": ("height", 1), "high": ("", 1), "low": ("", -1),
    "long": ("length duration runtime", 1), "short": ("length duration runtime height", -1), "far": ("distance", 1),
    "near": ("distance", -1), "deep": ("depth", 1), "wide": ("width", 1), "big": ("size area population", 1),
    "large": ("size area population", 1), "small": ("size area population", -1), "great": ("", 1),
    "heavy": ("weight mass", 1), "light": ("weight mass", -1), "fast": ("speed", 1), "slow": ("speed", -1),
    "expensive": ("price cost", 1), "cheap": ("price cost", -1), "costly": ("price cost", 1),
    "rich": ("income wealth money", 1), "poor": ("income wealth money", -1), "hot": ("temperature", 1),
    "warm": ("temperature", 1), "cold": ("temperature", -1), "good": ("score rating", 1), "bad": ("score rating", -1),
    "populous": ("population", 1), "strong": ("strength power", 1), "few": ("", -1), "little": ("", -1),
    "many": ("", 1), "much": ("", 1),
}  # fmt: skip
_IRREGULAR = {
    "best": "good", "better": "good", "worst": "bad", "worse": "bad", "further": "far", "farther": "far",
    "furthest": "far", "farthest": "far", "latest": "late", "later": "late", "earliest": "early", "earlier": "early",
    "first": "early", "last": "late",
}  # fmt: skip
# What a question word stands for where no column is named.
ASKS: tuple[tuple[str, str], ...] = (
    (r"\bhow old\b", "age"), (r"\bhow tall\b", "height"), (r"\bhow (far|distant)\b", "distance"),
    (r"\bhow (heavy|much .*weigh)\b|\bweighs?\b", "weight"), (r"\bhow deep\b", "depth"),
    (r"\bhow (long|many (hours|minutes|days))\b", "length duration runtime"), (r"\bhow fast\b", "speed"),
    (r"\bhow (big|large)\b", "size area population"), (r"\bhow (hot|cold|warm)\b", "temperature"),
    (r"\bhow much\b.*\b(cost|costs|pay|paid)\b|\b(cost|costs|price)\b", "price cost"),
    (r"\b(earns?|earned|paid|salary)\b", "salary income pay"), (r"\b(lives?|inhabitants)\b", "population city"),
    (r"\bwhere\b", "city place location country"), (r"\bwhen\b", "date day time year"),
    (r"\b(who|whose)\b", "name person"), (r"\bborn\b", "birth born year"), (r"\bhow much\b", "amount price"),
    (r"\b(sold|sells?)\b", "sales quantity units"),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """A word: as it stands, small, without its ending, and where it starts."""

    text: str
    low: str
    stem: str
    start: int


def words_of(sentence: str) -> list[Word]:
    """The words in order; `>=` and the like count as words."""
    return [
        Word(text=text, low=text.lower(), stem=stem(text.lower()), start=match.start())
        for match in _WORD.finditer(sentence)
        if (text := re.sub(r"['’]s$", "", match[0]))
    ]


def stem(word: str) -> str:
    """`word` without a plural or verb ending: `cities`, `city`; `sold` stays."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def name_stems(name: str) -> frozenset[str]:
    """What a column's name says: its words without endings, small words and units in brackets."""
    spaced = _CAMEL.sub(" ", name)
    words = [word for word in words_of(_UNIT.sub(" ", spaced)) if word.low not in SMALL]
    return frozenset(word.stem for word in words or words_of(spaced))


def unit_of(name: str) -> str:
    """The unit in brackets at a column's name: `km` of `length (km)`; "" for none."""
    match = _UNIT.search(name)
    return match[1].strip() if match else ""


def measure_of(word: str) -> tuple[str, int] | None:
    """What an adjective measures, in any degree (`old`, `older`, `oldest`), and its direction; None for other words."""
    if word in _IRREGULAR:
        return MEASURES[_IRREGULAR[word]]
    for ending in ("", "est", "er"):
        if ending and not word.endswith(ending):
            continue
        base = word.removesuffix(ending) if ending else word
        for tried in (base, base + "e", base[:-1] if base[-1:] == base[-2:-1] else base, base[:-1] + "y"):
            if tried in MEASURES:
                return MEASURES[tried]
    return None


def degree_of(word: str) -> int:
    """2 for a superlative (`oldest`), 1 for a comparative (`older`), 0 for any other word."""
    if word in ("first", "last") or (word.endswith("st") and measure_of(word) and word not in MEASURES):
        return 2
    return 1 if word.endswith(("er", "se")) and measure_of(word) and word not in MEASURES else 0
