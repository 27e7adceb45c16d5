"""Which sentences stand for a text: TextRank over their likeness, then a choice that does not repeat itself.

Sources: R. Mihalcea, P. Tarau, "TextRank: Bringing Order into Texts", EMNLP 2004; J. Carbonell, J. Goldstein, "The Use
of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries", SIGIR 1998.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

Weights = dict[int, float]  # per sentence, how much others are like it; pairs that share nothing are left out

DAMPING = 0.85
REPETITION = 0.5  # what being like a chosen sentence costs, beside a rank of at most 1
CLOSE_ENOUGH = 1e-5
MOST_ROUNDS = 100
NEIGHBOURS = 30  # per sentence that count: a long text has more than can be weighed
MOST_HOLDERS = 150  # a word in more sentences than that says little of any of them

_TOKEN = re.compile(r"[぀-ヿ㐀-鿿가-힯]|[^\W_]+")


def centrality(neighbours: Sequence[Weights]) -> list[float]:
    """How central each sentence is, the most central 1. Likeness must be symmetric and not negative."""
    size = len(neighbours)
    totals = [sum(weights.values()) for weights in neighbours]
    ranks = [1.0 / size] * size
    for _ in range(MOST_ROUNDS):
        shares = [rank / total if total else 0.0 for rank, total in zip(ranks, totals, strict=True)]
        renewed = [
            (1 - DAMPING) / size + DAMPING * sum(weight * shares[other] for other, weight in weights.items())
            for weights in neighbours
        ]
        change = sum(abs(new - old) for new, old in zip(renewed, ranks, strict=True))
        ranks = renewed
        if change < CLOSE_ENOUGH:
            break
    top = max(ranks, default=1.0)
    return [rank / top for rank in ranks]


def choose(ranks: Sequence[float], likeness: Callable[[int, int], float], *, count: int) -> list[int]:
    """`count` sentences (fewer only if there are fewer) of high rank and little repetition, in their own order."""
    left = dict.fromkeys(range(len(ranks)), 0.0)  # each with its likeness to the nearest chosen one
    chosen: list[int] = []
    while left and len(chosen) < count:
        best = max(left, key=lambda at: ranks[at] - REPETITION * left[at])
        del left[best]
        chosen.append(best)
        for at in left:
            left[at] = max(left[at], likeness(at, best))
    return sorted(chosen)


def word_vectors(sentences: Sequence[str]) -> list[dict[str, float]]:
    """TF-IDF of the words of each sentence, unit length; in Chinese, Japanese and Korean of the characters."""
    counts = [Counter(_TOKEN.findall(sentence.lower())) for sentence in sentences]
    spread = Counter(token for count in counts for token in count)
    vectors = [
        {token: times * math.log((1 + len(counts)) / spread[token]) for token, times in count.items()}
        for count in counts
    ]
    lengths = [math.sqrt(sum(value * value for value in vector.values())) or 1.0 for vector in vectors]
    return [
        {token: value / length for token, value in vector.items()}
        for vector, length in zip(vectors, lengths, strict=True)
    ]


def shared_words(vectors: Sequence[dict[str, float]]) -> list[Weights]:
    """The cosines of word vectors, of those that share a word, the nearest few of each."""
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for at, vector in enumerate(vectors):
        for token in vector:
            holders[token].append(at)
    cosines: list[defaultdict[int, float]] = [defaultdict(float) for _ in vectors]
    for token, places in holders.items():
        if len(places) > MOST_HOLDERS:
            continue
        for one in places:
            for other in places:
                if one != other:
                    cosines[one][other] += vectors[one][token] * vectors[other][token]
    return nearest(cosines)


def nearest(cosines: Sequence[Weights]) -> list[Weights]:
    """Each with its nearest few neighbours, and those that count it among theirs."""
    kept: list[Weights] = [{} for _ in cosines]
    for at, weights in enumerate(cosines):
        for other in sorted(weights, key=lambda place: -weights[place])[:NEIGHBOURS]:
            kept[at][other] = kept[other][at] = weights[other]
    return kept


def cosine(one: dict[str, float], other: dict[str, float]) -> float:
    """The cosine of two word vectors of unit length."""
    return sum(value * other.get(token, 0.0) for token, value in one.items())
