"""Request -> Plan: a mind's words are read, checked, sent back once with the exact faults, or refused with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import MindError, MindUnavailable, MindUnreadable
from dragoman.minds.base import Ask, Message, Mind, Reply, Stage
from dragoman.minds.prompt import load_prompt
from dragoman.planning.arrivals import reply_to_arrival
from dragoman.planning.briefing import catalogue_text, estimated_tokens, history_text, ledger_text
from dragoman.planning.demonstrations import nearest
from dragoman.planning.graph import check
from dragoman.planning.reader import read_plan
from dragoman.planning.schema import plan_schema
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import Fault, Plan, Planned, Repair, Request

__all__ = ["plan"]

_PLAN, _CHAT = Path(__file__).with_name("prompt.md"), Path(__file__).with_name("chat.md")
_MAX_PROMPT_TOKENS = 8_000
_MAX_REPLY_TOKENS, _LEAST_REPLY_TOKENS = 1_500, 300
_DEMONSTRATIONS = 4
_FORMAT_WORDS = ("tasks", "task", "id", "dep", "args", "reply")

Heard = Callable[[Stage, Reply], None]


def _unheard(stage: Stage, reply: Reply) -> None:
    """Replies that nobody counts."""
    del stage, reply


async def plan(
    request: Request,
    *,
    mind: Mind | None,
    heard: Heard = _unheard,
    specs: Mapping[str, TaskSpec] = SPECS,
    prompt_tokens: int | None = None,
) -> Planned:
    """The plan of a request. With no mind, or when it goes away, the embedded planner writes it.

    `heard` is told of every reply. prompt_tokens: what the prompt may take, by default what the mind has room for. What
    can't be planned comes back as `fault`; a mind's errors never pass this door.
    """
    if mind is None:
        return _embedded(request)
    planning = _Planning(request=request, mind=mind, heard=heard, specs=specs)
    budget = prompt_tokens or min(_MAX_PROMPT_TOKENS, mind.context_tokens * 3 // 4)
    try:
        return await planning.run(budget=budget)
    except MindUnavailable as error:
        return _taken_over(request, f"the language model `{mind.name}` could not be used for the plan ({error.says})")
    except MindError as error:
        return Planned(by=mind.name, fault=Fault(says=error.says, helps=error.helps), confidence=0.0)


def _embedded(request: Request) -> Planned:
    from dragoman.planning.embedded import plan as plan_without_mind

    planned = plan_without_mind(request)
    if not planned.plan.tasks and (reply := reply_to_arrival(request)) is not None:
        return Planned(reply=reply)
    return planned


def _taken_over(request: Request, because: str) -> Planned:
    """The embedded planner's plan, with a note that says why it is that."""
    import msgspec

    planned = _embedded(request)
    note = f"{because.rstrip('.')}; the built-in planner took over"
    return msgspec.structs.replace(planned, notes=(note, *planned.notes))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Attempt:
    """What came of one reply."""

    reply: Reply
    plan: Plan = field(default_factory=Plan)
    words: str | None = None
    repairs: tuple[Repair, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Planning:
    """One request being planned by a mind."""

    request: Request
    mind: Mind
    heard: Heard
    specs: Mapping[str, TaskSpec]

    async def run(self, *, budget: int) -> Planned:
        system = self._system(budget)
        needed = estimated_tokens(system) + estimated_tokens(self.request.words) + _LEAST_REPLY_TOKENS
        if needed > self.mind.context_tokens:
            because = (
                f"the request needs about {needed} tokens, `{self.mind.name}` has room for {self.mind.context_tokens}"
            )
            return _taken_over(self.request, because)
        messages = (Message(role="system", content=system), Message(role="user", content=self.request.words))
        first = await self._attempt(messages, max_tokens=self._reply_tokens(needed))
        if not first.faults:
            return await self._planned(first)
        again = (
            *messages,
            Message(role="assistant", content=first.reply.text[:6000] or "(nothing)"),
            _faults_message(first),
        )
        needed += sum(estimated_tokens(message.content) for message in again[2:])
        second = await self._attempt(again, max_tokens=self._reply_tokens(needed))
        if not second.faults:
            return await self._planned(second, before=first)
        return self._refused(second, before=first)

    def _system(self, budget: int) -> str:
        """The prompt: what never changes first, so that an endpoint can keep it; what the budget allows after it."""
        guess = [task.task for task in _embedded(self.request).plan.tasks]
        tasks = catalogue_text(self.specs)
        count = _DEMONSTRATIONS
        if estimated_tokens(tasks) > budget // 3:
            tasks, count = catalogue_text(self.specs, is_short=True), 2
        shown = nearest(self.request, count=count, guess=guess)
        values = {
            "tasks": tasks,
            "demonstrations": "\n\n".join(demo.text() for demo in shown),
            "resources": ledger_text(self.request.ledger()),
        }
        spent = sum(map(estimated_tokens, values.values())) + estimated_tokens(load_prompt(_PLAN).text)
        history = history_text(self.request.history, tokens=max(60, budget - spent))
        return load_prompt(_PLAN).render(history=history, **values)

    def _reply_tokens(self, prompt_tokens: int) -> int:
        room = self.mind.context_tokens - prompt_tokens + _LEAST_REPLY_TOKENS
        return max(_LEAST_REPLY_TOKENS, min(_MAX_REPLY_TOKENS, room))

    async def _attempt(self, messages: tuple[Message, ...], *, max_tokens: int) -> _Attempt:
        """Ask, read and check. A reply in which nothing can be read is an attempt with that fault."""
        question = Ask(
            stage="plan",
            messages=messages,
            schema=plan_schema(self.specs),
            schema_name="plan",
            max_tokens=max_tokens,
            bias_words=(*_FORMAT_WORDS, *self.specs),
        )
        try:
            reply = await self.mind.ask(question)
        except MindUnreadable as error:
            return _Attempt(reply=Reply(text="", model=self.mind.name), faults=(error.says,))
        self.heard("plan", reply)
        ledger = self.request.ledger()
        read = read_plan(reply.text, ledger=ledger, specs=self.specs)
        checked = check(read.plan, ledger=ledger, specs=self.specs)
        return _Attempt(
            reply=reply,
            plan=checked.plan,
            words=read.reply,
            repairs=(*_repairs_of(reply), *read.repairs, *checked.repairs),
            faults=(*read.faults, *checked.faults),
        )

    async def _planned(self, attempt: _Attempt, *, before: _Attempt | None = None) -> Planned:
        repairs = attempt.repairs if before is None else (*_asked_again(before), *attempt.repairs)
        words = attempt.words
        if not attempt.plan.tasks or self._is_conversation(attempt.plan):
            return Planned(by=attempt.reply.model, repairs=repairs, reply=words or await self._conversation())
        return Planned(by=attempt.reply.model, plan=attempt.plan, repairs=repairs)

    def _is_conversation(self, plan: Plan) -> bool:
        """Whether all that is planned is to talk, which the mind does itself."""
        return [task.task for task in plan.tasks] == ["conversational"] and isinstance(
            plan.tasks[0].args.get("text"), str
        )

    async def _conversation(self) -> str:
        """The mind's reply to words that ask for no task."""
        budget = min(_MAX_PROMPT_TOKENS, self.mind.context_tokens) // 2
        system = load_prompt(_CHAT).render(history=history_text(self.request.history, tokens=budget))
        messages = (Message(role="system", content=system), Message(role="user", content=self.request.words))
        try:
            reply = await self.mind.ask(Ask(stage="chat", messages=messages, max_tokens=_MAX_REPLY_TOKENS // 2))
        except MindError:
            return "I found nothing to do in this. Tell me what to do with which file or text, and I will plan it."
        self.heard("chat", reply)
        return reply.text.strip()

    def _refused(self, attempt: _Attempt, *, before: _Attempt) -> Planned:
        says = f"`{attempt.reply.model}` wrote no plan that can run: {'; '.join(attempt.faults[:6])}"
        helps = "say it in other words, name the files, or plan without a language model: --mind embedded"
        return Planned(
            by=attempt.reply.model,
            repairs=(*_asked_again(before), *attempt.repairs),
            fault=Fault(says=says, helps=helps),
            confidence=0.0,
        )


def _faults_message(attempt: _Attempt) -> Message:
    """What is wrong with the plan, for the mind that wrote it."""
    listed = "\n".join(f"- {fault}" for fault in attempt.faults[:20])
    words = (
        f"That plan can't be run:\n{listed}\n"
        "Write the whole plan again as one JSON object, with these faults put right and the rest as it was. "
        'If the request can\'t be planned, reply {"tasks": [], "reply": "why not"}.'
    )
    return Message(role="user", content=words)


def _asked_again(before: _Attempt) -> tuple[Repair, ...]:
    return tuple(Repair(task=None, found=fault, did="asked the mind again, with the fault") for fault in before.faults)


def _repairs_of(reply: Reply) -> tuple[Repair, ...]:
    """What was mended on the way to the reply, which the mind writes as `found: did`."""
    parts = (repair.rpartition(": ") for repair in reply.repairs)
    return tuple(Repair(task=None, found=found, did=did) for found, _, did in parts)
