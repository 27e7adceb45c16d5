"""What the words ask for, as far as the answer's wording depends on it: what to count, whom to name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dragoman.answering.wording import plural, singular

__all__ = ["asks_how_many", "counted_noun", "entity_groups", "labels_named", "wants_total"]

_HOW_MANY = re.compile(
    r"\bhow\s+many\b|\bnumber\s+of\b|\bcount|\bhow\s+much\b|多少|几[只个张位辆]|幾|\bquant[oa]s\b|\bwie\s*viele?\b"
    r"|\bcu[aá]nt[oa]s\b|\bcombien\b|\btally\b|\btotal\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"\baltogether\b|\bin\s+total\b|\btotal\b|\ball\s+(?:told|up)\b|\boverall\b|\bcombined\b|\bacross\b|\bsum\b|一共|总共|總共"
    r"|\bao\s+todo\b|\bno\s+total\b|\binsgesamt\b|\bzusammen\b|\ben\s+total\b",
    re.IGNORECASE,
)
_GROUPS: Mapping[tuple[str, ...], str] = {
    ("PERSON", "PER"): r"\bpeople\b|\bpersons?\b|\bwho\b|\bwhom\b|\bnames?\s+of\s+(?:the\s+)?(?:people|persons?)\b|人物|人名|谁|誰|\bpessoas?\b|\bquem\b|\bPersonen\b|\bwer\b|\bpersonas?\b|\bpersonnes\b",
    ("GPE", "LOC", "FAC"): r"\bplaces?\b|\blocations?\b|\bcountr(?:y|ies)\b|\bcit(?:y|ies)\b|地点|地名|\blugares\b|\bOrte?\b",
    ("ORG",): r"\borgani[sz]ations?\b|\bcompan(?:y|ies)\b|\bfirms?\b|机构|公司|\borganiza[cç][oõ]es\b|\bempresas\b|\bOrganisationen\b|\bFirmen\b",
    ("DATE", "TIME"): r"\bdates?\b|\btimes?\b|日期|\bdatas\b|\bDaten\b",
    ("MONEY", "QUANTITY", "CARDINAL", "PERCENT"): r"\bamounts?\b|\bsums?\s+of\s+money\b|\bnumbers?\b|金额|\bvalores\b|\bBeträge\b",
}  # fmt: skip
_FOREIGN: Mapping[str, str] = {
    "cat": r"猫|貓|\bgat[oa]s?\b|\bkatzen?\b|\bchats?\b", "dog": r"狗|犬|\bcachorr[oa]s?\b|\bc[aã]es\b|\bc[aã]o\b|\bhunde?\b|\bperr[oa]s?\b|\bchiens?\b",
    "person": r"人|\bpessoas?\b|\bpersonen?\b|\bleute\b|\bmenschen\b|\bpersonas?\b", "car": r"车|車|\bcarros?\b|\bautos?\b|\bcoches?\b|\bvoitures?\b",
    "cup": r"杯|\bx[ií]caras?\b|\bcopos?\b|\btassen?\b|\btazas?\b|\btasses?\b", "chair": r"椅|\bcadeiras?\b|\bst[uü]hle?\b|\bsillas?\b|\bchaises?\b",
    "book": r"书|書|\blivros?\b|\bb[uü]cher\b|\bbuch\b|\blibros?\b|\blivres?\b", "bird": r"鸟|鳥|\bp[aá]ssaros?\b|\bv[oö]gel\b|\baves\b|\boiseaux?\b",
    "bottle": r"瓶|\bgarrafas?\b|\bflaschen?\b|\bbotellas?\b|\bbouteilles?\b",
}  # fmt: skip
_SAME: Mapping[str, tuple[str, ...]] = {
    "person": ("human", "man", "woman", "child", "kid", "guy", "girl", "boy"),
    "cat": ("kitten", "kitty"),
    "dog": ("puppy",),
    "cup": ("mug", "coffee cup", "teacup"),
    "coffee cup": ("cup", "mug"),
    "laptop": ("notebook computer",),
    "car": ("automobile",),
}


_COUNTED_NOUN = re.compile(
    r"\b(?:how\s+many|number\s+of|count(?:\s+up)?(?:\s+(?:all|every|each))?(?:\s+(?:the|of\s+the))?)\s+"
    r"(?:different\s+|other\s+)?([a-z]{3,20})\b",
    re.IGNORECASE,
)
_ANYTHING = frozenset(
    "object thing item piece time picture photo image element stuff there are is were was do does did can could them"
    " these those they it this that total visible all any each every and everything anything something".split()
)


def counted_noun(words: str) -> str | None:
    """The thing whose number is wanted, in the singular (`how many lions` -> `lion`); None for objects in general."""
    found = _COUNTED_NOUN.search(words)
    noun = found[1].lower() if found else None
    return None if noun is None or {noun, singular(noun)} & _ANYTHING else singular(noun)


def asks_how_many(words: str) -> bool:
    """Whether a number is wanted."""
    return _HOW_MANY.search(words) is not None


def wants_total(words: str) -> bool:
    """Whether the numbers of several pictures are wanted as one."""
    return _TOTAL.search(words) is not None


def labels_named(words: str, labels: Iterable[str]) -> list[str]:
    """Those of `labels` that the words name, in singular, plural, by a usual synonym or in another language."""
    return [label for label in labels if _is_named(label, words)]


def _is_named(label: str, words: str) -> bool:
    names = (label.casefold(), *_SAME.get(label.casefold(), ()))
    forms = "|".join(re.escape(form) for name in names for form in (plural(name), name))
    foreign = _FOREIGN.get(label.casefold())
    pattern = rf"\b(?:{forms})\b" + (f"|{foreign}" if foreign else "")
    return re.search(pattern, words, re.IGNORECASE) is not None


def entity_groups(words: str) -> frozenset[str]:
    """The kinds of entities that the words ask for; empty where they ask for all."""
    if re.search(r"\bentit|\bNER\b|实体|實體|\bentidades?\b|\bEntit[aä]t", words, re.IGNORECASE):
        return frozenset()
    wanted = [kinds for kinds, pattern in _GROUPS.items() if re.search(pattern, words, re.IGNORECASE)]
    return frozenset(kind for kinds in wanted for kind in kinds)
