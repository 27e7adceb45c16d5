"""Sentiment: heads, passages and the mean over them."""

from __future__ import annotations

import pytest

from dragoman.backends.box.sentiment import Head, overall, passages, rated_features, read_head


@pytest.mark.parametrize("name", ["sentiment_words.json", "sentiment_meaning.json"])
def test_the_shares_of_a_trained_head_sum_to_one(name: str):
    """Three labels, whatever the features; the figures of the training stand beside the numbers."""
    head = read_head(name)

    shares = head.shares([0.1] * len(head.weights[0]))

    assert len(shares) == len(head.bias) == 3
    assert sum(shares) == pytest.approx(1.0)


def test_large_numbers_do_not_overflow():
    """Softmax is taken from the largest logit on."""
    assert Head(weights=[[1e4], [0.0], [-1e4]], bias=[0.0, 0.0, 0.0]).shares([1.0]) == [1.0, 0.0, 0.0]


def test_the_head_of_words_hears_good_and_bad():
    """A strong word either way; none is neutral."""
    head = read_head("sentiment_words.json")
    best = [max(range(3), key=lambda at, s=score: head.shares(rated_features(s))[at]) for score in (-0.8, 0.0, 0.8)]

    assert best == [0, 1, 2]


def test_passages_hold_whole_sentences():
    """As many as fit, and no word is lost."""
    text = "This is a sentence of some length. " * 40

    found = passages(text)

    assert all(len(passage) <= 150 and passage.endswith(".") for passage in found)
    assert " ".join(found).split() == text.split()
    assert len(passages("word " * 200)) == 1


def test_a_passage_with_an_opinion_outweighs_many_without():
    """Ten plain facts do not hide one complaint."""
    shares = overall([[0.05, 0.9, 0.05]] * 10 + [[0.9, 0.05, 0.05]])

    assert shares[0] > shares[1]
    assert sum(shares) == pytest.approx(1.0)
