"""Questions about a picture that its evidence can answer: what, how many, whether, which colour, where, what it says.

Rules over English words; every other question is refused, with what can be answered. Pure Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dragoman.backends.box.boxes import Found
from dragoman.backends.box.evidence import Evidence, caption, colour_words, is_guess, place, quoted
from dragoman.backends.box.nouns import ANYTHING, WIDE, canonical, counted, listing, longest_first, plural, singular
from dragoman.errors import ExpertError

CAN = (
    "It can answer what a picture shows, how many there are of a thing, whether and where there is one, which colours, "
    "and what is written; other questions need a language model that sees (`--mind`)."
)
_UNSEEN = re.compile(r"\b(m[ae]n|wom[ae]n|boys?|girls?|child(ren)?|kids?|lad(y|ies)|guys?)\b")
_READS = re.compile(r"\b(says?|said|written|writing|words?|texts?|reads?|letters?|inscription)\b")
_COLOUR = re.compile(r"\bcolou?rs?\b")
_MANY = re.compile(r"\bhow many\b|\bnumber of\b|\bcount\b")
_WHETHER = re.compile(r"^(is|are|do|does|can|was|were|has|have)\b|\bany\b|\bwhether\b|\bif there\b")
_WHERE = re.compile(r"\bwhere\b")
_WHAT = re.compile(r"^(what|which)\b|\bwhat('s| is| are| do| does| can| kind| sort| type| breed)|\bdescribe\b")
_BEYOND = re.compile(
    r"\b(who|whose|why|when|how (old|big|tall|far|much|long)|doing|happening|wearing|feel(ing|s)?|looking|"
    r"mood|weather|time|year|name|cost|price|made of|material|brand|behind|next to)\b"
)


def answer(question: str, evidence: Evidence) -> str:
    """The answer in a sentence. Raises `ExpertError` for a question that the evidence can't answer."""
    words = re.sub(r"\s+", " ", question.lower()).strip()
    rules: tuple[tuple[re.Pattern[str], Callable[[str, Evidence], str | None]], ...] = (
        (_COLOUR, _colour),
        (_MANY, _many),
        (_READS, _reads),
        (_UNSEEN, _refuse),
        (_BEYOND, _refuse),
        (_WHERE, _where),
        (_WHETHER, _whether),
        (_WHAT, _what),
    )
    for pattern, rule in rules:
        if pattern.search(words):
            said = rule(words, evidence)
            if said is not None:
                return said
            break
    raise ExpertError(f"Evidence from a classifier, a detector and a text reader can't answer “{question}”.", helps=CAN)


def looked_for(words: str, evidence: Evidence) -> str:
    """Whether the thing that the words name was found, in a sentence; empty where they name none."""
    return _whether(words.lower(), evidence) or ""


def _refuse(words: str, evidence: Evidence) -> None:
    del words, evidence


def _colour(words: str, evidence: Evidence) -> str | None:
    name = _noun(words, evidence)
    if name is None:
        return f"Its colours are {colour_words(evidence.colours)}."
    for thing, colours in zip(evidence.found, evidence.box_colours, strict=True):
        if _is(thing.label, name, evidence):
            return f"Where the {thing.label} is, the colours are {colour_words(colours)}."
    return _none(name, evidence)


def _many(words: str, evidence: Evidence) -> str | None:
    if _UNSEEN.search(words) or not evidence.can_count:
        return None
    name = _noun(words, evidence)
    if name is None:
        return _everything(evidence) if _names_anything(words) else None
    found = _matching(name, evidence)
    if not found:
        return _none(name, evidence)
    shown = _shown(name, found)
    return f"I found {len(found)} {shown if len(found) == 1 else plural(shown)} ({_scores(found)})."


def _reads(words: str, evidence: Evidence) -> str:
    del words
    return f"It says “{quoted(evidence.text)}”." if evidence.text else "I found nothing written in it."


def _where(words: str, evidence: Evidence) -> str | None:
    name = _noun(words, evidence)
    if name is None:
        return None
    found = _matching(name, evidence)
    if not found:
        return _none(name, evidence)
    return f"I found {listing([f'{counted(each.label, 1)} {place(each, evidence)}' for each in found])}."


def _whether(words: str, evidence: Evidence) -> str | None:
    name = _noun(words, evidence)
    if name is None:
        return None
    found = _matching(name, evidence)
    if found:
        return f"Yes, I found {counted(_shown(name, found), len(found))} ({_scores(found)})."
    if evidence.is_named and _is(evidence.name, name, evidence):
        return f"Yes, it looks like {counted(evidence.name, 1)} ({evidence.score:.0%})."
    return f"No, {_none(name, evidence)}"


def _what(words: str, evidence: Evidence) -> str | None:
    wide = next((WIDE[singular(word)] for word in re.findall(r"[a-z]+", words) if singular(word) in WIDE), None)
    name = _noun(words, evidence)
    if wide is not None:
        return _of_kind(wide, evidence)
    if name is not None:
        is_about_it = re.search(
            rf"\b(kinds?|sorts?|types?|breeds?|species) of|\b(what|which) {re.escape(name)}\b", words
        )
        return _closest(name, evidence) if is_about_it else None
    return caption(evidence)


def _of_kind(kind: str, evidence: Evidence) -> str:
    found = [thing for thing in evidence.found if evidence.known.get(canonical(thing.label)) == kind]
    if found:
        names = [counted(label, 1) for label in dict.fromkeys(thing.label for thing in found)]
        return f"It looks like {listing(names)} ({found[0].score:.0%}){_breed(found[0].label, evidence)}."
    if evidence.is_named and evidence.kind == kind:
        return f"It looks like {counted(evidence.name, 1)} ({evidence.score:.0%}){_breed(evidence.name, evidence)}."
    if evidence.kind == kind and is_guess(evidence):
        return f"I am not sure: the nearest guess is {counted(evidence.name, 1)} ({evidence.score:.0%})."
    return f"I found no {kind} in it."


def _breed(name: str, evidence: Evidence) -> str:
    best = evidence.labels[0]
    is_closer = canonical(str(best["group"])) == canonical(name) and str(best["label"]) != name
    return f", most like {counted(str(best['label']), 1)} ({best['score']:.0%})" if is_closer else ""


def _closest(name: str, evidence: Evidence) -> str:
    """Which class of that group comes first: what breed of dog."""
    among = [label for label in evidence.labels if canonical(str(label["group"])) == name]
    if not among:
        return _none(name, evidence)
    shown = [f"{counted(str(label['label']), 1)} ({label['score']:.0%})" for label in among[:3]]
    return f"Most like {shown[0]}" + (f", then {listing(shown[1:])}." if shown[1:] else ".")


def _noun(words: str, evidence: Evidence) -> str | None:
    """The thing that the question names, of those that could have been found."""
    singulars = " " + " ".join(singular(word) for word in re.findall(r"[\w'-]+", words)) + " "
    for name in longest_first({*evidence.known, *WIDE}):
        if f" {name} " in singulars:
            return name
    for word in singulars.split():
        if canonical(word) in evidence.known:
            return canonical(word)
    return None


def _names_anything(words: str) -> bool:
    return any(singular(word) in ANYTHING for word in re.findall(r"[a-z]+", words))


def _is(label: str, name: str, evidence: Evidence) -> bool:
    own = canonical(label)
    return canonical(name) == own or (name in WIDE and evidence.known.get(own) == WIDE[name])


def _matching(name: str, evidence: Evidence) -> list[Found]:
    return [thing for thing in evidence.found if _is(thing.label, name, evidence)]


def _shown(name: str, found: list[Found]) -> str:
    labels = {thing.label for thing in found}
    return labels.pop() if len(labels) == 1 else name


def _scores(found: list[Found]) -> str:
    return f"{found[0].score:.0%}" if len(found) == 1 else f"{found[-1].score:.0%} to {found[0].score:.0%}"


def _none(name: str, evidence: Evidence) -> str:
    others = listing([counted(label, n) for label, n in _counts(evidence).items()])
    return f"I found no {plural(name)} in it" + (f", but {others}." if others else ".")


def _everything(evidence: Evidence) -> str:
    shown = listing([f"{n} {label if n == 1 else plural(label)}" for label, n in _counts(evidence).items()])
    count = len(evidence.found)
    return f"I found {count} {'thing' if count == 1 else 'things'}" + (f": {shown}." if shown else ".")


def _counts(evidence: Evidence) -> dict[str, int]:
    labels = [thing.label for thing in evidence.found]
    return {label: labels.count(label) for label in dict.fromkeys(labels)}
