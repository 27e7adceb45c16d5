"""Whether a text is English, for experts that know no other language."""

from __future__ import annotations

import re
import unicodedata

from dragoman.errors import ExpertError

# Frequent words that the language doesn't share with English.
_FREQUENT = {
    "English": """the of and to in is that it was for on are with as his they at be this from have or by one had not but
        what all were when we there can your which their said if will how about out them then she many some so these""",
    "German": "der die das und ist nicht ein eine einen dem den von zu mit auf für sich auch wie wird sind ich du wir",
    "French": "le la les et est une des que qui dans pour pas sur avec ce il elle nous vous je sont mais où du au aux",
    "Spanish": "el la los las y es una que en de por para con no se su lo como más pero está donde dónde del al yo",
    "Portuguese": "o os as e é um uma que em de do da dos das não por para com se seu como mais mas está onde ao na no",
    "Italian": "il lo la gli e è una che di del della per non con sono come più ma dove nel alla questo",
    "Dutch": "de het een en is van niet dat op te zijn met voor maar ook wordt naar waar ik je",
}
_WORDS = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}
_IN_NAMES = frozenset([
    "de", "la", "le", "el", "los", "las", "del", "van", "den", "en", "der", "die", "das", "il", "lo", "du", "da", "do",
    "dos",
])  # fmt: skip
_LETTERS = {"Portuguese": "ãõ", "German": "äöüß", "Spanish": "ñ¿¡", "French": "èêœ"}
_WORD = re.compile(r"[^\W\d_]+")
_MOSTLY = 0.5
_ENOUGH = 1.5


def other_language(text: str) -> str:
    """The language or the script of `text` where it is plainly not English, else nothing. Names and quotes may be."""
    if script := _other_script(text):
        return script
    words = _WORD.findall(text)
    # A capital inside a sentence marks a name (`Los Angeles`), unless everything is in capitals.
    plain = [word.lower() for at, word in enumerate(words) if at == 0 or word[0].islower() or text.isupper()]
    votes = {language: _votes(plain, language) for language in _WORDS}
    best = max(votes, key=lambda language: votes[language])
    return best if best != "English" and votes[best] >= _ENOUGH and votes[best] > 2 * votes["English"] else ""


def require_english(text: str, *, what: str) -> None:
    """Nothing, or `ExpertError` where `text` is plainly in another language. what: the expert, as a subject."""
    if found := other_language(text):
        raise ExpertError(f"{what} speaks English only; this text looks like {found}. Translate it to English first.")


def _other_script(text: str) -> str:
    letters = [sign for sign in text if sign.isalpha()]
    foreign = [sign for sign in letters if sign > "ͯ" and not unicodedata.name(sign, "LATIN").startswith("LATIN")]
    if len(foreign) <= _MOSTLY * len(letters):
        return ""
    return f"{unicodedata.name(foreign[0]).split()[0].capitalize()} script".replace("Cjk", "Chinese")


def _votes(words: list[str], language: str) -> float:
    frequent, letters = _WORDS[language], _LETTERS.get(language, "")
    votes = sum(0.5 if word in _IN_NAMES else 1.0 for word in words if word in frequent)
    return votes + sum(any(letter in letters for letter in word) for word in words if word not in frequent)
