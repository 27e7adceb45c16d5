"""Data as words."""

import pytest

from dragoman.execution.textform import picked, text_form
from dragoman.values import Json


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("plain", "plain"),
        ([{"label": "tabby", "score": 0.5, "group": "cat"}, {"label": "lynx", "score": 0.1}], "cat"),
        ([{"label": "Speech", "score": 0.9}], "Speech"),
        ({"boxes": [{"label": "cup", "score": 0.9}], "counts": {"cup": 2, "spoon": 1}}, "2 cup, 1 spoon"),
        ({"boxes": [], "counts": {}}, "nothing"),
        ([{"entity_group": "PERSON", "word": "Ada"}, {"entity_group": "PERSON", "word": "Ada"}], "Ada"),
        ([{"text": "EXIT", "box": [0, 0, 1, 1]}, {"text": "LEFT"}], "EXIT, LEFT"),
        ({"answer": "in May", "score": 0.5}, "in May"),
        ([], ""),
        ([1, "two"], "1, two"),
        ({"a": {"b": 1}}, '{"a":{"b":1}}'),
        (None, "null"),
    ],
)
def test_data_reads_as_a_person_would_say_it(data: Json, words: str):
    """Rankings say their best, counts their numbers, lists their words; the rest is compact JSON."""
    assert text_form(data) == words


def test_elements_are_picked_by_label_in_any_case():
    """From a list, and from an object that holds one; nothing where there are no labels."""
    rows = [{"entity_group": "PERSON", "word": "Ada"}, {"entity_group": "GPE", "word": "London"}]

    assert picked(rows, "person") == rows[:1]
    assert picked({"boxes": [{"label": "cat"}, {"label": "dog"}], "counts": {}}, "dog") == [{"label": "dog"}]
    assert picked("words", "person") is None
