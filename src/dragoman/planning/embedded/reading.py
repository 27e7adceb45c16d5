"""What the clauses ask for: findings, the clauses left unread, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.planning.embedded.along import MADE_ALIKE, along_maps
from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import Hit, hits, languages_for
from dragoman.planning.embedded.findings import Finding, chosen
from dragoman.planning.embedded.fits import Kinds
from dragoman.planning.embedded.questions import ASKED, answered, own_words, puts_question
from dragoman.planning.embedded.rivals import are_kin
from dragoman.planning.embedded.world import World
from dragoman.tasks import SPECS

# What `in detail` asks of a thing: everything that can be seen or heard in it.
_IN_DETAIL: dict[str, tuple[str, ...]] = {
    "image-to-text": ("image-to-text", "image-classification", "object-detection", "optical-character-recognition"),
    "video-classification": ("video-classification", "automatic-speech-recognition"),
    "audio-classification": ("audio-classification", "automatic-speech-recognition"),
}
# Tasks that tell which of several is nearest: of pictures and of texts.
_COMPARING = frozenset(("image-feature-extraction", "sentence-similarity"))
# What a cue inside a mere statement must score to count where nothing is asked for outright.
_STATED_ENOUGH = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The findings in order, the clauses that ask for something unknown, and a confidence from 0 to 1.

    impossible: where there are no findings, the task that is asked for with nothing there that it could take.
    """

    findings: tuple[Finding, ...]
    unread: tuple[Clause, ...]
    clauses: tuple[Clause, ...]
    confidence: float
    impossible: str | None = None


def read(clauses: Sequence[Clause], world: World, language: str) -> Reading:
    """What the clauses, in the order of doing, ask for."""
    asked: list[Finding] = []
    stated: list[Finding] = []
    unread: list[Clause] = []
    previous: Clause | None = None
    for clause in clauses:
        world.attend(clause.tokens)
        here = _found(clause, world, language=language, before=asked, previous=previous)
        if clause.has("@cancel"):
            asked, here = _taken_back(asked, here, clause=clause, previous=previous)
        previous = clause
        if clause.mood == "statement" and not puts_question(clause):
            stated += here
        elif here:
            if clause.order == "before":
                asked = _put_off(asked, here)
            asked = [finding for finding in asked if not _is_said_better(finding, here)]
            asked += [finding for finding in here if not _asks_again(finding, asked)]
        elif _asks_something(clause):
            unread.append(clause)
    asked = _as_maps([f for f in asked if not _is_lead_in(f)] or asked)
    findings = _in_detail(asked, clauses) or [finding for finding in stated if finding.score >= _STATED_ENOUGH]
    confidence = _confidence(findings, unread)
    impossible = None if findings else _impossible(clauses, language)
    return Reading(
        findings=tuple(findings),
        unread=tuple(unread),
        clauses=tuple(clauses),
        confidence=confidence,
        impossible=impossible,
    )


def _found(
    clause: Clause, world: World, *, language: str, before: Sequence[Finding], previous: Clause | None
) -> list[Finding]:
    made: Kinds = {output.kind for finding in before for output in SPECS[finding.task].outputs}
    past = [entity.made_by for entity in reversed(world.past) if entity.made_by]
    tasks = [*past, *(finding.task for finding in before)]
    cues = [hit for hit in hits(clause.tokens, languages_for(language)) if hit.task in SPECS]
    here = chosen(cues, clause, world, made=made, seen=set(tasks))
    return along_maps(clause, here or answered(clause, world, before=before), before=tasks, previous=previous)


def _impossible(clauses: Sequence[Clause], language: str) -> str | None:
    """The task whose cue is plain although there is nothing that it could work on."""
    asked = (clause for clause in clauses if clause.mood != "statement")
    cues = [h for c in asked for h in hits(c.tokens, languages_for(language)) if h.task in SPECS and _is_free(h, c)]
    best = max(cues, key=lambda hit: hit.score, default=None)
    return best.task if best is not None and best.score >= _STATED_ENOUGH else None


def _is_free(hit: Hit, clause: Clause) -> bool:
    return not any(at in clause.negated for at in hit.covers)


def _taken_back(
    asked: list[Finding], here: list[Finding], *, clause: Clause, previous: Clause | None
) -> tuple[list[Finding], list[Finding]]:
    """The findings without what `no wait` takes back: what stands before it in its clause, else the clause before."""
    at = next(at for at, token in enumerate(clause.tokens) if token.has("@cancel"))
    kept = [finding for finding in here if finding.at > at]
    if len(kept) < len(here):
        return asked, kept
    return [finding for finding in asked if finding.clause is not previous], here


def _is_said_better(finding: Finding, here: Sequence[Finding]) -> bool:
    """`compare these pictures: which of a.jpg and b.jpg …`: the later clause says what is to be compared."""
    if finding.task in ASKED and finding.clause.has("%things"):  # `Are there chairs? How many exactly?`
        counts = [f for f in here if f.task == "object-detection" and f.clause.has("@how_many")]
        return any(not other.clause.has("%things", "%file") for other in counts)
    if finding.task not in _COMPARING or finding.clause.has("%file", "%quote"):
        return False
    return any(other.task == finding.task and other.clause.has("%file", "%quote") for other in here)


def _put_off(asked: list[Finding], here: Sequence[Finding]) -> list[Finding]:
    """The findings, last those that a later `before you …` says again: `a transcript, but denoise it before …`."""
    again = {finding.task for finding in here}
    return [*(f for f in asked if f.task not in again), *(f for f in asked if f.task in again)]


def _asks_again(finding: Finding, before: Sequence[Finding]) -> bool:
    """Whether the clause only asks back about what an earlier one finds: `… and how many you see`."""
    compares = finding.task in _COMPARING and any(other.task in _COMPARING for other in before)
    if compares and not finding.clause.has("%file", "%quote", "@sentence", "@text"):
        return True
    if any(_are_twins(finding.task, other.task) for other in before) and not finding.clause.has("%file", "%number"):
        return not finding.clause.has("%labels") or _is_open(finding.clause)
    names = ("%things", "%named", "%labels", "%language", "%file", "%quote", "%number")
    if any(token.has(*names) for token in finding.clause.tokens):
        return False
    return any(are_kin(finding.task, other.task) for other in before)


def _are_twins(one: str, other: str) -> bool:
    """Whether one sorts into its own classes what the other sorts into given ones."""
    return one == f"zero-shot-{other}" or other == f"zero-shot-{one}"


def _is_open(clause: Clause) -> bool:
    """`animal or machine or what?`: the classes are mere examples."""
    return clause.tokens[-1].low in ("what", "else", "something") and clause.has("@or")


def _as_maps(findings: Sequence[Finding]) -> list[Finding]:
    """The findings; what a later picture is drawn along is made as a condition map."""
    along = {finding.task.removesuffix("-text-to-image") for finding in findings}
    wanted = {task: control for task, control in MADE_ALIKE.items() if control.removesuffix("-control") in along}
    return [replace(finding, task=wanted.get(finding.task, finding.task)) for finding in findings]


def _is_lead_in(finding: Finding) -> bool:
    """`do you see the sign?`, ahead of what is really asked."""
    tokens = finding.clause.tokens
    leads = (
        len(tokens) > 2
        and tokens[0].has("@aux")
        and tokens[1].has("@you")
        and tokens[2].has("@look", "@know", "@listen")
    )
    return leads and finding.task in ASKED


def _in_detail(findings: Sequence[Finding], clauses: Sequence[Clause]) -> list[Finding]:
    """The findings; where everything is wanted, all that can be seen or heard in place of a description."""
    if not any(clause.has("@detailed", "@everything_about") for clause in clauses):
        return list(findings)
    return [replace(f, task=part) for f in findings for part in _IN_DETAIL.get(f.task, (f.task,))]


def _confidence(findings: Sequence[Finding], unread: Sequence[Clause]) -> float:
    """The weakest finding's share of a sure one, less where parts of the request were not understood."""
    if not findings:
        return 0.0
    weakest = min(min(1.0, max(0.0, finding.score - 0.3)) for finding in findings)
    return round(weakest * (0.5 + 0.5 * len(findings) / (len(findings) + len(unread))), 3)


def _asks_something(clause: Clause) -> bool:
    """Whether an unread clause holds words of its own and is no mere `tell me`, `thanks`, `this photo here`."""
    if clause.mood == "statement":
        return False
    own = [token for token in own_words(clause) if not token.has("@answer", "@question")]
    is_phrase = clause.tokens[0].has("@det") and not any(
        t.has("%actions", "@wh", "@be", "@want") for t in clause.tokens
    )
    names_only = is_phrase or all(token.has("%things") and not token.has("%actions") for token in own)
    return bool(own) and (clause.mood == "question" or not names_only)
