"""The values that the stages pass to one another. Frozen; whatever crosses a door is a msgspec Struct."""

from __future__ import annotations

import re
from typing import Any, Literal, cast

import msgspec

Kind = Literal["text", "image", "audio", "video", "table", "document", "data"]
KINDS: tuple[Kind, ...] = ("text", "image", "audio", "video", "table", "document", "data")
FILE_KINDS: frozenset[Kind] = frozenset({"image", "audio", "video", "table", "document"})  # shown as files
Json = Any  # What `json.loads` can return; checked where it is read.


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the frozen values; `msgspec.structs.replace` makes a changed copy."""


class Resource(Value, frozen=True, kw_only=True):
    """One piece of content, immutable, named by the SHA-256 of its bytes.

    name: what plans and people call it; unique within a run. text: the words, for kind `text`. data: the parsed
    JSON, for kind `data`. facts: what was measured at the door (`width_px`, `height_px`, `duration_s`, `rate_hz`,
    `channels`, `has_sound`, `frames`, `pages`, `rows`, `columns`, `chars`). of, start_s, end_s, box: where it was cut.
    """

    name: str
    kind: Kind
    media_type: str
    sha256: str
    size_bytes: int = 0
    text: str | None = None
    data: Json = None
    facts: dict[str, Json] = {}
    of: str | None = None
    start_s: float | None = None
    end_s: float | None = None
    box: tuple[float, float, float, float] | None = None


class Ref(Value, frozen=True, kw_only=True, tag="ref"):
    """The output of an earlier task: by the kind that the slot wants, or `pick`ed by output name, label or number."""

    task: int
    pick: str | None = None


class Given(Value, frozen=True, kw_only=True, tag="given"):
    """A resource that the person handed over or an earlier run of the session made, by its name.

    pick: for data, the elements with this label (`PERSON`).
    """

    name: str
    pick: str | None = None


class Template(Value, frozen=True, kw_only=True, tag="template"):
    """Words with Refs inside, whose text forms go in: `("Say: ", Ref(task=0))`."""

    parts: tuple[str | Ref, ...]


Scalar = str | int | float | bool | None
Arg = Any  # Scalar | Ref | Given | Template | list of these | dict of scalars; msgspec can't name the recursion.

REF_PATTERN = re.compile(r"<resource>-(\d+)(?:\.([\w-]+))?")


class Task(Value, frozen=True, kw_only=True):
    """One node of a plan. `task` is a TaskSpec's name; `dep` the tasks that must be done first (no -1 in here)."""

    id: int
    task: str
    args: dict[str, Arg] = {}
    dep: tuple[int, ...] = ()


class Plan(Value, frozen=True, kw_only=True):
    """A graph of tasks. It may grow while it runs; ids are unique and never reused."""

    tasks: tuple[Task, ...] = ()

    def task(self, task_id: int) -> Task:
        """The task with this id. Raises `KeyError`."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise KeyError(task_id)


class Repair(Value, frozen=True, kw_only=True):
    """One thing that was mended in a plan: what was found, and what was done about it."""

    task: int | None
    found: str
    did: str


class Turn(Value, frozen=True, kw_only=True):
    """One earlier exchange of a session. `made`: what its tasks produced; `asked`: what was handed over."""

    words: str
    answer: str
    plan: Plan = Plan()
    asked: tuple[Resource, ...] = ()
    made: tuple[Resource, ...] = ()


class Request(Value, frozen=True, kw_only=True):
    """A person's words, the resources they handed over (in order), and the conversation before."""

    words: str
    resources: tuple[Resource, ...] = ()
    history: tuple[Turn, ...] = ()

    def ledger(self) -> tuple[Resource, ...]:
        """Every resource that a plan may name: this request's first, then the session's, newest turn first."""
        seen: dict[str, Resource] = {r.name: r for r in self.resources}
        for turn in reversed(self.history):
            for resource in (*turn.made, *turn.asked):
                seen.setdefault(resource.name, resource)
        return tuple(seen.values())


class Fault(Value, frozen=True, kw_only=True):
    """Why something can't be done, and what would help."""

    says: str
    helps: str = ""


class Planned(Value, frozen=True, kw_only=True):
    """What planning returns. An empty plan with `reply` is conversation; with `fault` it is a refusal."""

    plan: Plan = Plan()
    by: str = "embedded"
    repairs: tuple[Repair, ...] = ()
    reply: str | None = None
    fault: Fault | None = None
    confidence: float = 1.0
    notes: tuple[str, ...] = ()


class Choice(Value, frozen=True, kw_only=True):
    """Which model on which backend serves a task, why, and who stands in if it fails (`backend:model`, in order)."""

    task: int
    model: str
    backend: str
    reason: str
    stand_ins: tuple[tuple[str, str], ...] = ()


class Output(Value, frozen=True, kw_only=True):
    """One named output of a task (`labels`, `annotated`, `speech`)."""

    name: str
    resource: Resource


class Done(Value, frozen=True, kw_only=True, tag="done", tag_field="state"):
    """A task that was done, with what it made."""

    task: int
    model: str
    backend: str
    outputs: tuple[Output, ...]
    attempts: int = 1
    cached: bool = False
    seconds: float = 0.0


class Failed(Value, frozen=True, kw_only=True, tag="failed", tag_field="state"):
    """A task whose experts gave up; 0 attempts: no expert could serve it. `reason` is fit to show a person."""

    task: int
    reason: str
    attempts: int = 0
    model: str | None = None
    backend: str | None = None
    seconds: float = 0.0


class Skipped(Value, frozen=True, kw_only=True, tag="skipped", tag_field="state"):
    """A task that could not start because a task it needs failed."""

    task: int
    reason: str


Outcome = Done | Failed | Skipped


class Claim(Value, frozen=True, kw_only=True):
    """One sentence of an answer that states a finding, and the tasks it rests on."""

    text: str
    tasks: tuple[int, ...]


class Answer(Value, frozen=True, kw_only=True):
    """Words and resources for the person; each claim tied to the outcomes it rests on."""

    text: str
    resources: tuple[Resource, ...] = ()
    claims: tuple[Claim, ...] = ()


class Usage(Value, frozen=True, kw_only=True):
    """What a run spent."""

    llm_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    bytes_downloaded: int = 0
    money_usd: float = 0.0
    seconds: float = 0.0


def refs_in(arg: Arg) -> tuple[Ref, ...]:
    """Every Ref inside an argument, in order."""
    if isinstance(arg, Ref):
        return (arg,)
    if isinstance(arg, Template):
        return tuple(part for part in arg.parts if isinstance(part, Ref))
    if isinstance(arg, (list, tuple)):
        return tuple(ref for item in cast("list[Arg]", arg) for ref in refs_in(item))
    if isinstance(arg, dict):
        return tuple(ref for item in cast("dict[str, Arg]", arg).values() for ref in refs_in(item))
    return ()


def needs(task: Task) -> tuple[int, ...]:
    """The ids that must be done before `task` starts: its `dep` and every Ref in its arguments, without repeats."""
    ids = (*task.dep, *(ref.task for arg in task.args.values() for ref in refs_in(arg)))
    return tuple(dict.fromkeys(ids))


def _arg_to_json(arg: Arg) -> Json:
    if isinstance(arg, Ref):
        return f"<resource>-{arg.task}" + (f".{arg.pick}" if arg.pick else "")
    if isinstance(arg, Given):
        return arg.name + (f"#{arg.pick}" if arg.pick else "")
    if isinstance(arg, Template):
        return "".join(part if isinstance(part, str) else _arg_to_json(part) for part in arg.parts)
    if isinstance(arg, (list, tuple)):
        return [_arg_to_json(item) for item in cast("list[Arg]", arg)]
    if isinstance(arg, dict):
        return {key: _arg_to_json(item) for key, item in cast("dict[str, Arg]", arg).items()}
    return arg


def plan_to_json(plan: Plan) -> list[dict[str, Json]]:
    """The paper's template: `[{"task", "id", "dep", "args"}]`, `dep` being `[-1]` for a task that needs none.

    Source: HuggingGPT (arXiv 2303.17580), table 1 and A.1.1.
    """
    return [
        {
            "task": task.task,
            "id": task.id,
            "dep": list(needs(task)) or [-1],
            "args": {key: _arg_to_json(arg) for key, arg in task.args.items()},
        }
        for task in plan.tasks
    ]
