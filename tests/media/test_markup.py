"""Of a web page the words are kept that its reader sees."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman.media.markup import visible_text


def test_words_are_kept_and_machinery_left_out():
    """Title, headings, paragraphs, list items and cells on lines of their own; no script, style or comment."""
    page = """<!doctype html><html><head><title>A day &amp; a night</title><style>p {color: red}</style>
    <meta name=x></head><body><h1>Storm</h1><script>alert("no")</script><!-- hidden -->
    <p>It rained <b>all</b>
    night.</p><ul><li>one<li>two</ul><table><tr><td>a<td>b</table></body></html>"""

    lines = [line for line in visible_text(page).split("\n") if line]
    assert lines == ["A day & a night", "Storm", "It rained all night.", "one", "two", "a", "b"]


def test_unclosed_parts_cost_no_text():
    """A head that never ends, a paragraph that never ends."""
    assert visible_text("<head><title>T</title><body><p>words") == "T\n\nwords"
    assert visible_text("<p>only words") == "only words"


@given(st.text())
def test_any_text_passes(page):
    """Nothing raises."""
    assert isinstance(visible_text(page), str)
