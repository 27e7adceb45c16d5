"""ROUGE-1, -2 and -L between two texts, as F-measures.

Source: C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", ACL workshop, 2004. Words are runs of ASCII
letters and digits in small letters, unstemmed: that is how the package that TaskBench uses cuts them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from dragoman.evals.sequences import common_length

__all__ = ["ROUGES", "rouge"]

ROUGES = ("ROUGE-1", "ROUGE-2", "ROUGE-L")

_MOST_WORDS = 2000  # A text longer than this is no list of steps; the longest common subsequence grows with its square.


@lru_cache(maxsize=20_000)
def rouge(text: str, reference: str) -> tuple[float, float, float]:
    """The F-measures of ROUGE-1, ROUGE-2 and ROUGE-L, each from 0 to 1."""
    words, wanted = _words(text), _words(reference)
    pairs, wanted_pairs = list(pairwise(words)), list(pairwise(wanted))
    return (
        _f_measure(_overlap(words, wanted), len(words), len(wanted)),
        _f_measure(_overlap(pairs, wanted_pairs), len(pairs), len(wanted_pairs)),
        _f_measure(common_length(words, wanted), len(words), len(wanted)),
    )


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())[:_MOST_WORDS]


def _overlap(one: Sequence[object], other: Sequence[object]) -> int:
    return (Counter(one) & Counter(other)).total()


def _f_measure(shared: int, length: int, wanted: int) -> float:
    return 2 * shared / (length + wanted) if length and wanted else 0.0
