"""The embedded planner on one screen: mask, read, find, build, or refuse."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from dragoman.planning.embedded.again import repeated
from dragoman.planning.embedded.builder import Builder, Lack
from dragoman.planning.embedded.clauses import Clause, clauses
from dragoman.planning.embedded.contents import MOST_PLANNED_CHARS, long_masks, with_content
from dragoman.planning.embedded.cues import hits, languages_for
from dragoman.planning.embedded.fits import content_slots
from dragoman.planning.embedded.marks import marked
from dragoman.planning.embedded.masks import masks
from dragoman.planning.embedded.order import ordered
from dragoman.planning.embedded.reading import Reading, read
from dragoman.planning.embedded.refusal import lacking, missing_file, not_understood, note_on
from dragoman.planning.embedded.smalltalk import reply_to, reply_to_unread
from dragoman.planning.embedded.words import Token, language_of, tokens
from dragoman.planning.embedded.world import World
from dragoman.tasks import SPECS
from dragoman.values import Planned, Request

_Item = TypeVar("_Item", Token, Clause)
_LEAST_CONFIDENCE = 0.35
_SURE, _TALK = 0.9, 0.5
_MOST_TOKENS, _MOST_CLAUSES = 600, 40


def plan(request: Request) -> Planned:
    """The plan of a request by rules alone: nothing is fetched, no model is asked, and it takes milliseconds.

    An empty plan with a `reply` is small talk; with a `fault`, what can't be planned and what would help. Misspelt
    words are mended only where the words as they stand don't say enough.
    """
    names = [resource.name for resource in request.ledger()]
    if len(request.words) > MOST_PLANNED_CHARS:
        masked = long_masks(request.words, names, partial(_asks, language="en"))
        language = language_of(request.words, masked)
    else:
        masked = masks(request.words, names)
        language = language_of(request.words, masked)
        masked = with_content(request.words, masked, partial(_asks, language=language))
    found = _read(request, marked(tokens(request.words, masked, language)), language)
    mended = marked(tokens(request.words, masked, language, mends=True))
    if (found.reply is None or found.confidence < _SURE) and any(token.has("%guess") for token in mended):
        found = _better(_read(request, mended, language), found)
    return found


def _better(mended: Planned, found: Planned) -> Planned:
    """The reading with misspelt words mended, where that one is surer or fills more arguments of the same tasks."""
    if found.confidence >= _SURE:
        return mended if _says_more(mended, found) else found
    return mended if (mended.confidence, bool(mended.reply)) > (found.confidence, bool(found.reply)) else found


def _says_more(mended: Planned, found: Planned) -> bool:
    """Whether mending misspelt words leaves the tasks as they are and fills more of their arguments."""
    tasks = [[task.task for task in planned.plan.tasks] for planned in (mended, found)]
    filled = [sum(len(task.args) for task in planned.plan.tasks) for planned in (mended, found)]
    return tasks[0] == tasks[1] and filled[0] > filled[1]


def _ends(items: list[_Item], most: int) -> list[_Item]:
    """The items, or of too many the first three quarters of `most` and the last quarter."""
    return items if len(items) <= most else [*items[: most * 3 // 4], *items[-most // 4 :]]


def _read(request: Request, found: list[Token], language: str) -> Planned:
    world = World.of(request)
    world.meet(found)
    cut = ordered(_ends(clauses(_ends(found, _MOST_TOKENS), request.words), _MOST_CLAUSES))
    reply = reply_to(cut, language, request)
    if reply is not None:
        return Planned(reply=reply)
    absent = [
        t
        for c in cut
        for t in c.tokens
        if t.kind in ("file", "url") and world.named(t.text) is None and not c.is_saving(t)
    ]
    if absent:
        return Planned(fault=missing_file(absent[0].text, [r.name for r in request.ledger()]), confidence=0.0)
    return _planned(request, read(cut, world, language), world=world, language=language)


def _planned(request: Request, reading: Reading, *, world: World, language: str) -> Planned:
    if not reading.findings and (again := repeated(reading.clauses, request)) is not None:
        return Planned(plan=again, confidence=0.8, notes=("the tasks of the turn before, on what came now",))
    if not reading.findings and not request.resources and (reply := reply_to_unread(reading.clauses, language)):
        return Planned(reply=reply, confidence=_TALK)
    if reading.impossible is not None:
        wanted = content_slots(SPECS[reading.impossible])[0][0]
        return Planned(fault=lacking(Lack(task=reading.impossible, wants=wanted), request), confidence=0.0)
    builder = Builder(
        words=request.words, world=world, language=language, findings=reading.findings, clauses=reading.clauses
    )
    made = builder.plan()
    notes = [*builder.notes, *(note_on(clause, request.words) for clause in reading.unread)]
    confidence = reading.confidence * (0.9 if builder.notes or builder.lacks else 1.0)
    if made.tasks and confidence >= _LEAST_CONFIDENCE:
        notes += [lacking(lack, request).says for lack in builder.lacks]
        return Planned(plan=made, notes=tuple(dict.fromkeys(notes)), confidence=round(confidence, 3))
    if (
        builder.lacks
        and not made.tasks
        and not request.resources
        and (reply := reply_to_unread(reading.clauses, language))
    ):
        return Planned(reply=reply)
    if builder.lacks and not made.tasks:
        return Planned(fault=lacking(builder.lacks[0], request), confidence=0.0)
    return Planned(fault=not_understood(request.words), confidence=0.0)


def _asks(words: str, *, language: str) -> tuple[bool, bool]:
    """Whether a stretch of words asks for a task over text, and whether it asks for anything."""
    found = marked(tokens(words[-300:], masks(words[-300:]), language))
    cues = [
        hit
        for clause in clauses(found, words[-300:])
        for hit in hits(clause.tokens, languages_for(language))
        if hit.score >= 0.9 and hit.task in SPECS
    ]
    is_over_text = any(all(kinds == ("text",) for kinds in content_slots(SPECS[hit.task])) for hit in cues)
    names_other = any(
        t.has("%file", "%url") or (t.has("#image", "#audio", "#video") and not t.has("#text")) for t in found
    )
    return is_over_text and not names_other, bool(cues)
