"""A mind as the judge of plans: what the paper calls GPT-4 score (A.1.5, table 10), with any mind in GPT-4's place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

import msgspec

from dragoman.errors import MindUnreadable, UsageError
from dragoman.evals.graphs import Case, Graph
from dragoman.evals.linefile import LineFile
from dragoman.evals.readings import Form
from dragoman.evals.rows import rows_of
from dragoman.evals.tallies import Tally, mean_of
from dragoman.evals.tools import ToolList
from dragoman.minds.base import Ask, Message, Mind
from dragoman.minds.prompt import load_prompt
from dragoman.values import Json, Value

__all__ = ["Critic", "Verdict", "Verdicts", "critic_tally"]

_PROMPT, _DEMONSTRATIONS = Path(__file__).with_name("critic.md"), Path(__file__).with_name("critic.jsonl")
_SCHEMA: Json = {
    "type": "object",
    "properties": {"choice": {"type": "string", "enum": ["yes", "no"]}, "reason": {"type": "string"}},
    "required": ["choice", "reason"],
    "additionalProperties": False,
}
_FIRST_WORD = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


class Verdict(Value, frozen=True, kw_only=True):
    """What the critic says of one plan. choice: None where its words could not be read."""

    id: str
    choice: Literal["yes", "no"] | None
    reason: str = ""
    plan: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(kw_only=True)
class Critic:
    """Judges plans one at a time. A request that got no plan is not asked about: that is a no."""

    mind: Mind
    tools: ToolList
    graphs: Mapping[str, Graph]

    @property
    def prompt_hash(self) -> str:
        """The hash of the prompt file, for the report."""
        return load_prompt(_PROMPT).hash

    async def judge(self, case: Case) -> Verdict:
        """The verdict on the case's plan. Raises `MindUnavailable`, `MindRefused`."""
        graph = self.graphs.get(case.id)
        if graph is None or not graph.nodes:
            return Verdict(id=case.id, choice="no", reason="There is no plan.")
        shown = _shown(graph)
        system = load_prompt(_PROMPT).render(
            tasks="\n".join(f"{spec.name}: {spec.description}" for spec in self.tools.specs.values()),
            right="\n\n".join(_demonstrations("yes")),
            wrong="\n\n".join(_demonstrations("no")),
            plan=shown,
        )
        messages = (Message(role="system", content=system), Message(role="user", content=case.words))
        ask = Ask(stage="critic", messages=messages, schema=_SCHEMA, schema_name="verdict", max_tokens=300)
        try:
            reply = await self.mind.ask(ask)
        except MindUnreadable as error:
            return Verdict(id=case.id, choice=None, reason=error.says, plan=shown)
        choice, reason = _read(reply.text)
        return Verdict(
            id=case.id,
            choice=choice,
            reason=reason,
            plan=shown,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
        )


def _shown(graph: Graph) -> str:
    """A task a line, with those that it comes after."""
    lines = [
        _line(at, node.tool, [source for source, target in graph.links if target == node.tool])
        for at, node in enumerate(graph.nodes)
    ]
    return "\n".join(lines)


def _line(at: int, name: str, after: Sequence[str]) -> str:
    return f"{at}. {name}" + (f", with the result of {' and '.join(after)}" if after else "")


def _demonstrations(choice: str) -> list[str]:
    found: list[str] = []
    for row in rows_of(_DEMONSTRATIONS):
        fields = row.fields or {}
        if fields.get("choice") == choice:
            tasks = cast("list[list[Json]]", fields["plan"])
            plan = [_line(at, task[0], [tasks[other][0] for other in task[1:]]) for at, task in enumerate(tasks)]
            verdict = json.dumps({"choice": choice, "reason": fields["reason"]})
            found.append("\n".join([f"Request: {fields['request']}", *plan, verdict]))
    return found


def _read(text: str) -> tuple[Literal["yes", "no"] | None, str]:
    """The choice and the reason in a reply: as JSON, or as words that begin with yes or no."""
    from dragoman.planning.nearjson import find_json

    found = find_json(text, is_wanted=lambda value: isinstance(value, dict) and "choice" in value)
    if not found.fault and isinstance(found.value, dict):
        fields = cast("dict[str, Json]", found.value)
        word, reason = str(fields.get("choice", "")), str(fields.get("reason", ""))
    else:
        word, reason = text, text.strip()[:300]
    match = _FIRST_WORD.match(word)
    return (None if match is None else "yes" if match[1].casefold() == "yes" else "no"), reason


@dataclass(kw_only=True)
class Verdicts:
    """Verdicts so far, kept in a file. tokens: what all of them cost."""

    file: LineFile
    done: dict[str, Verdict] = field(default_factory=dict[str, Verdict])
    tokens: int = 0

    def load(self, graphs: Mapping[str, Graph]) -> None:
        """Take in what an earlier run left, as far as it is about these plans. Raises `UsageError`."""
        for row in self.file.rows():
            try:
                verdict = msgspec.convert(row.fields, Verdict)
            except msgspec.ValidationError as error:
                raise UsageError(f"{row.where} is no verdict: {error}.") from error
            if verdict.plan == _shown(graphs.get(verdict.id, Graph())):
                self._count(verdict)

    def add(self, made: Verdict, case: Case) -> None:
        """Keep it, on disk first. Raises `StoreError`."""
        del case
        self.file.append(msgspec.to_builtins(made))
        self._count(made)

    def _count(self, verdict: Verdict) -> None:
        self.done[verdict.id] = verdict
        self.tokens += verdict.tokens_in + verdict.tokens_out


def critic_tally(cases: Sequence[Case], verdicts: Mapping[str, Verdict], *, form: Form) -> Tally:
    """The share of plans that the critic calls right; a verdict that can't be read is left out, strictly a no."""
    choices = [verdict.choice if (verdict := verdicts.get(case.id)) else None for case in cases]
    rows = [(int(choice == "yes"), int(choice is not None or form == "strict")) for choice in choices]
    return Tally(rows=rows, finish=mean_of)
