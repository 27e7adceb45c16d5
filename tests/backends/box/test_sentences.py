"""Where sentences end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.sentences import spans, split

PIECES = [
    "Dr. ",
    "e.g. ",
    "3.5",
    "U.S. ",
    "no ",
    "He ",
    "said",
    ". ",
    "! ",
    "? ",
    "...",
    "…",
    '"',
    "”",
    "(",
    ")",
    "\n",
    "\n\n",
]
PIECES += ["- ", "1. ", "。", "！", "」", "こんにちは", "it ", "The ", ",", "  ", "\t", "ß", "😀", "J. K. "]
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))


@given(texts)
def test_no_letter_is_lost_or_made_up(text: str):
    """Joined, the sentences are the text but for white space."""
    assert "".join("".join(split(text)).split()) == "".join(text.split())


@given(texts)
def test_sentences_stand_in_order_with_only_space_between(text: str):
    """Spans rise, are not empty, and have no space at their edges."""
    at = 0
    for start, end in spans(text):
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip() != ""
        at = end
    assert text[at:].strip() == ""


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith paid $3.50 to Apple Inc. on Jan. 5.", "He left at 9 a.m.", "The U.S. Navy came."],
        ["J. K. Rowling wrote it.", '"Stop!" he said.', "Visit example.com.", "It costs 3.5 million, e.g. for Bob."],
        ["I live in the U.S.", "It is big.", "See p. 5 and No. 7.", "No.", "I do not.", "Sen. Brown et al. went."],
        ["It works... sometimes.", "It works...", "Then it breaks.", "He was born in 1990.", "Then he left."],
        ['He said "I am here."', "Then he left.", "(She stayed.)", "Nothing else"],
        ["i love it.", "it is great!", "bye"],
        ["O Sr. Silva chegou às 9h.", "A Sra. Costa não veio.", "¿Qué?", "¡Sí!"],
        ["Er kam am 3. Mai nach Berlin.", "Das war z.B. gut.", "Er ging."],
    ],
)
def test_short_forms_numbers_and_quotes_end_no_sentence(sentences: list[str]):
    """A full stop in or behind them is no end unless a new sentence clearly starts."""
    assert split(" ".join(sentences)) == sentences


def test_wide_marks_end_a_sentence_without_space():
    """As in Chinese; a closing quote goes with its sentence."""
    assert split("这是第一句。这是第二句！“你好吗？”他问。") == ["这是第一句。", "这是第二句！", "“你好吗？”", "他问。"]


def test_headings_items_and_lines_of_signs_stand_alone():
    """A short line with a capital behind it, and whatever has a bullet or a number."""
    assert split("A Heading\nA first line of text that goes on for long.\n- one\n- two\n1. Go.\n2. Stay.") == [
        "A Heading",
        "A first line of text that goes on for long.",
        "- one",
        "- two",
        "1. Go.",
        "2. Stay.",
    ]
    assert split("Dr. Jane Smith\nCity Hospital\nLondon") == ["Dr. Jane Smith", "City Hospital", "London"]


def test_a_wrapped_sentence_stays_whole():
    """Where the line ends in a small word or the next starts with a small letter."""
    text = "A text that is wrapped for a narrow\npage tells of Tim Cook of\nApple, who said so.\n\nNext one."

    assert split(text) == [text.partition("\n\n")[0], "Next one."]


def test_a_long_text_without_ends_is_quick():
    """100,000 characters of one line, and as many full stops: no step looks at all of it again."""
    assert split("word " * 20_000) == [("word " * 20_000).strip()]
    assert len(split("a. " * 30_000)) > 0
