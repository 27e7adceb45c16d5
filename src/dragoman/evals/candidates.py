"""The planners that can be measured: the embedded one, and one that a mind drives."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import msgspec

from dragoman.errors import MindRefused, MindUnavailable, UsageError
from dragoman.evals.bridge import Bridge
from dragoman.evals.graphs import Case, Graph
from dragoman.evals.predictions import Prediction
from dragoman.evals.templates import graph_of_template
from dragoman.evals.tools import ToolList
from dragoman.minds.base import Ask, Mind, Reply
from dragoman.values import Json, Planned, Request, plan_to_json

__all__ = ["Embedded", "MindDriven", "Planner", "code_sha256"]


class Planner(Protocol):
    """Whatever plans. settings: all that its plans depend on. Raises `MindUnavailable` and `MindRefused`."""

    name: str
    settings: dict[str, Json]

    async def plan(self, case: Case) -> Prediction:
        """The plan for one request."""
        ...

    async def aclose(self) -> None:
        """Close what is open."""
        ...


class Embedded:
    """The embedded planner: no model, no tokens. For other tools than Dragoman's tasks it works over the catalogue."""

    name = "embedded"

    def __init__(self, tools: ToolList) -> None:
        from dragoman.planning.embedded import plan

        self._tools = tools
        self._plan: Any = plan
        self._takes_specs = "specs" in inspect.signature(plan).parameters
        self._bridge = None if self._takes_specs or tools.dependency == "catalogue" else Bridge(tools)
        self.settings: dict[str, Json] = {"planner": self.name, "code_sha256": code_sha256()}

    async def plan(self, case: Case) -> Prediction:
        """The plan, in milliseconds."""
        options = {"specs": self._tools.specs} if self._takes_specs else {}
        started = perf_counter()
        planned: Planned = self._plan(_request(case), **options)
        seconds = perf_counter() - started
        return _prediction(planned, case, tools=self._tools, seconds=seconds, bridge=self._bridge)

    async def aclose(self) -> None:
        """Nothing is open."""


class MindDriven:
    """The planner that a mind drives. A mind that goes away is an error here: no other planner takes over unseen."""

    def __init__(
        self,
        mind: Mind,
        tools: ToolList,
        *,
        demos: int | None = None,
        variety: int | None = None,
        write: Callable[..., Awaitable[Planned]] | None = None,
    ) -> None:
        from dragoman.planning.planner import plan

        self.name = mind.name
        self.settings: dict[str, Json] = {"planner": mind.name, "code_sha256": code_sha256()}
        self.settings |= {"demos": demos, "variety": variety}
        self._mind, self._tools, self._write = mind, tools, write or plan
        self._demos, self._variety = demos, variety
        is_told = demos is not None or variety is not None
        if is_told and "demonstrations" not in inspect.signature(self._write).parameters:
            says = "the planner chooses its demonstrations itself: `--demos` and `--variety` would change nothing."
            raise UsageError(says, helps="leave them out")

    async def plan(self, case: Case) -> Prediction:
        """The plan, by one or two calls. Raises `MindUnavailable`, `MindRefused`."""
        heard = _Heard(self._mind)
        started = perf_counter()
        planned = await self._write(_request(case), mind=heard, specs=self._tools.specs, **self._shown(case))
        seconds = perf_counter() - started
        if heard.error is not None:
            raise heard.error
        made = _prediction(planned, case, tools=self._tools, seconds=seconds)
        return msgspec.structs.replace(
            made,
            calls=len(heard.replies),
            tokens_in=sum(reply.tokens_in for reply in heard.replies),
            tokens_out=sum(reply.tokens_out for reply in heard.replies),
            graph=None if self._is_unreadable(planned, heard, case) else made.graph,
            unreadable=planned.fault.says if planned.fault and self._is_unreadable(planned, heard, case) else None,
        )

    async def aclose(self) -> None:
        """Close the mind."""
        await self._mind.aclose()

    def _shown(self, case: Case) -> dict[str, Any]:
        """The demonstrations, where their number or variety is given."""
        if self._demos is None and self._variety is None:
            return {}
        from dragoman.evals.shown import shown

        return {"demonstrations": shown(_request(case), count=self._demos, variety=self._variety)}

    def _is_unreadable(self, planned: Planned, heard: _Heard, case: Case) -> bool:
        """Whether the plan was refused and no task at all could be read from the last reply."""
        from dragoman.planning.reader import read_plan

        if planned.fault is None or not heard.replies:
            return planned.fault is not None
        read = read_plan(heard.replies[-1].text, ledger=_request(case).ledger(), specs=self._tools.specs)
        return not read.plan.tasks and bool(read.faults)


class _Heard:
    """A mind that keeps its replies, and the error with which it went away."""

    def __init__(self, mind: Mind) -> None:
        self.name = mind.name
        self.context_tokens = mind.context_tokens
        self.replies: list[Reply] = []
        self.error: MindUnavailable | MindRefused | None = None
        self._mind = mind

    async def ask(self, question: Ask) -> Reply:
        try:
            reply = await self._mind.ask(question)
        except (MindUnavailable, MindRefused) as error:
            self.error = error
            raise
        self.replies.append(reply)
        return reply

    def stream(self, question: Ask) -> AsyncIterator[str | Reply]:
        return self._mind.stream(question)

    async def aclose(self) -> None:
        """The mind goes on: others are asking it."""


def _request(case: Case) -> Request:
    return Request(words=case.words, resources=case.resources, history=case.history)


def _prediction(
    planned: Planned, case: Case, *, tools: ToolList, seconds: float, bridge: Bridge | None = None
) -> Prediction:
    """What a planner returned as a prediction. A reply without tasks, and a refusal, are empty plans."""
    template = plan_to_json(planned.plan)
    graph = graph_of_template(bridge.translated(template) if bridge else template, dependency=tools.dependency)
    return Prediction(
        id=case.id,
        graph=graph if graph.nodes else Graph(steps=()),
        confidence=planned.confidence,
        by=planned.by,
        fault=planned.fault.says if planned.fault else None,
        repairs=len(planned.repairs),
        is_runnable=None if bridge else _is_runnable(planned, case, tools),
        seconds=round(seconds, 6),
    )


def _is_runnable(planned: Planned, case: Case, tools: ToolList) -> bool:
    """Whether the plan has tasks, and the graph check finds no fault in it: known tasks, nothing missing, no cycle."""
    from dragoman.planning.graph import check

    return (
        bool(planned.plan.tasks) and not check(planned.plan, ledger=_request(case).ledger(), specs=tools.specs).faults
    )


@lru_cache(maxsize=1)
def code_sha256() -> str:
    """A hash over the files that plan: whoever changes the planner starts a new predictions file."""
    import dragoman.planning
    import dragoman.tasks

    digest = hashlib.sha256()
    for room in (dragoman.planning, dragoman.tasks):
        folder = Path(room.__file__ or "").parent
        for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            digest.update(str(file.relative_to(folder)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
