"""Translation: which direction, and what becomes of the layout. Without weights."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from dragoman.backends.box.translation import cut_up, source_and_target
from dragoman.errors import ExpertError

PAIRS = [("en", "pt"), ("pt", "en")]


@pytest.fixture
def tokenizer() -> Tokenizer:
    """One token a word."""
    tokenizer = Tokenizer(WordLevel({"?": 0}, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


@pytest.mark.parametrize(
    ("text", "args", "pair"),
    [
        ("Where is the station?", {"target": "pt"}, ("en", "pt")),
        ("Where is the station?", {"target": "pt-BR", "source": "en-GB"}, ("en", "pt")),
        ("Onde fica a estação?", {"target": "en"}, ("pt", "en")),
        ("EXIT", {"target": "pt"}, ("en", "pt")),
        ("NO SMOKING", {"target": "pt"}, ("en", "pt")),
        ("Stop war", {"target": "pt"}, ("en", "pt")),
    ],
)
def test_the_source_is_given_or_guessed(text: str, args: dict[str, str], pair: tuple[str, str]):
    """Where little tells, the other language of the pair is meant."""
    assert source_and_target(text, args, pairs=PAIRS) == pair


@pytest.mark.parametrize(
    ("text", "args", "says"),
    [
        ("Wo ist der Bahnhof? Ich bin hier.", {"target": "en"}, "German to English was asked for"),
        ("Where is it?", {"target": "fr"}, "into French was asked for"),
        ("Where is it?", {"target": "pt", "source": "ja"}, "`ja` to Portuguese was asked for"),
        ("车站在哪里", {"target": "en"}, "into English was asked for"),
        ("Where is the station?", {"target": "en"}, "seems to be in English already"),
        ("Where is the station?", {}, "nothing came"),
    ],
)
def test_another_direction_is_refused_with_those_there_are(text: str, args: dict[str, str], says: str):
    """By language names, so that a person sees what would work."""
    with pytest.raises(ExpertError, match=says) as refused:
        source_and_target(text, args, pairs=PAIRS)

    assert says.endswith(("already", "came")) or "English to Portuguese, Portuguese to English" in refused.value.says


def test_layout_signs_and_emoji_stay_in_place(tokenizer: Tokenizer):
    """Sentences are pieces of their own, on one line each; what stands between them is kept as it is."""
    text = "Title\n\n- one thing is\n  here. ❤ Good 😀😀\n\nBye."

    pieces = [piece for piece in cut_up(text, tokenizer) if piece]

    assert pieces == ["Title", "\n\n", "- one thing is here.", " ", "❤ ", "Good", " 😀😀", "\n\n", "Bye."]


def test_a_sentence_too_long_is_cut_at_a_comma(tokenizer: Tokenizer):
    """No word is lost, and no part is longer than the model can hold."""
    sentence = ", ".join(["and then we saw the old bridge"] * 60) + "."

    parts = list(cut_up(sentence, tokenizer))

    assert "".join(parts) == sentence
    assert all(len(tokenizer.encode(part).ids) <= 100 for part in parts)
    assert sum(part.endswith(",") for part in parts) >= 4


def test_a_word_without_end_is_cut_somewhere():
    """It must not loop."""
    tokenizer = Tokenizer(WordLevel({"?": 0}, unk_token="?"))
    from tokenizers.pre_tokenizers import Split

    tokenizer.pre_tokenizer = Split("", "isolated")

    assert "".join(cut_up("x" * 1000, tokenizer)) == "x" * 1000
