"""Which sentences stand for a text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.ranking import centrality, choose, cosine, nearest, shared_words, word_vectors


def test_the_sentence_that_others_are_like_is_the_most_central():
    """A star: all are like the first, and not like one another."""
    ranks = centrality([{1: 1.0, 2: 1.0, 3: 1.0}, {0: 1.0}, {0: 1.0}, {0: 1.0}, {}])

    assert ranks[0] == 1.0
    assert ranks[1] == pytest.approx(ranks[3])
    assert ranks[4] < ranks[1]


@given(st.lists(st.floats(0, 1), max_size=30), st.integers(1, 40))
def test_a_choice_keeps_the_order_and_the_count(ranks: list[float], count: int):
    """As many as wanted, fewer only if there are fewer, ascending."""
    chosen = choose(ranks, lambda one, other: 0.0, count=count)

    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(count, len(ranks))


def test_a_choice_does_not_repeat_itself():
    """The second best says the same as the best, so the third is taken."""
    twins = {frozenset((0, 1))}

    assert choose([1.0, 0.9, 0.6], lambda one, other: float(frozenset((one, other)) in twins), count=2) == [0, 2]


def test_rare_words_make_sentences_alike_in_any_writing():
    """Latin words whole, Chinese by character."""
    vectors = word_vectors(
        ["The cat sleeps.", "A cat purrs.", "The bank fell.", "The sun rose.", "银行股价下跌", "股价上涨"]
    )

    assert cosine(vectors[0], vectors[1]) > cosine(vectors[0], vectors[2]) > 0
    assert cosine(vectors[4], vectors[5]) > 0
    assert cosine(vectors[0], vectors[0]) == pytest.approx(1.0)


def test_neighbours_are_mutual():
    """TextRank needs a symmetric graph, however many neighbours are left out."""
    rng = random.Random(0)
    sentences = [" ".join(rng.choices("abcdefghijklmnop", k=6)) for _ in range(200)]

    graph = shared_words(word_vectors(sentences))

    assert all(graph[other][at] == weight for at, weights in enumerate(graph) for other, weight in weights.items())
    assert nearest([{1: 0.5}, {}]) == [{1: 0.5}, {0: 0.5}]
