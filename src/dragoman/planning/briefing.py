"""What a mind is told before it plans: tasks, resources by name and facts, the conversation, within a budget."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from dragoman.tasks import TaskSpec
from dragoman.values import Resource, Turn

__all__ = ["catalogue_text", "estimated_tokens", "history_text", "ledger_text"]

MAX_RESOURCES = 60
_WORDS_CHARS, _ANSWER_CHARS, _FOLDED_CHARS = 600, 600, 90
_WIDE = re.compile(r"[\u1100-\uffff]")


def estimated_tokens(text: str) -> int:
    """How many tokens a mind will take for the text, on the high side: 3.5 letters each, wide letters one each."""
    wide = len(_WIDE.findall(text))
    return wide + int((len(text) - wide) / 3.5) + 1


def catalogue_text(specs: Mapping[str, TaskSpec], *, is_short: bool = False) -> str:
    """One line per task: `name(slots) -> outputs: description`; `is_short` leaves the description out."""
    return "\n".join(_spec_line(spec) + ("" if is_short else f": {spec.description}") for spec in specs.values())


def _spec_line(spec: TaskSpec) -> str:
    slots = [
        f"{slot.name}{'' if slot.is_required else '?'}" + (": list" if slot.takes_many else "") for slot in spec.slots
    ]
    slots += [f"{parameter.name}{'' if parameter.is_required else '?'}" for parameter in spec.parameters]
    outputs = ", ".join(dict.fromkeys(output.kind for output in spec.outputs))
    return f"{spec.name}({', '.join(slots)}) -> {outputs}"


def ledger_text(resources: Sequence[Resource]) -> str:
    """One line per resource: name, kind, facts. Never a word of what is in it."""
    if not resources:
        return "(none)"
    lines = [_resource_line(resource) for resource in resources[:MAX_RESOURCES]]
    more = len(resources) - MAX_RESOURCES
    return "\n".join([*lines, f"(and {more} older ones)"] if more > 0 else lines)


def _resource_line(resource: Resource) -> str:
    # As JSON, so that a name with line ends or quotes can't pass for something else.
    line: dict[str, object] = {"name": resource.name, "kind": resource.kind}
    line |= {key: value for key, value in resource.facts.items() if isinstance(value, (int, float, bool))}
    return json.dumps(line, ensure_ascii=False)


def history_text(turns: Sequence[Turn], *, tokens: int) -> str:
    """The conversation, oldest first. What does not fit is folded, the oldest first: short, then only counted."""
    if not turns:
        return "(this is the first message)"
    lines: list[str] = []
    left = tokens
    for at, turn in enumerate(reversed(turns)):
        line = _turn_line(turn, words=_WORDS_CHARS, answer=_ANSWER_CHARS)
        if estimated_tokens(line) > left - _reserve(len(turns) - at):
            line = _turn_line(turn, words=_FOLDED_CHARS, answer=0)
        if estimated_tokens(line) > left:
            lines.append(f"({len(turns) - at} earlier exchanges)")
            break
        left -= estimated_tokens(line)
        lines.append(line)
    return "\n".join(reversed(lines))


def _reserve(turns: int) -> int:
    """Tokens to keep for the short form of the turns before."""
    return 40 * min(turns - 1, 10)


def _turn_line(turn: Turn, *, words: int, answer: int) -> str:
    line: dict[str, object] = {"person": _cut(turn.words, words)}
    names = [resource.name for resource in (*turn.asked, *turn.made)]
    line |= {"resources": names[:12]} if names else {}
    line |= {"tasks": [task.task for task in turn.plan.tasks][:12]} if turn.plan.tasks else {}
    line |= {"answer": _cut(turn.answer, answer)} if answer else {}
    return json.dumps(line, ensure_ascii=False)


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else f"{text[: chars - 2]} …"
