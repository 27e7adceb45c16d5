"""What an instruction for a picture asks for, as far as enlarging, sharpening and restoring go. English words."""

from __future__ import annotations

import re

_CLAUSES = re.compile(r"[,;!?\n]+|\.(?:\s|$)|\b(?:and|then|but|also|while)\b", re.IGNORECASE)
_NUMBERS = {
    "twice": 2,
    "double": 2,
    "doubled": 2,
    "two": 2,
    "four": 4,
    "quadruple": 4,
    "three": 3,
    "eight": 8,
    "ten": 10,
}
_FACTOR = re.compile(
    r"\b(twice|doubled?|quadruple)\b|\b(\d+(?:\.\d+)?|two|three|four|eight|ten)\s*(?:[x×]|times|fold)(?!\w)"
    r"|(?<![\w.])[x×]\s*(\d+(?:\.\d+)?)\b|\b(?:factor|scale) (?:of )?(\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_ABOUT_SIZE = (
    r"enlarg\w*|up-?scal\w*|up-?siz\w*|super[- ]?resol\w*|larger|bigger|high(?:er)?[- ]res\w*|resolution|magnif\w*"
    r"|too (?:small|tiny)"
)
_ABOUT_EDGES = r"sharp\w*|crisp\w*|clear(?:er)?|(?:de|un)-?blur\w*|(?:less|too|is) (?:blurr\w*|fuzzy)|detail(?:s|ed)?"
_ABOUT_DAMAGE = r"restor\w*|de-?nois\w*|enhanc\w*|improv\w*|better|quality|clean\w* up|noise|grain|artifacts?|blur\w*"
_SIZE, _EDGES, _DAMAGE = (
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in (_ABOUT_SIZE, _ABOUT_EDGES, _ABOUT_DAMAGE)
)
_POLITE = re.compile(r"(?:please|thanks|thank you|kindly|for me|if you can|now)", re.IGNORECASE)
# Whoever says one of these wants another picture, whatever else they say.
_OTHER = re.compile(
    r"\b(?:colou?r\w*|black[- ]and[- ]white|gr[ae]y\w*|sepia|bright\w*|dark\w*|background|foreground|(?:re)?style\w*"
    r"|paint\w*|cartoon\w*|anime|sketch\w*|draw\w*|add|adds|adding|insert\w*|replac\w*|swap\w*|turn\w*|rotat\w*|crop\w*"
    r"|flip\w*|mirror\w*|remov(?:e|es|ing) (?!(?:\w+ )?(?:noise|grain|blur\w*|artifacts?))\w*|delet\w*|eras\w*"
    r"|transform\w*|night|winter|summer|less sharp|smaller|shrink\w*|blurr?ier|blur (?:the|it|this)|look like)\b",
    re.IGNORECASE,
)


def wishes(instruction: str) -> set[str] | None:
    """Which of "size", "edges", "damage" an instruction is about; None where it wants anything else.

    Every clause has to say one of them; "at four times" says size.
    """
    found: set[str] = set()
    for clause in (part.strip() for part in _CLAUSES.split(instruction)):
        if not clause or _POLITE.fullmatch(clause):
            continue
        said = {name for name, words in (("edges", _EDGES), ("damage", _DAMAGE)) if words.search(clause)}
        if _SIZE.search(clause) or factor(clause) is not None:
            said.add("size")
        if not said or _OTHER.search(clause):
            return None
        found |= said
    return found


def factor(instruction: str) -> float | None:
    """How many times larger: 2 for "twice" and "2x". None where it isn't said."""
    found = _FACTOR.search(instruction)
    if found is None:
        return None
    word = next(group for group in found.groups() if group).lower()
    return float(_NUMBERS.get(word) or word)
