"""Words into an adapter, words and data out of it."""

from __future__ import annotations

import pytest

from dragoman.backends.box.texts import count_of, labels_output, names_of, text_of, texts_of
from dragoman.errors import ExpertError


@pytest.mark.parametrize("given", [None, "", "  \n", 3, ["a"]])
def test_a_text_that_says_nothing_is_refused(given: object):
    """Missing, empty, blank, or no words at all."""
    with pytest.raises(ExpertError, match="`text` must be words"):
        text_of({"text": given})


def test_one_text_goes_where_many_may():
    """A single string is a list of one; an empty list is refused."""
    assert texts_of({"text": "a"}) == ["a"]
    assert texts_of({"text": ("a", "b")}) == ["a", "b"]
    with pytest.raises(ExpertError, match="nothing came"):
        texts_of({"text": []})


def test_names_come_as_a_list_or_between_commas():
    """Each once, without the space around it."""
    assert names_of({"labels": "sports, politics,sports"}, "labels") == ["sports", "politics"]
    assert names_of({"labels": ["a", " b "]}, "labels") == ["a", "b"]
    with pytest.raises(ExpertError, match="`labels` must name at least one"):
        names_of({"labels": " , "}, "labels")


def test_a_count_is_a_whole_number_from_one_on():
    """`3`, `"3"` and 3.0 are; 0, words and lists are not."""
    assert [count_of({"n": given}, "n", default=2) for given in (3, "3", 3.0, None)] == [3, 3, 3, 2]
    for wrong in (0, -1, "three", [1], float("inf")):
        with pytest.raises(ExpertError, match="whole number"):
            count_of({"n": wrong}, "n", default=2)


def test_labels_come_best_first_with_plain_numbers():
    """Four places, so that JSON stays short."""
    output = labels_output({"a": 0.123456, "b": 0.876544})

    assert output.name == "labels"
    assert output.data == [{"label": "b", "score": 0.8765}, {"label": "a", "score": 0.1235}]
