"""What counts as read, and how a line is written down."""

from __future__ import annotations

import pytest

from dragoman.backends.box.ocr import is_credible, line_data
from dragoman.backends.box.text_layout import Line


@pytest.mark.parametrize(
    ("text", "score", "credible"),
    [("EXIT", 0.8, True), ("5B", 0.99, True), ("0", 0.89, False), ("0000", 0.8, False), ("smudge", 0.5, False)],
)
def test_a_slight_line_needs_a_high_score(text: str, score: float, credible: bool):
    """Round things are read as `O` with a middling score; a real `5B` has a high one."""
    assert is_credible(text, score) is credible


def test_a_line_says_its_page_only_in_a_document():
    """Whole pixels, four digits of score."""
    line = Line(text="a", score=0.98765, box=(1.4, 2.0, 3.6, 4.0))

    assert line_data(line) == {"text": "a", "box": [1, 2, 4, 4], "score": 0.9877}
    assert line_data(line, page=2)["page"] == 2
