"""Plan -> Choices: for each task the expert that fits best, its stand-ins, or why there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import msgspec

from dragoman.backends.base import Availability, Backend
from dragoman.backends.remote import what_would_help
from dragoman.config import Where
from dragoman.errors import MindError
from dragoman.minds.base import Ask, Message, Mind, Reply
from dragoman.minds.prompt import load_prompt
from dragoman.models.card import ModelCard
from dragoman.selection.rank import Candidate, fitting, language_wanted, ranked
from dragoman.tasks import SPECS
from dragoman.values import Choice, Json, Plan, Request, Task, plan_to_json

__all__ = ["Selected", "Selector"]

_PROBE_S = 3.0
_DESCRIPTION_CHARS = 300
_MOST_REASONS = 4
_PROMPT = Path(__file__).with_name("prompt.md")


@dataclass(frozen=True, kw_only=True, slots=True)
class Selected:
    """`choices` and `refusals` by task id; `cards` and the bytes each still `needs`, by (backend, model)."""

    choices: dict[int, Choice]
    refusals: dict[int, str]
    cards: dict[tuple[str, str], ModelCard]
    needs: dict[tuple[str, str], int]


@dataclass(kw_only=True)
class Selector:
    """Chooses among what `backends` offer. `top_k`: how many of a task's experts a mind is shown (the paper's K)."""

    backends: Sequence[Backend]
    mind: Mind | None = None
    where: Where = "any"
    is_offline: bool = False
    top_k: int = 5
    heard: Callable[[str, Reply], None] = field(default=lambda stage, reply: None)  # noqa: ARG005

    async def choose(self, plan: Plan, request: Request, *, done: Container[int] = ()) -> Selected:
        """A choice or a refusal for every task not yet `done`. A mind picks where there is more than one candidate."""
        tasks = [task for task in plan.tasks if task.id not in done]
        names = {task.task for task in tasks}
        offers, missing = await self._offers(names)
        lists = {task.id: self._candidates(task, plan, offers=offers) for task in tasks}
        picks = await self._picks(plan, request, lists=lists) if self.mind is not None else {}
        choices = {task.id: _choice(task, lists[task.id], pick=picks.get(task.id)) for task in tasks if lists[task.id]}
        refusals = {
            task.id: self._refusal(task, plan, offers=offers, missing=missing) for task in tasks if not lists[task.id]
        }
        every = [candidate for found in offers.values() for candidate in found]
        return Selected(
            choices=choices,
            refusals=refusals,
            cards={candidate.key: candidate.card for candidate in every},
            needs={candidate.key: candidate.needs_bytes for candidate in every},
        )

    async def _offers(self, names: set[str]) -> tuple[dict[str, list[Candidate]], dict[str, list[str]]]:
        """Per task name who can run now, and what keeps the others from it. All probes run at once, bounded."""
        pairs = [
            (backend, card) for backend in self.backends for card in backend.cards() if names.intersection(card.tasks)
        ]
        found = await asyncio.gather(*(self._probe(backend, card) for backend, card in pairs))
        offers: dict[str, list[Candidate]] = {name: [] for name in names}
        missing: dict[str, list[str]] = {name: [] for name in names}
        for (backend, card), available in zip(pairs, found, strict=True):
            for name in names.intersection(card.tasks):
                if available.can_run and not (self.is_offline and available.needs_bytes):
                    offers[name].append(
                        Candidate(
                            card=card,
                            backend=backend.name,
                            is_local=backend.is_local,
                            needs_bytes=available.needs_bytes,
                        )
                    )
                else:
                    missing[name].append(f"{card.id}: {available.because}")
        return offers, missing

    async def _probe(self, backend: Backend, card: ModelCard) -> Availability:
        try:
            async with asyncio.timeout(_PROBE_S):
                return await backend.availability(card)
        except TimeoutError:
            return Availability(can_run=False, because=f"{backend.name} did not answer within {_PROBE_S:g} s")

    def _candidates(self, task: Task, plan: Plan, *, offers: Mapping[str, list[Candidate]]) -> Sequence[Candidate]:
        language = language_wanted(task, plan)
        return ranked(fitting(offers[task.task], language=language, where=self.where))

    def _refusal(
        self, task: Task, plan: Plan, *, offers: Mapping[str, list[Candidate]], missing: Mapping[str, list[str]]
    ) -> str:
        if missing[task.task] and not offers[task.task]:
            return f"no expert for {task.task} can run now: {_several(missing[task.task])}"
        has_token = any(backend.name == "providers" for backend in self.backends)
        help_ = what_would_help(task.task, has_token=has_token, has_mind=self.mind is not None)
        if self.where == "local":
            help_ += ", where experts may run remotely, too"
        if offers[task.task]:
            language = language_wanted(task, plan)
            known = sorted({code for candidate in offers[task.task] for code in candidate.card.languages})
            wish = f"in `{language}`" if language else f"that runs {self.where}"
            return f"no expert for {task.task} {wish} here (there are: {', '.join(known)}); {help_}"
        what = SPECS[task.task].description.rstrip(".").lower()
        return f"no expert here can do {task.task} ({what}); {help_}"

    async def _picks(
        self, plan: Plan, request: Request, *, lists: Mapping[int, Sequence[Candidate]]
    ) -> dict[int, tuple[str, str]]:
        """The mind's single choice per open task, in one call: model id and reason. Empty where it fails."""
        options = {str(id_): found[: self.top_k] for id_, found in lists.items() if len(found) > 1}
        if not options or self.mind is None:
            return {}
        question = Ask(
            stage="choose",
            messages=[
                Message(role="system", content=_prompt(plan, options)),
                Message(role="user", content=request.words),
            ],
            schema=_schema(options),
            schema_name="choices",
            max_tokens=120 * len(options) + 50,
        )
        try:
            reply = await self.mind.ask(question)
        except MindError:
            return {}  # The rank decides.
        self.heard("choose", reply)
        return _read_picks(reply.text, options)


def _several(reasons: Sequence[str]) -> str:
    """The first reasons, and how many more there are."""
    more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
    return "; ".join(reasons[:_MOST_REASONS]) + more


def _choice(task: Task, candidates: Sequence[Candidate], *, pick: tuple[str, str] | None) -> Choice:
    order = list(candidates)
    reason = "the only expert that can run it here" if len(order) == 1 else "ranked first of those that can run it here"
    if pick is not None:
        model, reason = pick
        order.sort(key=lambda candidate: candidate.card.id != model)
    first, *others = order
    if not first.is_local:
        reason += "; what the task needs is sent there"
    return Choice(
        task=task.id,
        model=first.card.id,
        backend=first.backend,
        reason=reason,
        stand_ins=tuple(candidate.key for candidate in others),
    )


def _prompt(plan: Plan, options: Mapping[str, Sequence[Candidate]]) -> str:
    lists = {
        id_: [
            {
                "id": candidate.card.id,
                "runs": "local" if candidate.is_local else "remote",
                "languages": list(candidate.card.languages),
                "license": candidate.card.license,
                "description": candidate.card.description[:_DESCRIPTION_CHARS],
            }
            for candidate in found
        ]
        for id_, found in options.items()
    }
    return load_prompt(_PROMPT).render(
        tasks=msgspec.json.encode(plan_to_json(plan)).decode(), candidates=msgspec.json.encode(lists).decode()
    )


def _schema(options: Mapping[str, Sequence[Candidate]]) -> Json:
    def choice(found: Sequence[Candidate]) -> Json:
        return {
            "type": "object",
            "properties": {
                "id": {"type": "string", "enum": [candidate.card.id for candidate in found]},
                "reason": {"type": "string"},
            },
            "required": ["id", "reason"],
            "additionalProperties": False,
        }

    return {
        "type": "object",
        "properties": {id_: choice(found) for id_, found in options.items()},
        "required": list(options),
        "additionalProperties": False,
    }


def _read_picks(text: str, options: Mapping[str, Sequence[Candidate]]) -> dict[int, tuple[str, str]]:
    """The picks that name one of the candidates; anything else is left to the rank."""
    start, end = text.find("{"), text.rfind("}")
    try:
        picks = msgspec.json.decode(text[start : end + 1].encode())
    except msgspec.DecodeError:
        return {}
    found: dict[int, tuple[str, str]] = {}
    for id_, pick in cast("dict[str, Json]", picks).items():
        model = pick.get("id") if isinstance(pick, dict) else pick
        known = [candidate.card.id for candidate in options.get(id_, ())]
        if model in known:
            reason = pick.get("reason") if isinstance(pick, dict) else None
            found[int(id_)] = (model, str(reason or "picked by the mind")[:300])
    return found
