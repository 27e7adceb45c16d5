"""Which of a clause's cues become tasks: types decide between readings, stronger cues beat those that overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import Hit
from dragoman.planning.embedded.world import BRIDGES, World
from dragoman.planning.embedded.words import Token
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import KINDS, Kind

_MAPS = ("canny", "hed", "mlsd", "normal", "openpose", "depth", "seg", "scribble")
_ENOUGH = 0.95
_LEAST = 0.6
_WEAK = 0.7
# Verbs that say nothing by themselves: one of them may ask for several things.
# Steps that a clause adds without a conjunction: `… aloud`, `… in French`.
_PRODUCTS_TOLD = frozenset(("summarization", "translation"))
_STEPS = frozenset(("text-to-speech", "translation"))
_SHARED = ("@give", "@want", "@find", "@make", "@extract", "@i", "@you", "@polite", "@of", "@to")
_GENERATES = frozenset(("text-to-image", "text-to-video", "text-generation"))
_COERCED = {("video", "audio"), ("video", "image"), ("document", "text"), ("data", "text")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One task that the request asks for, found in `clause`."""

    task: str
    clause: Clause
    score: float
    covers: tuple[int, ...] = ()

    @property
    def at(self) -> int:
        """Where its cue begins in the clause."""
        return self.covers[0] if self.covers else 0


def object_of(tokens: Sequence[Token], verb: int) -> tuple[int, int]:
    """Where the object of the verb at `verb` stands: up to a preposition that leads away from it, a pause or the end."""
    start = verb + max(tokens[verb].reach.values(), default=1)
    while start < len(tokens) and tokens[start].has("@i", "@polite", "@please", "@det"):
        start += 1
    end = start
    while end < len(tokens) and not (
        tokens[end].has("@of", "@along", "@to", "@that", "@and", "@with", "@from") or tokens[end].kind == "mark"
    ):
        end += 1
    return start, end


def content_slots(spec: TaskSpec) -> tuple[tuple[Kind, ...], ...]:
    """The kinds of each slot that a task works on: required ones, without the question that the words themselves are."""
    return tuple(slot.kinds for slot in spec.slots if slot.is_required and "question" not in slot.says)


def level(spec: TaskSpec, kinds: set[Kind]) -> float:
    """How well things of these kinds serve the task: 1 directly, 0.7 as they can be read, 0.2 by a helper, -1 not at all."""
    levels: list[float] = []
    for wanted in content_slots(spec):
        if kinds & set(wanted):
            levels.append(1.0)
        elif any((have, want) in _COERCED for have in kinds for want in wanted):
            levels.append(0.7)
        elif any((have, want) in BRIDGES for have in kinds for want in wanted):
            levels.append(0.2)
        else:
            levels.append(-1.0)
    return min(levels, default=0.0)


def mentioned_kinds(clause: Clause, world: World) -> tuple[set[Kind], set[Kind]]:
    """The kinds of the files that the clause names, and of its nouns."""
    files: set[Kind] = set()
    nouns: set[Kind] = set()
    for token in clause.tokens:
        if token.kind in ("file", "url"):
            entity = world.named(token.text)
            files |= {entity.kinds[0]} if entity else ({token.file_kind} if token.file_kind else set[Kind]())
        elif token.kind == "quote":
            nouns.add("text")
        elif token.has("%things"):
            nouns |= {cast("Kind", s[1:]) for s in token.symbols if s[0] == "#" and s[1:] in KINDS}
    return files, nouns


def fitted(hit: Hit, clause: Clause, world: World, made: set[Kind]) -> float:
    """The hit's score with how well its task fits what the clause names and what there is."""
    spec = SPECS[hit.task]
    files, nouns = mentioned_kinds(clause, world)
    there: set[Kind] = {e.kinds[0] for e in (*world.resources, *world.focus)} | made
    there |= set[Kind]() if there - {"text"} else {e.kinds[0] for e in world.past}
    score = hit.score
    if hit.task in _GENERATES or hit.task == "conversational":
        return score + 0.1
    if files:
        score += 0.5 * level(spec, files)
    elif nouns:
        score += 0.25 * level(spec, nouns)
    if there:
        best = level(spec, there)
        score += 0.35 * best if best >= 0 else 1.2 * best
    return score


def chosen(hits: Sequence[Hit], clause: Clause, world: World, *, made: set[Kind], seen: set[str]) -> list[Finding]:
    """The findings of a clause in the order of its words.

    made: kinds that earlier tasks of the plan make. seen: tasks whose products the words may only refer to.
    """
    open_hits = [
        h
        for h in hits
        if not _is_negated(h, clause)
        and not _is_reference(h, clause, seen, is_heard=_is_heard(hits, world, h))
        and not _draws_findings(h, clause)
    ]
    scored = sorted(
        ((fitted(h, clause, world, made), h) for h in open_hits if not _is_too_weak(h, clause, world, made)),
        key=_by_strength,
    )
    taken: list[tuple[float, Hit]] = []
    for score, hit in scored:
        if score < (_ENOUGH if taken else _LEAST) or (taken and hit.pattern.weight < _WEAK):
            continue
        if not any(
            hit.task == other.task or _conflict(hit, other, clause) or _is_rival(hit, other, clause)
            for _, other in taken
        ):
            taken.append((score, hit))
    kept = [pair for pair in taken if not _is_inside_prompt(pair[1], taken)]
    findings = [Finding(task=h.task, clause=clause, score=s, covers=h.covers) for s, h in kept]
    return _helpers_first(sorted(findings, key=lambda f: f.at))


def _helpers_first(findings: list[Finding]) -> list[Finding]:
    """The findings in order, reading or hearing ahead of what works on the text in the same part of the clause."""
    placed: list[Finding] = []
    for finding in findings:
        at = len(placed)
        while (
            at and finding.task in BRIDGES.values() and part_of(placed[at - 1], findings) == part_of(finding, findings)
        ):
            at -= 1
        placed.insert(at, finding)
    return placed


def part_of(finding: Finding, findings: Sequence[Finding]) -> tuple[int, int]:
    """Where the part of the clause that belongs to a finding begins and ends: at the conjunctions between findings."""
    tokens = finding.clause.tokens
    starts = sorted(f.at for f in findings if f.clause is finding.clause)
    start = _boundary(tokens, max((at for at in starts if at < finding.at), default=None), finding.at)
    later = next((at for at in starts if at > finding.at), None)
    return start, len(tokens) if later is None else _boundary(tokens, finding.at, later)


def _boundary(tokens: Sequence[Token], earlier: int | None, later: int) -> int:
    if earlier is None:
        return 0
    for at in range(later, earlier, -1):
        is_list = 0 < at < len(tokens) - 1 and tokens[at - 1].kind == tokens[at + 1].kind != "word"
        if is_list:
            continue
        if tokens[at].has("@and", "@then", "@or") or tokens[at].low in (",", "，", "、", ";"):
            return at
    return later


def _is_too_weak(hit: Hit, clause: Clause, world: World, made: set[Kind]) -> bool:
    """Whether a bare noun is taken for a request that it can't be: in a question, or of a thing that the task can't take."""
    if hit.pattern.weight >= _WEAK:
        return False
    if hit.task in _GENERATES:
        return any(e.kinds[0] == "image" for e in world.resources)
    at = hit.covers[0]
    if clause.tokens[at].has("%language") and at and clause.tokens[at - 1].low == "the":
        return True
    there: set[Kind] = {e.kinds[0] for e in world.resources} | made
    files, nouns = mentioned_kinds(clause, world)
    return (
        clause.mood == "question"
        or level(SPECS[hit.task], files or there or nouns | {e.kinds[0] for e in world.past}) < 0.7
    )


def _by_strength(pair: tuple[float, Hit]) -> tuple[float, int, int, str]:
    score, hit = pair
    return (-round(score, 3), -len(hit.covers), hit.at, hit.task)


def _conflict(one: Hit, other: Hit, clause: Clause) -> bool:
    """Whether two cues are readings of the same words; `give me` and `find` may be shared."""
    if _makes_new(one.task) and _makes_new(other.task):
        return True
    shared = set(one.covers) & set(other.covers)
    return any(not clause.tokens[at].has(*_SHARED) for at in shared) or bool(
        shared and (shared == set(one.covers) or shared == set(other.covers))
    )


def _is_rival(hit: Hit, stronger: Hit, clause: Clause) -> bool:
    """Whether a weaker cue reads the same part of the clause another way: no conjunction between, and no step after it."""
    if hit.task in _STEPS or stronger.task in _STEPS or _names_product(hit, clause) or _names_product(stronger, clause):
        return False
    if _feeds(hit, stronger) or _feeds(stronger, hit):
        return False
    opening, following = (hit, stronger) if hit.at <= stronger.at else (stronger, hit)
    if opening.covers[-1] > following.at or are_kin(hit.task, stronger.task):
        return True
    between = clause.tokens[opening.at + 1 : following.at + 1]
    parts = (
        ("@and", "@then", "@before", "@after", "@with")
        if len(opening.covers) == 1
        else ("@and", "@then", "@wh", "@before", "@after", "@with")
    )
    return not any(t.has(*parts) or t.low in (",", "，", "、", "/", "+", "&") for t in between)


def are_kin(one: str, other: str) -> bool:
    """Whether two tasks take and make the same: sorting with classes of one's own and with given ones."""
    first, second = SPECS[one], SPECS[other]
    names = [[output.name for output in spec.outputs] for spec in (first, second)]
    return names[0] == names[1] != ["text"] and content_slots(first) == content_slots(second) and names[0] != ["image"]


def _feeds(helper: Hit, other: Hit) -> bool:
    """Whether one cue is the reading or hearing of the text that the other works on: `summarize the text in page.png`."""
    slots = content_slots(SPECS[other.task])
    return (
        helper.task in BRIDGES.values()
        and other.task not in BRIDGES.values()
        and any("text" in kinds for kinds in slots)
    )


def _names_product(hit: Hit, clause: Clause) -> bool:
    """Whether the cue rests on a noun for the task's product: `the transcript`, `a summary`."""
    return any(s[0] == ">" and hit.task in s for at in hit.covers for s in clause.tokens[at].symbols)


def _makes_new(task: str) -> bool:
    return task in _GENERATES or task.endswith("-text-to-image")


def _is_negated(hit: Hit, clause: Clause) -> bool:
    """Whether the cue stands in a negation's scope and doesn't itself hold the negation (`no noise`)."""
    covered_not = any(clause.tokens[at].has("@not") for at in hit.covers)
    return not covered_not and any(at in clause.negated for at in hit.covers)


def _is_heard(hits: Sequence[Hit], world: World, hit: Hit) -> bool:
    """Whether the text was read or heard in an earlier turn, nothing new came, and the clause wants something of it."""
    is_old = not world.resources and any(e.made_by == hit.task for e in world.past)
    return is_old and any(_feeds(hit, other) and other.score >= _ENOUGH for other in hits)


def _draws_findings(hit: Hit, clause: Clause) -> bool:
    """`draw the edges`, `make a depth map`: what is drawn is found in a picture and not made up."""
    if hit.task != "text-to-image":
        return False
    verb = next((at for at in hit.covers if clause.tokens[at].has("%actions")), hit.covers[0])
    start, end = object_of(clause.tokens, verb)
    return any(t.has("@box", "@maskthing", "@map", *(f"@map_{f}" for f in _MAPS)) for t in clause.tokens[start:end])


def _is_reference(hit: Hit, clause: Clause, seen: set[str], *, is_heard: bool) -> bool:
    """Whether the cue is a noun that names what is there already: `the summary`, `your translation`."""
    covered = [clause.tokens[at] for at in hit.covers]
    if (
        hit.task in seen
        and hit.task == "token-classification"
        and not any(t.has("@wh", "@find", "@extract") for t in covered)
    ):
        is_bare = not any(t.has("@give", "@find", "@extract", "@label", "@count") for t in covered)
        return is_bare or any(t.has("@aloud", "@read", "@say") for t in clause.tokens)
    if hit.task not in seen:
        return False
    if hit.task in BRIDGES.values() and is_heard and not any(t.has("%verb") for t in covered):
        return True
    is_adjective = any(t.has("%actions") and t.low.endswith("ed") for t in covered) and not any(
        t.has("%verb") for t in covered
    )
    if is_adjective:
        return True
    is_hearing = any(t.has("@aloud", "@read", "@say", "@listen", "hear") for t in clause.tokens)
    if any(
        t.has("%actions") and not t.has("%things") and not (is_hearing and t.has("@give", "@read", "@listen"))
        for t in covered
    ):
        return False
    nouns = [at for at in hit.covers if any(s[0] == ">" and hit.task in s for s in clause.tokens[at].symbols)]
    return bool(nouns) and not any(t.low in ("a", "an") for t in clause.tokens[max(0, nouns[0] - 3) : nouns[0]])


def _is_inside_prompt(hit: Hit, taken: Sequence[tuple[float, Hit]]) -> bool:
    """Whether the cue belongs to the description of something that is to be made: `paint a sign that says hello`."""
    if hit.task in _PRODUCTS_TOLD:
        return False
    return any(other.task in _GENERATES and hit.at > other.at and other.pattern.weight >= 1.0 for _, other in taken)
