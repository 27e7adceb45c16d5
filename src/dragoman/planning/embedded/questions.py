"""Free questions: which clauses ask one, which task answers it, and the question in the person's words."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.findings import Finding
from dragoman.planning.embedded.mentions import mentions
from dragoman.planning.embedded.references import Group, refer, salient
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
ASKED = frozenset(_ANSWERERS.values())
_KINDS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind in _ANSWERERS)
_ASKING = frozenset(("tell", "give", "show", "extract", "get"))
_LEADS = ("@give", "@find", "@know", "@look", "@answer", "@read", "@say")
_SURE, _MARKS = 0.9, ("?", "？")


def answered(clause: Clause, world: World, *, before: Sequence[Finding]) -> list[Finding]:
    """The task that answers the clause's free question, or none. before: what was found ahead of the clause."""
    if not _asks(clause, world):
        return []
    kind = _asked_about(clause, world, before)
    if kind is None or not (own_words(clause) or any(token.kind == "quote" for token in clause.tokens)):
        return []
    return [Finding(task=_ANSWERERS[kind], clause=clause, score=_SURE)]


def _asks(clause: Clause, world: World) -> bool:
    is_asked = clause.mood == "question" or (clause.is_asked and clause.is_alone)
    return is_asked or puts_question(clause) or _wonders(clause) or _seeks(clause, world)


def puts_question(clause: Clause) -> bool:
    """Whether it hands over a question: `answer this: "…?"`."""
    is_quoted = any(token.kind == "quote" and is_question(token.text) for token in clause.tokens)
    return is_quoted and (clause.has("@answer", "@question") or not clause.has("%actions"))


def _wonders(clause: Clause) -> bool:
    """Whether a question is embedded: `tell me who signed`, `find out how often …`."""
    for at, token in enumerate(clause.tokens):
        if token.has("@wh", "@how_many", "@whether") and any(t.has(*_LEADS) for t in clause.tokens[:at]):
            return True
    return False


def _seeks(clause: Clause, world: World) -> bool:
    """Whether a fact is looked for in something written: `find the due date on invoice.pdf`."""
    is_written = any(e.kinds[0] in ("document", "text", "table") for e in (*world.focus, *world.resources))
    if not is_written or clause.mood != "request":
        return False
    tokens = clause.tokens
    for at in range(1, len(tokens) - 1):
        before, after = tokens[at - 1], tokens[at + 1]
        leads = before.has("@find", "@look", "@i") or before.low in _ASKING
        if tokens[at].low == "the" and leads and not after.has("@result", "#text", "#document", "#audio"):
            return any(token.has("@find", "@look") or token.low in _ASKING for token in tokens)
    return False


def _asked_about(clause: Clause, world: World, before: Sequence[Finding]) -> Kind | None:
    is_page = clause.has("@document", "@receipt")
    for mention in mentions(clause.tokens):
        group = None if mention.quote else refer(mention, world, kinds=_KINDS, task="question-answering")
        if group and not _is_asked_itself(group[0]):
            kind = _first_kind(group)
            if kind == "video" and clause.has("@look", "show", "shows", "visible", "wearing"):
                return "image"
            is_page = is_page or any(entity.arg in world.pages for entity in group)
            return "document" if is_page and kind == "image" else kind
    if any(output.kind == "text" for finding in before for output in SPECS[finding.task].outputs):
        return "text"
    ranked = [g for g in salient(world, kinds=_KINDS, task="question-answering") if not _is_asked_itself(g[0])]
    kind = _first_kind(ranked[0]) if ranked else None
    is_page = kind == "image" and any(entity.arg in world.pages for entity in ranked[0])
    return "document" if is_page else kind


def is_question(text: str) -> bool:
    """Whether a text ends as a question does."""
    return text.rstrip().endswith(_MARKS)


def _is_asked_itself(entity: Entity) -> bool:
    return isinstance(entity.arg, str) and is_question(entity.arg)


def _first_kind(group: Group) -> Kind | None:
    return next((kind for kind in group[0].kinds if kind in _ANSWERERS), None)


def own_words(clause: Clause) -> list[Token]:
    """The words of a clause that say something by themselves."""
    empty = ("%inside", "%glue", "%chat", "%adjectives", "@give", "@look", "@listen", "@result", "@it", "@find", "@say")
    words = [token for at, token in enumerate(clause.tokens) if token.kind == "word" and at not in clause.negated]
    return [token for token in words if not token.has(*empty)]


def question(clause: Clause, words: str) -> str:
    """The question as the person put it, without what leads in and the file that it is about.

    A quoted question stands for itself.
    """
    for token in clause.tokens:
        if token.kind == "quote" and is_question(token.text):
            return token.text
    tokens = [t for t in clause.tokens[_asking_from(clause.tokens) :] if t.kind != "quote"] or clause.tokens
    said = " ".join(words[run[0].start : run[-1].end] for run in _without_files(tokens)).strip(" ,.!:;？?")
    return said[:1].upper() + said[1:] + "?"


def _asking_from(tokens: Sequence[Token]) -> int:
    """Where the question begins: at its question word (and a preposition before it) or at the helping verb."""
    for at, token in enumerate(tokens):
        if token.has("@wh", "@how_many"):
            is_led = at > 0 and tokens[at - 1].has("@of", "@by", "@with")
            return at - 1 if is_led else at
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.has("@be", "@aux") and following is not None and not following.has("@you", "@aux", "%verb"):
            return at
    return 0


def _without_files(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens in runs, each file that a preposition leads to left out with it; a file that is a subject stays."""
    runs: list[list[Token]] = [[]]
    for at, token in enumerate(tokens):
        run = runs[-1]
        is_led = bool(run) and (run[-1].has("@of", "@in", "@by", "@with") or run[-1].low == "to")
        if token.kind in ("file", "url") and (is_led or not run):
            run.pop() if run else None
            if run and run[-1].has("@according"):
                run.pop()
            runs.append([])
        elif run or at == len(tokens) - 1 or token.low not in (":", "：", ","):
            run.append(token)
    return [run for run in runs if run] or [list(tokens)]
