"""Stage four: the answer, by a mind that sees the results, or by templates; results are never lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from dragoman.answering.evidence import Draft, compact, read_draft
from dragoman.answering.scene import Scene
from dragoman.answering.support import Backing, marked
from dragoman.answering.templates import plain_answer, undone
from dragoman.errors import MindError
from dragoman.minds.base import Ask, Message, Mind, Reply
from dragoman.minds.prompt import load_prompt
from dragoman.values import Answer, Choice, Done, Outcome, Plan, Request, plan_to_json

__all__ = ["compose"]

_PROMPT = Path(__file__).with_name("prompt.md")
_RESULT_CHARS = 12_000
_REPEATS = 4
_MAX_FAULTS = 10
_PATH = re.compile(r"(?:/[^\s/\"'`“”()\[\]]+){2,}")


async def compose(
    request: Request,
    *,
    plan: Plan,
    choices: Mapping[int, Choice],
    outcomes: Mapping[int, Outcome],
    out: Path,
    mind: Mind | None,
    heard: Callable[[str, Reply], None],
    tell: Callable[[str], None],
) -> Answer:
    """The answer to `request`. `tell` is given the words as they are written; `heard` each reply of the mind.

    A mind that is missing or fails, rambles or names files that don't exist is replaced by the plain answer. Numbers
    and quotations that no result holds go back to it once, then they are marked, and their sentences make no claim.
    """
    scene = Scene(request=request, plan=plan, choices=choices, outcomes=outcomes, out=out)
    plain = plain_answer(scene)
    if mind is None or not any(isinstance(outcome, Done) for outcome in outcomes.values()):
        return plain
    backing = Backing(scene)
    try:
        draft = await _draft(mind, scene, heard=heard, tell=tell)
        if strange := backing.unbacked(draft.text):
            draft = await _draft(mind, scene, heard=heard, tell=_unheard, faults=strange)
    except MindError:
        return plain
    if not draft.text or _rambles(draft.text) or _names_strange_paths(draft, scene):
        return plain
    return _completed(draft, scene, backing=backing)


def _unheard(text: str) -> None:
    """A second draft is not shown as it is written: the first still stands there."""
    del text


async def _draft(
    mind: Mind,
    scene: Scene,
    *,
    heard: Callable[[str, Reply], None],
    tell: Callable[[str], None],
    faults: Sequence[str] = (),
) -> Draft:
    reply = await _written(mind, scene, tell=tell, faults=faults)
    heard("answer", reply)
    return read_draft(reply.text, outcomes=scene.outcomes)


async def _written(mind: Mind, scene: Scene, *, tell: Callable[[str], None], faults: Sequence[str]) -> Reply:
    system = load_prompt(_PROMPT).render(
        tasks=msgspec.json.encode(plan_to_json(scene.plan)).decode(),
        choices="\n".join(f"task {id_}: {choice.model} on {choice.backend}" for id_, choice in scene.choices.items()),
        results=compact(scene, chars=_RESULT_CHARS),
    )
    messages = [Message(role="system", content=system), Message(role="user", content=scene.request.words)]
    if faults:
        listed = "; ".join(faults[:_MAX_FAULTS])
        messages.append(Message(role="system", content=f"A draft said what no result holds: {listed}. Leave that out."))
    question = Ask(stage="answer", messages=messages)
    whole = Reply(text="", model=mind.name)
    async for piece in mind.stream(question):
        if isinstance(piece, Reply):
            whole = piece
        else:
            tell(piece)
    return whole


def _rambles(text: str) -> bool:
    """Whether one line is said over and over, as small models do."""
    lines = [line.strip() for line in re.split(r"[\n.!?]+", text) if len(line.strip()) > 10]
    return any(lines.count(line) >= _REPEATS for line in set(lines))


def _names_strange_paths(draft: Draft, scene: Scene) -> bool:
    known = {scene.path(made) for made in scene.files()}
    words = " ".join([scene.request.words, *(resource.name for resource in scene.request.ledger())])
    found = (path.rstrip(".,;:") for path in _PATH.findall(re.sub(r"https?://\S+", "", draft.text)))
    return any(path not in words and not any(path in whole for whole in known) for path in found)


def _completed(draft: Draft, scene: Scene, *, backing: Backing) -> Answer:
    """The draft, with what no result backs marked as such, and with every file and failure that it forgot."""
    files = [f"- {scene.path(made)}" for made in scene.files() if scene.path(made) not in draft.text]
    missing = [line for line in undone(scene) if not _mentions(draft.text, line)]
    extra = ["Files:\n" + "\n".join(files)] if files else []
    return Answer(
        text="\n\n".join([marked(draft.text, backing), *extra, *missing]),
        resources=scene.files(),
        claims=tuple(claim for claim in draft.claims if not backing.unbacked(claim.text)),
    )


def _mentions(text: str, line: str) -> bool:
    """Whether a failure is told: by the task's name and a word of not doing."""
    name = re.search(r"do ([\w-]+)|start ([\w-]+)", line)
    words = (name[1] or name[2]).replace("-", " ") if name else ""
    low = text.casefold()
    has_name = words in low or words.replace(" ", "-") in low
    return has_name and re.search(r"n't|not|unable|fail|cannot", low) is not None
