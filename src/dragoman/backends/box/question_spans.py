"""Which words of a sentence answer a question, by what the question asks and how the sentence is built. Pure Python.

Goes before the patterns of `answer_spans`: reasons, ways, objects of a verb, names of a kind, definitions.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dragoman.backends.box.answer_spans import answer_span
from dragoman.backends.box.texts import word_set

Span = tuple[int, int]
Rule = Callable[[re.Match[str], str], Span | None]

_NAME = r"[A-Z][\w'’-]*(?: (?:(?:of|the|de|da|van|von|&|and) )?[A-Z][\w'’-]*)*"
_DATE = r"(?:\d{1,2} )?(?:[A-Z][a-z]+ )?(?:1\d|20)\d\d"
_STOP = r"(?=,|;|:|\.(?:\s|$)|$| which\b| who\b| that\b| where\b| when\b| while\b| until\b| but\b| because\b)"
_AUX = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|should|will|would|must|may)"
_REASON = re.compile(r"\b(?:because(?: of)?|due to|owing to|since|so that|in order to)\s+(.+?)(?=,|;|\.(?:\s|$)|$)")
_CAUSE = re.compile(rf"\b(?:because of|due to|caused by|died of|of|from)\s+(.+?){_STOP}")
_WAY = re.compile(
    r"\b((?:by|with|through|using|in an?|on an?)\s+(?!\d)[a-z].+?)(?=,|;|\.(?:\s|$)|$| in \d| on \d| and )"
)
_CALLED = re.compile(rf"\b(?:called|named|is|was)\s+({_NAME})")
_PERIOD = re.compile(rf"\b(?:from|between)\s+({_DATE} (?:to|until|and) {_DATE})")
_CLOCKS = re.compile(r"\bfrom\s+([\d:]+ ?(?:[ap]\.?m\.?)?) (?:to|until) ([\d:]+ ?(?:[ap]\.?m\.?)?)")
_LEVELS = re.compile(r"\b(?:in|at|on|near) (the \w+ and \w+ [a-z]+)")
_EARLY_YEAR = re.compile(r"\b(?:in|since|until|about) ([1-9]\d\d)\b(?![.,]?\d| [a-z])")
_BY = re.compile(
    r"\bby (?:the (?:firm|company|\w+ company) )?(?!\w+ing\b)((?:the )?[\w'’&.-]+(?: [\w'’&.-]+){0,4}?)"
    r"(?= (?:in|at|on|from|who|which|to|during|after|before|for|of|and the)\b|[,;]|\.(?:\s|$)|$)"
)
_COUNT = re.compile(
    r"\b(?:\d[\d,.]*\d|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|a dozen)"
    r"(?: (?:hundred|thousand|million|billion))?\b"
)
_LEAD = re.compile(r"(?:In|On|At|By|From|After|During|Since)\b")
_AGE = re.compile(r"\b(?:aged?|at the age of)\s+(\d+)|(?<![\d,.])([\d,]+)(?: |-)years?(?: |-)old")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_NUMBER = re.compile(r"\+?\d[\d ()/-]{5,}\d")
_KEY_VALUE = re.compile(r"\s*([^:.]{2,40}):\s+(\S.*?)\s*", re.DOTALL)
_IRREGULAR = {
    "built": "build", "grown": "grow", "grew": "grow", "sold": "sell", "won": "win", "found": "find", "made": "make",
    "met": "meet", "wrote": "write", "written": "write", "began": "begin", "took": "take", "taken": "take",
    "went": "go", "gone": "go", "ran": "run", "kept": "keep", "held": "hold", "left": "leave", "led": "lead",
    "became": "become", "came": "come", "ate": "eat", "eaten": "eat", "gave": "give", "given": "give", "saw": "see",
    "seen": "see", "said": "say", "sang": "sing", "sung": "sing", "paid": "pay", "bought": "buy", "brought": "bring",
    "fell": "fall", "known": "know", "knew": "know", "died": "die", "dying": "die",
    "men": "man", "women": "woman", "children": "child",
}  # fmt: skip
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("er", ""), ("e", ""))
SMALL = word_set(
    """a an the this that it its he she they we you i his her their of in on at by for from with to as is are was were
    be been do does did has have had will would can could should must may and or not who whom whose what which when
    where why how much many there if any me most more first"""
)


def span_of(question: str, sentence: str) -> Span | None:
    """Where the short answer stands in `sentence`, or None where no rule tells."""
    asked = " ".join(question.strip().rstrip("?.! ").split())
    for pattern, rule in _RULES:
        match = pattern.search(asked)
        if match is None:
            continue
        span = rule(match, sentence)
        if span and sentence[slice(*span)].lower() not in asked.lower():
            return span
    return answer_span(question, sentence)


def lemma(word: str) -> str:
    """`word` in about its plain form: `married` and `marry`, `grown` and `grow`, `countries` and `country`."""
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    for ending, instead in (
        ("ies", "y"),
        ("ied", "y"),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
        ("er", ""),
        ("e", ""),
    ):
        if low.endswith(ending) and len(low) - len(ending) >= 3 and not low.endswith("ss"):
            base = low[: -len(ending)] + instead
            return base[:-1] if base[-1:] == base[-2:-1] and ending in ("ing", "ed", "er") else base
    return low


def lemmas(text: str) -> list[str]:
    """The words of `text` that say something, in about their plain forms; names stay: `Chrysler Building`."""
    return [
        lemma(match[0]) if match.start() == 0 or match[0].islower() else match[0].lower()
        for match in re.finditer(r"[^\W_]+", text)
        if match[0].lower() not in SMALL
    ]


def key_value(line: str) -> tuple[str, Span] | None:
    """Of a line such as `Office hours: Mondays`, the key and where the value stands."""
    match = _KEY_VALUE.fullmatch(line)
    return (match[1], match.span(2)) if match else None


def _group(found: re.Match[str] | None) -> Span | None:
    return found.span(found.lastindex or 0) if found else None


def _after_verb(verb: str, sentence: str, *, preposition: str = "") -> Span | None:
    """What follows the verb, in whatever form it stands: `built small mobile X-ray units`."""
    for word in re.finditer(r"[^\W_]+", sentence):
        if lemma(word[0]) == lemma(verb):
            form = re.compile(rf"\s+(?:{preposition}\s+)?(.+?){_STOP}" if preposition else rf"\s+(.+?){_STOP}")
            return _group(form.match(sentence, word.end()))
    return None


def _object(asked: re.Match[str], sentence: str) -> Span | None:
    return _after_verb(asked["verb"], sentence)


def _with_preposition(asked: re.Match[str], sentence: str) -> Span | None:
    preposition = asked["prep"]
    near = _after_verb(asked["verb"], sentence, preposition=preposition)
    if near and re.search(rf"\b{preposition}\s+$", sentence[: near[0]]):
        return near
    if lemma(asked["verb"]) == "die":
        return _group(_CAUSE.search(sentence))
    return _group(re.search(rf"\b{preposition}\s+(.+?){_STOP}", sentence))


def _who_did(asked: re.Match[str], sentence: str) -> Span | None:
    """`Who opened it?`: the name before the verb, or `it was opened by Arab traders`."""
    for word in re.finditer(r"[^\W_]+", sentence):
        subject = re.search(rf"({_NAME})(?: has| had| have)? $", sentence[: word.start()])
        if lemma(word[0]) == lemma(asked["verb"]) and subject and subject[1].lower() not in asked.string.lower():
            return subject.span(1)
    return _group(_BY.search(sentence))


def _whom(asked: re.Match[str], sentence: str) -> Span | None:
    """`Who did she marry?`: the name before `whom she married`, or behind the verb."""
    return _group(re.search(rf"({_NAME}),? whom\b", sentence)) or _after_verb(asked["verb"], sentence)


def _of_kind(asked: re.Match[str], sentence: str) -> Span | None:
    """`Which ocean`: a name that holds or stands beside the word; else what comes before or behind the verb."""
    kind = lemma(asked["kind"])
    beside = [m for m in re.finditer(rf"\b(\w+) ({_NAME})", sentence) if lemma(m[1]) == kind]
    if beside and beside[0][2].lower() not in asked.string.lower():
        return beside[0].span(2)
    only = re.match(
        rf"\s*(?:An? |The )?([\w'’ -]+?) (?:is|are|was|were) (?:the|an?)\b[^.]*\b{re.escape(asked['kind'])}", sentence
    )
    if only:
        return only.span(1)
    names = [m for m in re.finditer(_NAME, sentence) if m[0].lower() not in SMALL]
    names = [m for m in names if m[0].lower() not in asked.string.lower() and not _LEAD.match(m[0])]
    holding = [m for m in names if kind in {lemma(word) for word in m[0].split()}]
    if holding:
        return holding[0].span()
    listed = re.search(r"\bwhich (?:they|he|she|it|we) called (.+?)(?=[.,;]|$)", sentence)
    if listed:
        return listed.span(1)
    if names:
        places = [m.start() for m in re.finditer(r"[^\W_]+", sentence) if lemma(m[0]) in lemmas(asked.string)]
        return min(names, key=lambda m: min((abs(m.start() - place) for place in places), default=0)).span()
    return _group(re.match(r"\s*(?:The |An? )?([A-Z]\w+(?: \w+)??) (?:is|are|was|were|has|have|had|\w+s)\b", sentence))


def _counted(asked: re.Match[str], sentence: str) -> Span | None:
    """The number that stands before the thing counted."""
    thing = lemma(asked["thing"])
    for number in _COUNT.finditer(sentence):
        behind = [lemma(word) for word in re.findall(r"[^\W_]+", sentence[number.end() :])[:3]]
        if thing in behind:
            return number.span()
    return None


def _definition(asked: re.Match[str], sentence: str) -> Span | None:
    """What stands behind `is` where the thing stands before it: `its capital is Reykjavík`."""
    thing = re.escape(asked["thing"])
    end = r"(?=, (?:where|which|who|and)\b|\.(?:\s|$)|;|$)"
    return _group(re.search(rf"\b{thing}\b[^.;:]*?\b(?:is|was|are|were)\s+(?:to )?(.+?){end}", sentence, re.IGNORECASE))


def _when(asked: re.Match[str], sentence: str) -> Span | None:
    """A period; a year of three digits, which is no date by itself."""
    is_lasting = re.search(r"\b(built|made|constructed|last|held|live|reign)", asked.string)
    return _group((is_lasting and _PERIOD.search(sentence)) or _EARLY_YEAR.search(sentence))


def _until(asked: re.Match[str], sentence: str) -> Span | None:
    del asked
    found = _CLOCKS.search(sentence)
    return found.span(2) if found else None


def _manner(asked: re.Match[str], sentence: str) -> Span | None:
    del asked
    modal = re.search(r"\b(?:should|must|can|may) be\s+(.+?)(?=;|\.(?:\s|$)|$)", sentence)
    return _group(modal) or _group(_WAY.search(sentence)) or _group(re.search(r"\b(\w{4,}ly)\b", sentence))


def _found_by(pattern: re.Pattern[str]) -> Rule:
    def rule(asked: re.Match[str], sentence: str) -> Span | None:
        del asked
        return _group(pattern.search(sentence))

    return rule


def _rule(question: str, rule: Rule) -> tuple[re.Pattern[str], Rule]:
    return re.compile(question, re.IGNORECASE), rule


_RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    _rule(r"^where\b", _found_by(_LEVELS)),
    _rule(r"^why\b|\bfor what reason\b", _found_by(_REASON)),
    _rule(r"\be-?mail\b", _found_by(_EMAIL)),
    _rule(r"\b(phone|telephone|emergency) ?(number)?\b|\bnumber\b.*\bcall\b", _found_by(_NUMBER)),
    _rule(r"\b(come|comes|back|end|ends|until|close|closes|over)\b", _until),
    _rule(r"^(when|what year|in (what|which) years?)\b", _when),
    _rule(r"\bhow old\b|\bat what age\b", _found_by(_AGE)),
    _rule(r"\bhow many (?:\w+ )*?(?P<thing>[a-z]+)\b", _counted),
    _rule(r"\b(what|who)\b.*\bname\b|\bwhat (is|was)\b.*\bcalled\b", _found_by(_CALLED)),
    _rule(rf"^who(m)? {_AUX} (?:\w+ )+?(?P<verb>\w+)$", _whom),
    _rule(r"^(?:by )?whom? (?!is\b|was\b|are\b|were\b)(?P<verb>\w+)", _who_did),
    _rule(rf"^(to |from |into |in |on )?(which|what) (?P<kind>(?!{_AUX}\b)[a-z]+)\b", _of_kind),
    _rule(rf"^what {_AUX} .*\b(?P<verb>\w+) (?P<prep>after|from|of|for|with|by|to|into|in|on)$", _with_preposition),
    _rule(
        r"^what (?:do|does|did|has|had|can|will) (?:\w+ )+?(?P<verb>\w+)(?: (?:in|on|at|during|for|with|to) .*)?$",
        _object,
    ),
    _rule(r"^how (?:do|does|did|can|could|should|must|is|are|was|were) ", _manner),
    _rule(r"^(?:what|who) (?:is|was|are|were) (?:an? |the )?(?P<thing>[\w -]+?)(?: (?:of|in|for)\b.*)?$", _definition),
)
