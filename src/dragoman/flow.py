"""The four stages: plan, choose, run, answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from dragoman import events as ev
from dragoman.answering.answer import compose
from dragoman.backends.base import Backend
from dragoman.backends.mind.heard import LISTENER
from dragoman.config import Settings
from dragoman.errors import DragomanError, FetchError
from dragoman.execution.cache import ResultCache
from dragoman.execution.downloads import AskDownload, Downloads, Need
from dragoman.execution.executor import Executor
from dragoman.execution.resolve import Resolver
from dragoman.journal.stream import Stream
from dragoman.minds.base import Mind, Reply
from dragoman.planning.planner import plan as write_plan
from dragoman.selection.selector import Selected, Selector
from dragoman.store import Store
from dragoman.values import Answer, Done, Failed, Fault, Outcome, Plan, Planned, Request, Usage, plan_to_json

__all__ = ["Flow"]


@dataclass(kw_only=True)
class Flow:
    """One run of the four stages. Everything it does is told to `stream`; `out` is the folder for its files.

    first_id: task ids below it are taken, by an earlier process of the same run.
    """

    settings: Settings
    store: Store
    backends: Sequence[Backend]
    stream: Stream
    out: Path
    mind: Mind | None = None
    ask_download: AskDownload | None = None
    first_id: int = 0
    _replies: list[Reply] = field(default_factory=list[Reply])
    _started: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self._downloads = Downloads(
            stream=self.stream,
            may_download=self.settings.may_download,
            is_offline=self.settings.is_offline,
            limit_bytes=self.settings.max_fetch_bytes,
            ask=self.ask_download,
        )

    async def run(self, request: Request) -> None:
        """From the request to the answer. Always ends with `run_ended`; cancellation passes through after it."""
        await self._bounded(self._stages(request))

    async def resume(self, request: Request, plan: Plan, *, done: Mapping[int, Done]) -> None:
        """From an earlier process's plan to the answer: what is done is kept, the rest is chosen anew and run."""
        await self._bounded(self._from_plan(plan, request, done=done))

    async def _bounded(self, stages: Coroutine[Any, Any, tuple[str, Fault | None]]) -> None:
        LISTENER.set(self._heard)
        try:
            async with asyncio.timeout(self.settings.run_timeout_s):
                status, fault = await stages
        except asyncio.CancelledError:
            self._end("cancelled")
            raise
        except TimeoutError:
            limit_s = self.settings.run_timeout_s
            self._end("failed", Fault(says=f"the run took longer than {limit_s:g} s and was stopped"))
        except FetchError as error:
            self.refuse(error)
        except Exception:
            # A broken program, not a failed expert: the run must not look as if it went on.
            self._end("failed", Fault(says="Dragoman itself broke down; what was done is kept"))
            raise
        else:
            self._end(status, fault)

    def refuse(self, error: DragomanError) -> None:
        """End the run as refused, for a reason found before any task ran."""
        self._end("refused", Fault(says=error.says, helps=error.helps))

    async def _stages(self, request: Request) -> tuple[str, Fault | None]:
        planned = await self.plan(request)
        if not planned.plan.tasks:
            return self._without_tasks(planned)
        return await self._from_plan(planned.plan, request, done={})

    async def _from_plan(self, plan: Plan, request: Request, *, done: Mapping[int, Done]) -> tuple[str, Fault | None]:
        selected = await self._choose(plan, request, done=done)
        plan, outcomes = await self._execute(plan, request, selected=selected, done=done)
        answer = await compose(
            request,
            plan=plan,
            choices=selected.choices,
            outcomes=outcomes,
            out=self.out,
            mind=self.mind,
            heard=self._heard,
            tell=self._tell,
        )
        self.stream.emit(ev.Answered, answer=answer)
        return _verdict(outcomes)

    async def plan(self, request: Request) -> Planned:
        """Stage one. The mind may be missing; it may also go away, and the embedded planner takes over."""
        planned = await write_plan(request, mind=self.mind, heard=self._heard)
        self.stream.emit(
            ev.PlannedEvent,
            plan=plan_to_json(planned.plan),
            by=planned.by,
            repairs=planned.repairs,
            reply=planned.reply,
            fault=planned.fault,
            notes=planned.notes,
        )
        return planned

    def _without_tasks(self, planned: Planned) -> tuple[str, Fault | None]:
        if planned.fault is not None:
            return "refused", planned.fault
        self.stream.emit(ev.Answered, answer=Answer(text=planned.reply or ""))
        return "chat", None

    async def _choose(self, plan: Plan, request: Request, *, done: Mapping[int, Done]) -> Selected:
        selector = Selector(
            backends=self.backends,
            mind=self.mind,
            where=self.settings.where,
            is_offline=self.settings.is_offline,
            heard=self._heard,
        )
        selected = await selector.choose(plan, request, done=done)
        self.stream.emit(ev.Chosen, choices=tuple(selected.choices.values()))
        return selected

    async def _execute(
        self, plan: Plan, request: Request, *, selected: Selected, done: Mapping[int, Done]
    ) -> tuple[Plan, Mapping[int, Outcome]]:
        await self._downloads.permit(_needs(selected))
        executor = Executor(
            backends={backend.name: backend for backend in self.backends},
            cards=selected.cards,
            choices=dict(selected.choices),
            refusals=selected.refusals,
            resolver=Resolver(store=self.store, ledger={resource.name: resource for resource in request.ledger()}),
            downloads=self._downloads,
            stream=self.stream,
            out=self.out,
            task_timeout_s=self.settings.task_timeout_s,
            cache=ResultCache(self.settings.home / "cache.sqlite"),
            is_fresh=self.settings.is_fresh,
            first_id=self.first_id,
        )
        return await executor.run(plan, done=done)

    def _tell(self, text: str) -> None:
        self.stream.emit(ev.AnswerDelta, text=text)

    def _heard(self, stage: str, reply: Reply) -> None:
        self._replies.append(reply)
        self.stream.emit(
            ev.MindReplied,
            stage=stage,
            model=reply.model,
            reply=reply.text,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
        )

    def _end(self, status: str, fault: Fault | None = None) -> None:
        usage = Usage(
            llm_calls=len(self._replies),
            tokens_in=sum(reply.tokens_in for reply in self._replies),
            tokens_out=sum(reply.tokens_out for reply in self._replies),
            bytes_downloaded=self._downloads.moved_bytes,
            money_usd=sum((reply.money_usd for reply in self._replies), 0.0),
            seconds=round(monotonic() - self._started, 3),
        )
        self.stream.emit(ev.RunEnded, status=status, usage=usage, fault=fault)


def _needs(selected: Selected) -> list[Need]:
    firsts = dict.fromkeys((choice.backend, choice.model) for choice in selected.choices.values())
    return [Need(selected.cards[key], selected.needs[key]) for key in firsts if selected.needs[key]]


def _verdict(outcomes: Mapping[int, Outcome]) -> tuple[str, Fault | None]:
    """answered: all done; partial: some; refused: nothing could be tried; failed: tried, and nothing came out."""
    done = [outcome for outcome in outcomes.values() if isinstance(outcome, Done)]
    if len(done) == len(outcomes):
        return "answered", None
    if done:
        return "partial", None
    failed = [outcome for outcome in outcomes.values() if isinstance(outcome, Failed)]
    fault = Fault(
        says="; ".join(dict.fromkeys(outcome.reason for outcome in failed)),
        helps="`dragoman doctor` says what runs here and what would add more",
    )
    return ("failed" if any(outcome.attempts for outcome in failed) else "refused"), fault
