"""Moonshine's tokens."""

from dragoman.backends.box.moonshine import as_words, read_tokens


def test_tokens_are_read_by_their_lengths():
    """A short one, an empty one, and one whose length takes two bytes."""
    long = b"x" * 300

    assert list(read_tokens(b"\x02ab\x00" + bytes([128 + 300 % 128, 300 // 128]) + long)) == [b"ab", b"", long]


def test_tokens_become_words_without_special_ones():
    """A space is written `▁`; a letter may be spread over two tokens."""
    tokens = [b"<s>", "▁Caf".encode(), b"\xc3", b"\xa9", "▁no".encode(), b"<<ST_1>>", b"</s>"]

    assert as_words(iter(tokens)) == "Café no"
