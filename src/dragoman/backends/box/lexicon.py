"""Sentiment by counting rated words, with rules for negation, degree, capitals, contrast and exclamation.

The ratings are VADER's lexicon; the rules and their numbers follow its paper, the code is our own.
Source: C. J. Hutto, E. Gilbert, "VADER: A Parsimonious Rule-based Model for Sentiment Analysis of Social Media Text",
ICWSM 2014.
"""

from __future__ import annotations

import math
import string
from dataclasses import dataclass
from pathlib import Path

from dragoman.backends.box.texts import word_set

DEGREE = 0.293  # what an adverb of degree adds to the word behind it, or takes from it
DECAY = (1.0, 0.95, 0.9)  # of the degree, one, two, three words away
CAPITALS = 0.733
NEGATION = -0.74
BEFORE_BUT, AFTER_BUT = 0.5, 1.5
EXCLAMATION, MOST_EXCLAMATIONS = 0.292, 4
QUESTION, MOST_QUESTION = 0.18, 0.96
SOFTNESS = 15.0  # the larger, the more rated words it takes to come near ±1

RAISING = word_set(
    """absolutely amazingly awfully completely considerably decidedly deeply enormously entirely especially
    exceptionally extremely fabulously fully greatly highly hugely incredibly intensely majorly more most particularly
    purely quite really remarkably so substantially thoroughly totally tremendously unbelievably unusually utterly very
    super such"""
)
LOWERING = word_set(
    "almost barely hardly kinda less little marginally occasionally partly scarcely slightly somewhat sorta"
)
NEGATING = word_set(
    """not never none nobody nothing nowhere neither nor cannot without rarely seldom despite aint arent cant couldnt
    didnt doesnt dont hadnt hasnt havent isnt mustnt neednt shouldnt wasnt werent wont wouldnt"""
)
COMPARING = word_set(  # before "like": a comparison, no liking
    """is are was were be been look looks looked sound sounds sounded feel feels felt seem seems taste tastes smell
    smells just more much something nothing anything things act acts"""
)
PHRASES = {
    "to die for": 3.0, "kiss of death": -1.5, "yeah right": -2.0, "broken heart": -2.9, "beating heart": 3.1,
    "bus stop": 0.0, "bad ass": 1.5, "cut the mustard": 2.0, "hand to mouth": -2.0, "upper hand": 1.0,
    "break a leg": 2.0, "under the weather": -2.0, "waste of": -2.0, "worth every": 2.0, "not worth": -2.0,
}  # fmt: skip
LONGEST_PHRASE = 3

_EDGES = string.punctuation + "“”‘’«»…¡¿"


@dataclass(frozen=True, kw_only=True, slots=True)
class Lexicon:
    """Rated words and emoticons (-4..4), and the English name of each emoji, which is scored in its place."""

    ratings: dict[str, float]
    emoji: dict[str, str]


def read_lexicon(ratings: Path, emoji: Path) -> Lexicon:
    """The lexicon in two files of lines with tabs: word, mean rating, …; and emoji, name."""
    rows = [line.split("\t") for line in ratings.read_text(encoding="utf-8").splitlines() if "\t" in line]
    names = [line.split("\t") for line in emoji.read_text(encoding="utf-8").splitlines() if "\t" in line]
    return Lexicon(ratings={row[0]: float(row[1]) for row in rows}, emoji={row[0]: row[1] for row in names})


def compound(text: str, lexicon: Lexicon) -> float:
    """How good the words of `text` sound, -1..1; 0 where it has no rated word."""
    words = _words(text, lexicon)
    ratings = _contrasted(words, _ratings(words, lexicon))
    total = sum(ratings)
    if total:
        total += math.copysign(_emphasis(text), total)
    return total / math.sqrt(total * total + SOFTNESS)


def _words(text: str, lexicon: Lexicon) -> list[str]:
    """The words without the marks at their edges, emoticons whole, emoji by name."""
    spelled = "".join(f" {name} " if (name := lexicon.emoji.get(char)) else char for char in text.replace("’", "'"))
    words = [raw if raw.lower() in lexicon.ratings else raw.strip(_EDGES) for raw in spelled.split()]
    return [word for word in words if word]


def _ratings(words: list[str], lexicon: Lexicon) -> list[float]:
    """What each word counts, the words around it heard."""
    lower = [word.lower() for word in words]
    is_mixed = any(word.isupper() for word in words) and not all(word.isupper() for word in words)
    phrased = _phrases(lower)
    found: list[float] = []
    for at, word in enumerate(lower):
        rating = phrased.get(at, lexicon.ratings.get(word, 0.0))
        if _is_only_degree(lower, at, lexicon):
            rating = 0.0
        if rating and at not in phrased:
            if is_mixed and words[at].isupper():
                rating += math.copysign(CAPITALS, rating)
            rating = _in_context(rating, lower, at)
        found.append(rating)
    return found


def _phrases(words: list[str]) -> dict[int, float]:
    """Ratings of the set phrases, on their last word; on their other words 0."""
    found: dict[int, float] = {}
    for at in range(len(words)):
        for size in range(LONGEST_PHRASE, 1, -1):
            rating = PHRASES.get(" ".join(words[at : at + size]))
            if rating is not None and at + size <= len(words):
                found.update(dict.fromkeys(range(at, at + size - 1), 0.0) | {at + size - 1: rating})
                break
    return found


def _is_only_degree(words: list[str], at: int, lexicon: Lexicon) -> bool:
    """Whether a rated word only colours the next ones: a degree ("incredibly bad"), a "no" or a "kind of"."""
    following = words[at + 1] if at + 1 < len(words) else ""
    if words[at] == "no":
        return any(word in lexicon.ratings for word in words[at + 1 : at + 3])
    if words[at] == "like":
        return at > 0 and words[at - 1] in COMPARING
    return words[at] in RAISING or words[at] in LOWERING or (words[at] == "kind" and following == "of")


def _in_context(rating: float, words: list[str], at: int) -> float:
    """`rating` of the word at `at`, raised, lowered or turned by the three words in front of it."""
    before = words[max(0, at - 3) : at][::-1]
    for distance, word in enumerate(before):
        rating += math.copysign(DECAY[distance], rating) * _degree(word)
    negations = sum(_negates(before, place) for place in range(len(before)))
    return rating * NEGATION**negations


def _degree(word: str) -> float:
    return DEGREE * ((word in RAISING) - (word in LOWERING))


def _negates(before: list[str], place: int) -> bool:
    """Whether the word at `place`, counted backwards, negates ("never so good" and "not only" don't)."""
    word = before[place]
    nearer = before[place - 1] if place else ""
    if word == "least":
        return before[place + 1 : place + 2] not in (["at"], ["very"])
    if (word == "never" and nearer in ("so", "this")) or (word == "without" and nearer == "doubt"):
        return False
    if word == "not" and nearer == "only":
        return False
    return word in NEGATING or word == "no" or word.endswith("n't")


def _contrasted(words: list[str], ratings: list[float]) -> list[float]:
    """What stands behind the last "but" counts more than what stands before it."""
    lower = [word.lower() for word in words]
    if "but" not in lower:
        return ratings
    turn = len(lower) - 1 - lower[::-1].index("but")
    return [rating * (BEFORE_BUT if at < turn else AFTER_BUT) for at, rating in enumerate(ratings)]


def _emphasis(text: str) -> float:
    """What marks of exclamation, and several of question, add."""
    questions = text.count("?")
    question = 0.0 if questions < 2 else QUESTION * questions if questions <= 3 else MOST_QUESTION
    return min(text.count("!"), MOST_EXCLAMATIONS) * EXCLAMATION + question
