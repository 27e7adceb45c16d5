"""Quoted spans, file names and URLs: content that is never read as instruction."""

from __future__ import annotations

import time

import pytest

from dragoman.planning.embedded.masks import kind_of_name, masks


def found(words: str, *names: str) -> list[tuple[str, str]]:
    """(kind, value) of each mask."""
    return [(mask.kind, mask.value) for mask in masks(words, names)]


@pytest.mark.parametrize(
    "words",
    [
        'say "a b" now',
        "say “a b” now",
        "say „a b“ now",
        "say «a b» now",
        "say »a b« now",
        "say 「a b」 now",
        "say 'a b' now",
        "say ‘a b’ now",
        "say `a b` now",
        "say ```a b``` now",
        "说《a b》",
    ],
)
def test_every_style_of_quote_is_one_mask(words: str):
    assert ("quote", "a b") in found(words)


@pytest.mark.parametrize(
    "words",
    ["I'd like it, don't you", "the dogs' bowl and the cats' dish", "it's 5' long", 'a 3" nail', "rock 'n roll"],
)
def test_apostrophes_and_marks_without_a_partner_open_nothing(words: str):
    assert found(words) == []


def test_an_apostrophe_inside_single_quotes_does_not_close_them():
    assert found("I'd translate 'I don't know' please") == [("quote", "I don't know")]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("describe a.jpg.", "a.jpg"),
        ("describe (a.jpg)", "a.jpg"),
        ("look at ./x/a-b_1.PNG, please", "./x/a-b_1.PNG"),
        ("请看a.jpg里有什么", "a.jpg"),
        ("a.jpg's colours", "a.jpg"),
        ('open "a.jpg"', "a.jpg"),
        ("/home/x/talk.wav?", "/home/x/talk.wav"),
    ],
)
def test_file_names_are_found_wherever_they_stand(words: str, name: str):
    assert found(words) == [("file", name)]


@pytest.mark.parametrize("words", ["version 3.5 of it", "e.g. cats", "node.js", "the U.S.A.", ".jpg files", "a.b.c"])
def test_other_dots_are_no_files(words: str):
    assert found(words) == []


def test_names_of_resources_are_found_verbatim():
    assert found("show My Photo.jpg now", "my photo.jpg") == [("file", "my photo.jpg")]


def test_a_url_is_one_mask_without_the_sentence_around_it():
    assert found("describe https://example.org/a.jpg?x=1, please.") == [("url", "https://example.org/a.jpg?x=1")]


def test_a_suffix_tells_the_kind():
    assert [kind_of_name(n) for n in ("a.JPG", "b.opus", "c.webm", "d.csv", "e.pdf", "f.txt", "g")] == [
        "image",
        "audio",
        "video",
        "table",
        "document",
        "text",
        None,
    ]


@pytest.mark.parametrize("unit", ['"', "'a ", "a.jpg ", "a/", "“", "http://a.b ", "a", "`"])
def test_a_hundred_thousand_characters_are_masked_in_linear_time(unit: str):
    """Ten times the words take at most some thirty times as long."""
    short, long = unit * (10_000 // len(unit)), unit * (100_000 // len(unit))
    masks(short)
    spent = [_seconds(words) for words in (short, long)]

    assert spent[1] < 30 * spent[0] + 0.2


def _seconds(words: str) -> float:
    began = time.process_time()
    masks(words)
    return time.process_time() - began
