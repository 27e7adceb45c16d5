"""The request cut into clauses: the mood of each, what it negates, where it says it comes in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dragoman.planning.embedded.marks import with_lists
from dragoman.planning.embedded.moods import Mood, mood_of
from dragoman.planning.embedded.words import Token

Order = Literal["", "first", "before_that", "before", "after"]

_ENDS = frozenset(".!?;。！？；…\n")
_ARROWS = frozenset(("->", "→", "=>", "⇒"))
_MOST_TOKENS = 120
_PAUSES = frozenset((",", "，", "、", ":", "：", "—", "–", "-", "(", ")"))
_OBJECT = ("%things", "%file", "%quote", "%url", "@it", "@them")
# What may stand between a conjunction and the verb that it adds.
_FILLERS = (
    "@and",
    "@then",
    "@polite",
    "@but",
    "@only",
    "@finally",
    "@first",
    "@first_of_all",
    "@last",
    "@also",
    ",",
    "，",
    "、",
    "@you",
)
_KNOWING = ("@know", "@mind")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A run of tokens with one predicate.

    sentence: the number of the one that it belongs to. negated: positions in the scope of a negation. is_asked: the
    sentence ends in a question mark. is_alone: the sentence has no other clause.
    """

    tokens: tuple[Token, ...]
    sentence: int
    mood: Mood = "request"
    order: Order = ""
    negated: frozenset[int] = frozenset()
    is_asked: bool = False
    is_alone: bool = False

    @property
    def start(self) -> int:
        """Where it begins in the request's words."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where it ends in the request's words."""
        return self.tokens[-1].end

    def is_saving(self, token: Token) -> bool:
        """Whether the file is where a result is to go and not what is handed over: `save it as out.wav`."""
        at = self.tokens.index(token)
        return (
            any(t.has("@save") for t in self.tokens[:at])
            and at > 0
            and self.tokens[at - 1].has("@into", "@as", "@called")
        )

    def has(self, *symbols: str) -> bool:
        """Whether any of its tokens stands for any of these."""
        return any(token.has(*symbols) for token in self.tokens)


def clauses(found: Sequence[Token], words: str) -> list[Clause]:
    """The clauses of the request in the order of its words."""
    made: list[Clause] = []
    for number, (sentence, is_asked) in enumerate(_sentences(found, words)):
        runs = [run for run in _runs(sentence) if run]
        for run in runs:
            before = made[-1] if made and made[-1].sentence == number else None
            mood = mood_of(run, is_asked=is_asked, after=before.mood if before else None)
            made.append(
                Clause(
                    tokens=with_lists(run),
                    sentence=number,
                    mood=mood,
                    order=_order(run),
                    negated=_negated(run),
                    is_asked=is_asked,
                    is_alone=len(runs) == 1,
                )
            )
    return made


def _sentences(found: Sequence[Token], words: str) -> Iterator[tuple[list[Token], bool]]:
    """Each sentence's tokens, and whether it ends in a question mark."""
    run: list[Token] = []
    inside = 0
    for at, token in enumerate(found):
        following = found[at + 1] if at + 1 < len(found) else None
        gap = words[token.end : following.start] if following else "\n"
        inside = max(inside, at + max(token.reach.values(), default=1))
        is_end = token.kind == "mark" and token.low in _ENDS and (gap or token.low not in ".")
        if is_end and at + 1 >= inside:
            if run:
                yield run, token.low in "?？"
            run = []
            continue
        run.append(token)
        if (
            token.kind == "quote"
            and token.text.endswith((".", "!", "?"))
            and following
            and following.text[:1].isupper()
        ):
            yield run, False
            run = []
        if "\n" in gap and run:
            yield run, False
            run = []


def _runs(sentence: list[Token]) -> Iterator[list[Token]]:
    """The sentence cut before each further predicate, never inside a known phrase."""
    run: list[Token] = []
    free_from = 0
    for at, token in enumerate(sentence):
        if len(run) >= _MOST_TOKENS or (run and at >= free_from and _opens(sentence, at, run)):
            yield _trimmed(run)
            run = []
        free_from = max(free_from, at + max(token.reach.values(), default=1))
        run.append(token)
    if _trimmed(run):
        yield _trimmed(run)


def _trimmed(run: list[Token]) -> list[Token]:
    """The run without pauses and bare conjunctions at its edges."""
    start, end = 0, len(run)
    while start < end and (run[start].low in _PAUSES or run[start].has("@and")):
        start += 1
    while end > start and (run[end - 1].low in _PAUSES or run[end - 1].has("@and")):
        end -= 1
    return run[start:end]


def _opens(sentence: list[Token], at: int, run: list[Token]) -> bool:
    """Whether a new clause begins at `at`, `run` being what the present one holds so far."""
    token, before = sentence[at], sentence[at - 1]
    if not _trimmed(run) or _is_fronted(run) or _opens_list(run):
        return False
    if token.low in _ARROWS:
        return True
    if before.low in (":", "：", "—", "–"):
        return token.kind not in ("quote", "file", "url")
    if token.low in (":", "：", "—", "–"):
        return False
    if token.has("@but") or (token.has("@before", "@after") and _is_subordinate(sentence, at)):
        return True
    if token.has("@not") and not before.has("@aux", "@wh", "@be", "@i", "@you", "@or"):
        return True
    if not (token.has("@and", "@then") or token.low in _PAUSES):
        return False
    if run[-1].has("@wh"):
        return False
    if token.has("@then") and before.low in _PAUSES and not any(t.has("%verb", "@be", "@wh") for t in sentence):
        return True
    follows = _after_fillers(sentence, at)
    if (
        follows is not None
        and sentence[follows].has("@be")
        and run[0].has("@wh")
        and not any(t.has("@be", "@aux") for t in run)
    ):
        return False
    return follows is not None and _is_predicate(sentence, follows) and _has_predicate(run)


def _is_fronted(run: Sequence[Token]) -> bool:
    """Whether the run is only a phrase put in front: `of these photos, …`, `along the edges of e.jpg, …`."""
    first = next((t for t in run if not t.has("@and", "@then", "@polite") or t.has("@to")), run[0])
    is_preposition = (
        first.has("@of", "@from", "@with", "@along", "@to", "@in")
        and not first.has("@wh", "@be", "@after", "@before")
        and (first.has("@along") or not first.has("%actions"))
    )
    return is_preposition and not any(t.has("%verb", "@be", "@aux") and t is not first for t in run) and len(run) <= 10


def _opens_list(run: Sequence[Token]) -> bool:
    """Whether the run ends in what opens a list of classes: `one of:`, `these classes:`."""
    last = [t for t in run if t.kind != "mark"][-1:]
    is_open = bool(last) and run[-1].low in (":", "：")
    return (
        is_open
        and any(t.has("@classify", "@choose", "@classes") for t in run)
        and (last[0].has("@classes", "of", "@as") or run[0].has("@choose", "@classify"))
    )


def _after_fillers(sentence: list[Token], at: int) -> int | None:
    while at < len(sentence) and (sentence[at].low in _PAUSES or sentence[at].has(*_FILLERS)):
        if sentence[at].has("%verb"):
            break
        at += max(sentence[at].reach.values(), default=1)
    return at if at < len(sentence) else None


def _is_predicate(sentence: list[Token], at: int) -> bool:
    """Whether an imperative, a question or a wish begins here."""
    token = sentence[at]
    if token.has("@wh", "@not", "@want", "@aux", "@before", "@after"):
        return True
    if token.has("@i") and at + 1 < len(sentence):
        return True
    return _is_verb(sentence, at)


def _is_verb(sentence: list[Token], at: int) -> bool:
    token = sentence[at]
    if not token.has("%verb"):
        return False
    if not token.has("%things", "%adjectives"):
        return True
    if token.has("%adjectives") and not token.has("%things"):
        return at + 1 == len(sentence) or not sentence[at + 1].has("%things")
    if [t.low for t in sentence[at + 1 : at + 2]] == ["that"] and not any(
        t.has("%things", "%file", "%quote") for t in sentence[at + 2 : at + 3]
    ):
        return False  # `every person and place that comes up`
    return at + 1 < len(sentence) and sentence[at + 1].has(
        "@i", "@det", "@it", "@them", "@its", "%file", "%quote", "@all", "@wh"
    )


def _has_predicate(run: Sequence[Token]) -> bool:
    """Whether the run holds an object or is long enough to stand by itself."""
    return any(token.has(*_OBJECT) for token in run) or sum(token.kind == "word" for token in run) >= 4


def _is_subordinate(sentence: list[Token], at: int) -> bool:
    """Whether `before`, `after`, `once` here begins a clause of its own and is not part of `before that`."""
    nexts = sentence[at + 1 : at + 3]
    return any(t.has("@you", "@i", "%actions", "@it", "%things", "@that") or t.low.endswith("ing") for t in nexts)


def _order(run: Sequence[Token]) -> Order:
    if len(run) > 2 and run[-1].low in ("first", "beforehand") and not run[-2].has("@det"):
        return "first"
    for token in run[:3]:
        if token.has("@first_of_all"):
            return "before_that" if token.has("before_that") or token.low == "before" else "first"
        if token.has("@first") and token.low == "first" and not _is_ordinal(run, token):
            return "first"
        if token.has("@before"):
            return "before"
        if token.has("@after"):
            follows = run[list(run).index(token) + 1 :][:1]
            return "" if follows and follows[0].has("%verb") else "after"
        if not token.has("@and", "@but", "@then", "@polite", "@please", "@only"):
            break
    return ""


def _is_ordinal(run: Sequence[Token], token: Token) -> bool:
    """Whether `first` counts a thing: `the first picture`, `the first one`."""
    at = run.index(token)
    return at + 1 < len(run) and run[at + 1].has("%things", "one", "@it")


def _negated(run: Sequence[Token]) -> frozenset[int]:
    """The positions after a negation, up to a contrast."""
    scope: set[int] = set()
    for at, token in enumerate(run):
        if token.has("@not") and not (at + 1 < len(run) and run[at + 1].has(*_KNOWING, "@only")):
            for place in range(at + token.reach.get("@not", 1), len(run)):
                if run[place].has("@but", "@only"):
                    break
                scope.add(place)
    return frozenset(scope)
