"""Which language a text is in."""

from __future__ import annotations

import pytest

from dragoman.backends.box.language import is_latin, primary, scores


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "Where is the station?"),
        ("pt", "O relatório foi entregue ontem à tarde, mas ninguém o leu."),
        ("es", "¿Dónde está la estación?"),
        ("de", "Wo ist der Bahnhof?"),
        ("fr", "Où est la gare ? Je ne sais pas."),
        ("it", "Il treno parte alle nove e non si ferma."),
        ("nl", "Waar is het station? Ik weet het niet."),
    ],
)
def test_common_words_tell_the_language(code: str, text: str):
    """A sentence is enough where it has any."""
    found = scores(text)

    assert max(found, key=lambda one: found[one]) == code


def test_words_that_belong_to_none_tell_nothing():
    """No evidence is no guess."""
    assert not any(scores("EXIT 42").values())


def test_other_scripts_are_not_latin():
    """One Latin word makes a text Latin."""
    assert not is_latin("车站在哪里")
    assert not is_latin("42!")
    assert is_latin("车站 station")


def test_a_region_is_left_out():
    """`pt-BR` and `PT_pt` are Portuguese."""
    assert [primary(code) for code in ("pt-BR", "PT_pt", " en ")] == ["pt", "pt", "en"]
