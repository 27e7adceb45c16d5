"""The format bias goes to tokens whose ids are known, and to no others."""

import sys
import types

import pytest

from dragoman.minds.bias import MAX_TOKENS, token_bias


@pytest.fixture
def tokens(monkeypatch):
    """A stand-in for the optional package: it knows one model, whose tokens are letters."""

    def encoding_for_model(model):
        if model != "known":
            raise KeyError(model)
        return types.SimpleNamespace(encode=lambda word: [ord(letter) for letter in word])

    module = types.SimpleNamespace(encoding_for_model=encoding_for_model)
    monkeypatch.setitem(sys.modules, "tiktoken", module)


def test_each_token_of_the_words_is_biased_once(tokens):
    """Two words that share a letter."""
    bias, why_not = token_bias(["ab", "bc"], model="known", strength=0.2)

    assert bias == {"97": 0.2, "98": 0.2, "99": 0.2}
    assert why_not is None


def test_endpoints_take_only_so_many(tokens):
    """A thousand different tokens."""
    bias, _ = token_bias(["".join(map(chr, range(1000)))], model="known", strength=0.2)

    assert len(bias) == MAX_TOKENS


def test_an_unknown_model_gets_none_and_that_is_said(tokens):
    """No ids, no bias."""
    assert token_bias(["a"], model="mine", strength=0.2) == (
        {},
        "the token ids of `mine` are not known: sent without format bias",
    )


def test_without_the_package_there_is_none(monkeypatch):
    """It is optional."""
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    bias, why_not = token_bias(["a"], model="known", strength=0.2)

    assert bias == {}
    assert "not installed" in why_not
