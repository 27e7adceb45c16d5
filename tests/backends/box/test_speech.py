"""Text cut into what the voice says at once."""

from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.speech import in_parts


def test_a_long_sentence_is_cut_behind_a_mark():
    """The last comma that fits, not the last space."""
    assert in_parts("aaa bbb, ccc ddd eee", most=14) == ["aaa bbb,", "ccc ddd eee"]


def test_without_marks_it_is_cut_between_words_and_else_anywhere():
    """No comma; then no space either."""
    assert in_parts("aaa bbb ccc", most=8) == ["aaa bbb", "ccc"]
    assert in_parts("aaaaaaaaaa", most=4) == ["aaaa", "aaaa", "aa"]


@given(st.text(alphabet="ab ,;", max_size=80), st.integers(3, 20))
def test_parts_are_bounded_and_lose_no_sound(phonemes: str, most: int):
    """Whatever the text."""
    parts = in_parts(phonemes, most=most)

    assert all(0 < len(part) <= most for part in parts)
    assert "".join(parts).replace(" ", "") == phonemes.replace(" ", "")
