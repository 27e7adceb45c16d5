"""The few words of a sentence that answer a question."""

from __future__ import annotations

import pytest

from dragoman.backends.box.answer_spans import answer_span, content_words


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("When did it open?", "It opened in May 1994 in a former factory.", "May 1994"),
        ("When does the tour start?", "Tours start at 11:30 near the gate.", "11:30"),
        ("What time does the train leave?", "It leaves at nine every morning.", "at nine"),
        ("Where was she born?", "She was born in Warsaw and studied in Paris.", "Warsaw"),
        ("Where is the key?", "The key lies under the blue pot at the door.", "the blue pot"),
        ("Who is the director?", "The director, Tomas Berg, plans a house.", "Tomas Berg"),
        ("How much does it cost?", "Children pay 3 and adults 9 euros.", "9 euros"),
        ("How tall is the tower?", "The tower was built in 1889 and is 330 metres tall.", "330 metres"),
        ("How many people came?", "About 52,000 people came.", "52,000"),
        ("What is the total?", "Total: 260.00 EUR", "260.00 EUR"),
        ("Who is it billed to?", "Billed to: Maria Lopez", "Maria Lopez"),
    ],
)
def test_the_words_of_the_kind_asked_for(question: str, sentence: str, answer: str):
    """Dates, times, places, names, money, sizes, counts, and what stands behind a colon."""
    span = answer_span(question, sentence)

    assert span is not None
    assert sentence[slice(*span)] == answer


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Why did it close?", "It closed because of a storm."),
        ("Who is Elena Duarte?", "Elena Duarte sings."),
        ("When did it open?", "It opened long ago."),
    ],
)
def test_where_no_pattern_tells_there_is_no_span(question: str, sentence: str):
    """Nor do the question's own words answer it."""
    assert answer_span(question, sentence) is None


def test_words_are_compared_without_their_endings():
    """Small words say nothing."""
    assert content_words("When did she die?") == content_words("She died") == ["die"]
