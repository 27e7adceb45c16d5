"""English nouns of things in pictures: singular and plural, other names, what kind of thing. Pure Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_IRREGULAR = {
    "people": "person", "mice": "mouse", "geese": "goose", "sheep": "sheep", "fish": "fish", "knives": "knife",
    "wolves": "wolf", "scissors": "scissors", "oxen": "ox", "foxes": "fox", "buses": "bus",
    "leaves": "leaf", "shelves": "shelf", "skis": "ski", "zebras": "zebra", "series": "series",
}  # fmt: skip
_PLURAL = {"person": "people", "mouse": "mice", "goose": "geese", "knife": "knives", "wolf": "wolves", "ox": "oxen"}
_SAME = frozenset({"sheep", "fish", "scissors", "glasses", "skis", "broccoli", "clothing", "electronics"})
_ALSO = {
    "human": "person", "kitten": "cat", "kitty": "cat", "puppy": "dog", "doggy": "dog", "bike": "bicycle",
    "motorbike": "motorcycle", "plane": "airplane", "aeroplane": "airplane", "aircraft": "airplane",
    "automobile": "car", "sofa": "couch", "mug": "cup", "telephone": "cell phone", "phone": "cell phone",
    "cellphone": "cell phone", "television": "tv", "ship": "boat", "lorry": "truck", "pony": "horse",
    "coffee cup": "cup", "computer mouse": "mouse", "fridge": "refrigerator", "table": "dining table",
}  # fmt: skip
_KINDS = {
    "animal": "bird cat dog horse sheep cow elephant bear zebra giraffe",
    "vehicle": "bicycle car motorcycle airplane bus train truck boat",
    "person": "person",
}
WIDE = {"animal": "animal", "vehicle": "vehicle", "pet": "animal", "creature": "animal"}
_NEVER = frozenset({"thing", "safe", "stage", "swing", "fly"})  # more often other words in a question
ANYTHING = frozenset({"thing", "object", "item"})


def canonical(noun: str) -> str:
    """The one name for a thing: singular, small letters, the synonym that the detectors use."""
    words = noun.lower().strip(" .?!,\"'").split()
    if not words:
        return ""
    name = " ".join([*words[:-1], singular(words[-1])])
    return _ALSO.get(name, name)


def singular(word: str) -> str:
    """One of them: `mice` gives `mouse`."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if re.search(r"(ss|us|is)$", word) or len(word) < 4:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if re.search(r"(sh|ch|x|ss|zz)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


def plural(noun: str) -> str:
    """Several of them: `mouse` gives `mice`, `wine glass` gives `wine glasses`."""
    head, _, last = noun.rpartition(" ")
    lead = f"{head} " if head else ""
    if last in _SAME:
        return noun
    if last in _PLURAL:
        return lead + _PLURAL[last]
    if re.search(r"(s|sh|ch|x|z)$", last):
        return f"{lead}{last}es"
    if re.search(r"[^aeiou]y$", last):
        return f"{lead}{last[:-1]}ies"
    return f"{lead}{last}s"


def counted(noun: str, count: int) -> str:
    """`a cat`, `an elephant`, `3 cats`, `no cats`."""
    if count == 0:
        return f"no {plural(noun)}"
    if count > 1:
        return f"{count} {plural(noun)}"
    return noun if noun in _SAME else f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def listing(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def kinds(more: Mapping[str, str]) -> dict[str, str]:
    """What kind of thing each name is (`cat` is an `animal`); `more` adds names beyond the detectors' own."""
    own = {name: kind for kind, names in _KINDS.items() for name in names.split()}
    known = {**{canonical(name): kind for name, kind in more.items()}, **own}
    return {name: kind for name, kind in known.items() if name not in _NEVER}


def longest_first(names: Iterable[str]) -> list[str]:
    """Names in the order to try them in: `hot dog` before `dog`."""
    return sorted(names, key=lambda name: (-len(name), name))
