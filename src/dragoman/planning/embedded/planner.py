"""The embedded planner on one screen: mask, read, find, build, or refuse."""

from __future__ import annotations

from dragoman.planning.embedded.builder import Builder
from dragoman.planning.embedded.clauses import Clause, clauses
from dragoman.planning.embedded.cues import hits
from dragoman.planning.embedded.findings import Finding, chosen
from dragoman.planning.embedded.masks import Mask, masks
from dragoman.planning.embedded.order import ordered
from dragoman.planning.embedded.refusal import lacking, missing_file, not_understood
from dragoman.planning.embedded.smalltalk import reply_to
from dragoman.planning.embedded.words import language_of, tokens
from dragoman.planning.embedded.world import World
from dragoman.tasks import SPECS
from dragoman.values import Kind, Planned, Request


def plan(request: Request) -> Planned:
    """The plan of a request by rules alone: nothing is fetched, no model is asked, and it takes milliseconds.

    An empty plan with a `reply` is small talk; with a `fault`, what can't be planned and what would help.
    """
    names = [r.name for r in request.ledger()]
    masked = masks(request.words, names)
    language = language_of(request.words, masked)
    found = tokens(request.words, masked, language)
    world = World.of(request)
    reply = reply_to(found, language, request)
    if reply is not None:
        return Planned(reply=reply)
    absent = [mask for mask in masked if mask.kind == "file" and world.named(mask.value) is None]
    if absent:
        return Planned(fault=missing_file(absent[0].value, names), confidence=0.0)
    return _planned(request, ordered(clauses(found, request.words)), world=world, language=language, masked=masked)


def _planned(request: Request, read: list[Clause], *, world: World, language: str, masked: list[Mask]) -> Planned:
    findings, _unread = _findings(read, world, language)
    builder = Builder(words=request.words, world=world, language=language, pending=findings)
    made = builder.plan()
    if made.tasks:
        return Planned(plan=made, notes=tuple(builder.notes))
    if builder.lacks:
        return Planned(fault=lacking(builder.lacks[0], request), confidence=0.0)
    return Planned(fault=not_understood(request.words), confidence=0.0)


def _findings(read: list[Clause], world: World, language: str) -> tuple[list[Finding], list[Clause]]:
    """What the clauses ask for, and the clauses that ask for nothing known."""
    languages = [language, "en"] if language != "en" else ["en"]
    found: list[Finding] = []
    unread: list[Clause] = []
    for clause in read:
        made: set[Kind] = {output.kind for f in found for output in SPECS[f.task].outputs}
        here = chosen(hits(clause.tokens, languages), clause, world, made)
        found += here
        if not here:
            unread.append(clause)
    return found, unread
