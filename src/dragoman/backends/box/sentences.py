"""Where sentences end, by rule: no model, any language that marks the end of a sentence."""

from __future__ import annotations

import itertools
import re

from dragoman.backends.box.texts import word_set

Span = tuple[int, int]

# Never the end: a name or an example follows.
OPENERS = word_set("mr mrs ms mx dr prof e.g i.e vs v cf approx sr sra srta dra exmo herrn z.b d.h u.a bzw vgl")
# Not the end if a number follows.
COUNTERS = word_set("no nos nr núm nº fig figs eq p pp pág vol ch sec art ed eds ca str")
# The end only if a new sentence clearly starts behind them.
CLOSERS = word_set(
    """inc ltd co corp llc plc jr esq etc usw u.s u.k u.n e.u a.m p.m ph.d m.d b.c a.d d.c al ave blvd rd dept est st mt
    ft sen rep gov gen col capt lt sgt rev hon messrs jan feb mar apr jun jul aug sept sep oct nov dec fr hr mme mlle"""
)
STARTERS = word_set(
    """the a an this that these those it its he she they we you i his her their our my in on at by for from with to as
    if when while after before since because but and or so yet however although there here what who why how where which
    no yes not then now today yesterday o os um uma ele ela eles isso este esta mas e na der die das er sie es wir
    ein eine el la los las un una pero le les des il elle nous"""
)
LINKING = word_set(
    "of the to and or a an in on at with for by from as de da do e o em para von der die das und la el le"
)
GERMAN_MONTHS = word_set("januar februar märz april mai juni juli august september oktober november dezember")

_END = re.compile(r"""(?P<wide>[。！？｡؟۔।]+[」』”’）】》"')\]]*)|(?P<mark>[.!?…]+)(?P<close>["'”’»)\]]*)(?=\s|$)""")
_NEXT_WORD = re.compile(r"[\w]+(?:['’.]\w+)*")
_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
_LIST_ITEM = re.compile(r"\s*(?:[-*•–·]|\(?\d{1,3}[.)]|[a-z]\))\s+\S")
LOOK_AHEAD = 100
NARROW_CHARS = 40  # nobody wraps prose to lines as short as that; signs, lists and headings are
SHORT_LINE = 0.6  # of the longest line of its paragraph: where a wrapped paragraph ends


def split(text: str) -> list[str]:
    """The sentences of `text`, word for word, in order, without the white space around them."""
    return [text[start:end] for start, end in spans(text)]


def spans(text: str) -> list[Span]:
    """Where the sentences of `text` start and end. Between two of them stands nothing but white space."""
    is_lower = not any(char.isupper() for char in text)
    found = [span for block in _blocks(text) for span in _in_block(text, block, is_lower=is_lower)]
    return [trimmed for span in found if (trimmed := _trim(text, span)) is not None]


def _blocks(text: str) -> list[Span]:
    """Paragraphs, list items, and lines that stand alone, such as headings."""
    cuts = [0]
    for match in _BREAK.finditer(text):
        cuts += _line_cuts(text, cuts[-1], match.start())
        cuts.append(match.end())
    cuts += _line_cuts(text, cuts[-1], len(text))
    return list(itertools.pairwise([*cuts, len(text)]))


def _line_cuts(text: str, start: int, end: int) -> list[int]:
    """Inside one paragraph, the starts of lines that begin something new."""
    lines = text[start:end].split("\n")
    width = max(NARROW_CHARS, SHORT_LINE * max(len(line) for line in lines))
    cuts: list[int] = []
    at = start
    for line, following in itertools.pairwise(lines):
        at += len(line) + 1
        if _LIST_ITEM.match(following) or (len(line) < width and not _runs_on(line, following)):
            cuts.append(at)
    return cuts


def _runs_on(line: str, following: str) -> bool:
    """Whether a sentence clearly goes on behind the end of `line`."""
    last = line.rsplit(None, 1)[-1:] or [""]
    return following.lstrip()[:1].islower() or last[0].lower() in LINKING or last[0].endswith((",", "-", "–", "—"))


def _in_block(text: str, block: Span, *, is_lower: bool) -> list[Span]:
    start, end = block
    found: list[Span] = []
    for match in _END.finditer(text, start, end):
        behind = text[match.end() : min(end, match.end() + LOOK_AHEAD)].lstrip()
        if match["wide"] or _ends(text[start : match.start()], match, behind=behind, is_lower=is_lower):
            found.append((start, match.end()))
            start = match.end()
    return [*found, (start, end)]


def _ends(sentence: str, match: re.Match[str], *, behind: str, is_lower: bool) -> bool:
    """Whether the mark at `match` ends the `sentence` in front of it, seeing what stands `behind`."""
    following = _NEXT_WORD.search(behind)
    if following is None:
        return True
    continues = following[0][0].islower() and not is_lower
    if match["mark"] != ".":
        is_question = match["mark"][-1] in "!?"
        return not continues or (is_question and not match["close"])
    word = _last_word(sentence)
    if continues or word.lower() in OPENERS:
        return False
    return not _may_go_on(word, following[0], is_first=sentence.strip() == word)


def _may_go_on(word: str, following: str, *, is_first: bool) -> bool:
    """Whether a full stop behind `word` is likely a short form's or a number's, seeing what follows."""
    lower = word.lower()
    if word.isdigit():
        return is_first or (len(word) <= 2 and following.lower() in GERMAN_MONTHS)
    if lower in COUNTERS:
        return following[0].isdigit()
    is_short_form = lower in CLOSERS or (len(word) == 1 and word.isalpha()) or "." in word
    return is_short_form and following.lower() not in STARTERS


def _last_word(sentence: str) -> str:
    """The word at the end, inner full stops included (`e.g`, `U.S`)."""
    at = len(sentence)
    while at and (sentence[at - 1].isalnum() or (sentence[at - 1] == "." and at < len(sentence))):
        at -= 1
    return sentence[at:].lstrip(".")


def _trim(text: str, span: Span) -> Span | None:
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
