"""What the clauses ask for: findings, the clauses left unread, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.planning.embedded.along import along_maps
from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import hits
from dragoman.planning.embedded.findings import Finding, are_kin, chosen
from dragoman.planning.embedded.mentions import mentions
from dragoman.planning.embedded.references import refer, salient
from dragoman.planning.embedded.words import Token
from dragoman.planning.embedded.world import Entity, World
from dragoman.tasks import SPECS
from dragoman.values import KINDS, Kind

# Which task answers a free question, by what it is asked about.
_ANSWERERS: dict[Kind, str] = {
    "image": "visual-question-answering",
    "document": "document-question-answering",
    "table": "table-question-answering",
    "text": "question-answering",
    "audio": "question-answering",
    "video": "question-answering",
}
# What `in detail` asks of a thing: everything that can be seen or heard in it.
_IN_DETAIL: dict[str, tuple[str, ...]] = {
    "image-to-text": ("image-to-text", "image-classification", "object-detection", "optical-character-recognition"),
    "video-classification": ("video-classification", "automatic-speech-recognition"),
    "audio-classification": ("audio-classification", "automatic-speech-recognition"),
}
_ASKING = frozenset(("tell", "give", "show", "extract", "get"))
_STATED_ENOUGH = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The findings in order, the clauses that ask for something unknown, and a confidence from 0 to 1."""

    findings: tuple[Finding, ...]
    unread: tuple[Clause, ...]
    clauses: tuple[Clause, ...]
    confidence: float


def read(clauses: Sequence[Clause], world: World, language: str) -> Reading:
    """What the clauses, in the order of doing, ask for."""
    findings: list[Finding] = []
    unread: list[Clause] = []
    stated: list[Finding] = []
    previous: Clause | None = None
    for clause in clauses:
        world.attend(clause.tokens)
        here = _found(clause, world, language=language, before=findings, previous=previous)
        previous = clause
        if clause.mood == "statement":
            stated += here
        elif here:
            findings += [f for f in here if not _asks_again(f, findings)]
        elif _asks_something(clause):
            unread.append(clause)
    is_detailed = any(clause.has("@detailed", "@everything_about") for clause in clauses)
    findings = [part for finding in findings for part in _in_detail(finding, is_detailed=is_detailed)]
    if not findings:
        findings = [finding for finding in stated if finding.score >= _STATED_ENOUGH]
    return Reading(
        findings=tuple(findings), unread=tuple(unread), clauses=tuple(clauses), confidence=_confidence(findings, unread)
    )


def _asks_again(finding: Finding, before: Sequence[Finding]) -> bool:
    """Whether the clause only asks back about what an earlier one of the same family finds: `… and how many you see`."""
    names_nothing = not any(
        token.has("%things", "%named", "%labels") or token.kind != "word" for token in finding.clause.tokens
    )
    return names_nothing and any(are_kin(finding.task, other.task) and other.task != finding.task for other in before)


def _confidence(findings: Sequence[Finding], unread: Sequence[Clause]) -> float:
    if not findings:
        return 0.0
    surest = [min(1.0, max(0.0, finding.score - 0.3)) for finding in findings]
    share = len(findings) / (len(findings) + len(unread))
    return round(min(surest) * (0.5 + 0.5 * share), 3)


def _found(
    clause: Clause, world: World, *, language: str, before: Sequence[Finding], previous: Clause | None
) -> list[Finding]:
    languages = (language,) if language == "en" else (language, "en")
    made: set[Kind] = {output.kind for finding in before for output in SPECS[finding.task].outputs}
    seen = {finding.task for finding in before} | {entity.made_by for entity in world.past if entity.made_by}
    cues = [hit for hit in hits(clause.tokens, languages) if hit.task in SPECS]
    here = chosen(cues, clause, world, made=made, seen=seen)
    if not here and (
        _seeks(clause, world)
        or clause.mood == "question"
        or (clause.is_asked and clause.is_alone)
        or _puts_question(clause)
        or _wonders(clause)
    ):
        here = _answered(clause, world, before)
    made_before = [e.made_by for e in reversed(world.past) if e.made_by] + [finding.task for finding in before]
    return along_maps(clause, here, made_before, previous)


def _wonders(clause: Clause) -> bool:
    """Whether a question is embedded: `tell me who signed`, `find out how often …`."""
    tokens = clause.tokens
    leads = ("@give", "@find", "@know", "@look", "@answer", "@read", "@say")
    return any(
        t.has("@wh", "@how_many", "@whether") and any(b.has(*leads) for b in tokens[:at]) for at, t in enumerate(tokens)
    )


def _seeks(clause: Clause, world: World) -> bool:
    """Whether a fact is looked for in something written: `find the due date on invoice.pdf`."""
    tokens = clause.tokens
    is_written = any(e.kinds[0] in ("document", "text", "table") for e in (*world.focus, *world.resources))
    return (
        is_written
        and clause.mood == "request"
        and any(
            t.low == "the"
            and at
            and at + 1 < len(tokens)
            and (tokens[at - 1].has("@find", "@look", "@i") or tokens[at - 1].low in _ASKING)
            and not tokens[at + 1].has("@result", "#text", "#document", "#audio")
            for at, t in enumerate(tokens)
        )
        and any(t.has("@find", "@look") or t.low in _ASKING for t in tokens)
    )


def _puts_question(clause: Clause) -> bool:
    """Whether it hands over a question: `answer this: "…?"`."""
    is_quoted = any(t.kind == "quote" and t.text.rstrip().endswith(("?", "？")) for t in clause.tokens)
    return is_quoted and (clause.has("@answer", "@question") or not clause.has("%actions"))


def _in_detail(finding: Finding, *, is_detailed: bool) -> list[Finding]:
    """The finding, or where everything is wanted all that can be seen or heard."""
    parts = _IN_DETAIL.get(finding.task)
    if parts is None or not is_detailed:
        return [finding]
    return [Finding(task=part, clause=finding.clause, score=finding.score, covers=finding.covers) for part in parts]


def _answered(clause: Clause, world: World, before: Sequence[Finding]) -> list[Finding]:
    """A free question, answered from what it is asked about: a picture, a document, a table, a text or what is said."""
    kind = _asked_about(clause, world, before)
    if kind is None or not (own_words(clause) or any(t.kind == "quote" for t in clause.tokens)):
        return []
    return [Finding(task=_ANSWERERS[kind], clause=clause, score=0.9)]


def _asked_about(clause: Clause, world: World, before: Sequence[Finding]) -> Kind | None:
    kinds = tuple(kind for kind in KINDS if kind in _ANSWERERS)
    is_page = clause.has("@document", "@receipt")
    for mention in mentions(clause.tokens):
        if mention.quote is not None:
            continue
        group = refer(mention, world, kinds=kinds, task="question-answering")
        if group and not _is_question(group[0]):
            kind = _first_kind(group)
            return "document" if is_page and kind == "image" else kind
    for finding in reversed(before):
        outputs = [output.kind for output in SPECS[finding.task].outputs]
        if "text" in outputs:
            return "text"
    ranked = [g for g in salient(world, kinds=kinds, task="question-answering") if not _is_question(g[0])]
    return _first_kind(ranked[0]) if ranked else None


def _is_question(entity: Entity) -> bool:
    return isinstance(entity.arg, str) and entity.arg.rstrip().endswith(("?", "？"))


def _first_kind(group: Sequence[Entity]) -> Kind | None:
    return next((kind for kind in group[0].kinds if kind in _ANSWERERS), None)


def _asks_something(clause: Clause) -> bool:
    """Whether an unread clause holds words of its own and is no mere `tell me`, `thanks`, `how well it works`."""
    if clause.mood == "statement":
        return False
    own = [token for token in own_words(clause) if not token.has("@answer", "@question")]
    is_topic = (
        not any(t.has("%actions") for t in own)
        and clause.mood != "question"
        and all(t.has("%things") or t.kind != "word" for t in own)
    )
    return bool(own) and not is_topic


def own_words(clause: Clause) -> list[Token]:
    """The words of a clause that say something by themselves."""
    return [
        token
        for at, token in enumerate(clause.tokens)
        if token.kind == "word"
        and at not in clause.negated
        and not token.has("%glue", "%chat", "%adjectives", "@give", "@look", "@listen", "@result", "@it", "@find")
    ]
