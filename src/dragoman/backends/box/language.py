"""Which language a text is in, among a few, by its commonest words and its script. No model."""

from __future__ import annotations

import re
import unicodedata

from dragoman.backends.box.texts import word_set

COMMON = {
    "en": word_set(
        """the of and to in is that it was for on are as with his they at be this have from or had by not but what all
        were we when your can said there use an each which she do how their if will up about out many then
        them these so some her would make like him into has more you i he my me please where who why no"""
    ),
    "pt": word_set(
        """o a os as um uma de da do das dos em no na nos nas e é que não para por com se mais como mas foi ao ele ela
        das tem à seu sua ou ser quando muito há já está eu também só pelo pela até isso você eles onde meu
        minha estão obrigado obrigada bom dia por favor fica são"""
    ),
    "es": word_set(
        """el la los las un una de del en y es que no para por con se más como pero fue al ella tiene su o ser cuando
        muy hay ya está yo también sólo hasta eso usted ellos donde dónde mi son lo le qué este gracias
        buenos favor"""
    ),
    "fr": word_set(
        """le la les un une de du des en et est que ne pas pour par avec se plus comme mais il elle a son sa ou être
        quand très je aussi jusqu cela vous ils où mon ma sont ce qui dans au aux nous merci bonjour"""
    ),
    "de": word_set(
        """der die das ein eine und ist nicht in zu den von mit auf für im dem des sich als auch an er sie es wie aber
        war bei nach wird ich wir ihr mein sind noch wo was dass über haben danke bitte"""
    ),
    "it": word_set(
        """il lo la i gli le un una di del della in e è che non per con si più come ma da al lei ha suo o essere quando
        molto io anche fino questo lui dove mio mia sono nel grazie buongiorno"""
    ),
    "nl": word_set(
        """de het een en is niet in te van met op voor dat die als ook aan hij zij maar was bij naar wordt ik wij mijn
        zijn nog waar wat over hebben dank"""
    ),
}
LETTERS = {"pt": "ãõ", "es": "ñ¿¡", "de": "ßäü", "fr": "œèùî", "it": "ìò"}  # that the others hardly use
LETTER_WORTH = 1.5  # what such a letter counts, beside a common word

_WORD = re.compile(r"[^\W\d_]+")


def scores(text: str) -> dict[str, float]:
    """How much speaks for each language of `COMMON`: one for each common word, and for letters of its own."""
    lower = text.lower()
    words = _WORD.findall(lower)
    return {
        code: sum(word in common for word in words)
        + LETTER_WORTH * sum(letter in lower for letter in LETTERS.get(code, ""))
        for code, common in COMMON.items()
    }


def is_latin(text: str) -> bool:
    """Whether `text` has words, and one in Latin script."""
    return any("LATIN" in unicodedata.name(word[0], "") for word in _WORD.findall(text))


def primary(code: str) -> str:
    """The language of a BCP 47 code, without region or script: `pt-BR` is `pt`."""
    return re.split(r"[-_]", code.strip().lower())[0]
