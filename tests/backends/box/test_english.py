"""Telling English from other languages."""

import pytest

from dragoman.backends.box.english import other_language, require_english
from dragoman.errors import ExpertError


@pytest.mark.parametrize(
    "text",
    [
        "Where is the station?",
        "Ada Lovelace, Schmidt, Angela Müller",
        "The man said 'Wo ist der Bahnhof?' and left.",
        "El Niño is a climate pattern",
        "Los Angeles, Las Vegas, San Diego",
        "Café de la Paix",
        "NO PARKING",
        "https://example.com/a.html",
        "Total due 260.00 EUR",
        "42",
    ],
)
def test_english_with_foreign_names_and_quotes_is_english(text: str):
    """Names of people and places, a quotation, capitals, an address, figures."""
    assert other_language(text) == ""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Onde fica a estação?", "Portuguese"),
        ("Wo ist der Bahnhof?", "German"),
        ("WO IST DER BAHNHOF", "German"),
        ("¿Dónde está la estación?", "Spanish"),
        ("Où est la gare ?", "French"),
        ("火车站在哪里？", "Chinese script"),
        ("Где находится вокзал?", "Cyrillic script"),
    ],
)
def test_another_language_is_named(text: str, language: str):
    """By its words, its letters or its script."""
    assert other_language(text) == language


def test_a_refusal_says_who_what_and_how_to_help():
    """The reason is fit to show a person."""
    with pytest.raises(ExpertError, match=r"The voice speaks English only.*German.*Translate"):
        require_english("Das ist nicht gut.", what="The voice")
