"""Named entities: how text is laid before the pipeline. Without weights."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.entities import readable


@given(st.text())
def test_every_letter_keeps_its_place(text: str):
    """Entities are cut out of the text by where they stand in what the pipeline saw."""
    assert len(readable(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("DR. JANE SMITH", "Dr. Jane Smith"),
        ("LONDON", "London"),
        ("NASA", "NASA"),
        ("9 AM - 5 PM, USA.", "9 AM - 5 PM, USA."),
        ("Tim Cook of\nAPPLE", "Tim Cook of APPLE"),
    ],
)
def test_names_in_capitals_are_seen_as_names(text: str, seen: str):
    """As signs write them; short forms stay, and so does a text that has small letters."""
    assert readable(text) == seen
