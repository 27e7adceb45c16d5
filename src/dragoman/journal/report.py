"""A run as one object: what `--json`, the API and `resume` give, folded from its events."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dragoman import events as ev
from dragoman.values import (
    FILE_KINDS,
    Answer,
    Choice,
    Done,
    Failed,
    Fault,
    Json,
    Outcome,
    Output,
    Repair,
    Resource,
    Skipped,
    Usage,
    Value,
)

__all__ = ["Report", "report", "report_to_json"]


class Report(Value, frozen=True, kw_only=True):
    """What a run came to. `str` of it is the answer's words."""

    run: str
    session: str
    mode: str = "plan"
    status: str = "unfinished"
    words: str = ""
    resources: tuple[Resource, ...] = ()
    plan: tuple[dict[str, Json], ...] = ()
    choices: tuple[Choice, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    answer: Answer = Answer(text="")
    usage: Usage = Usage()
    repairs: tuple[Repair, ...] = ()
    fault: Fault | None = None

    def __str__(self) -> str:
        return self.answer.text

    @property
    def text(self) -> str:
        """The answer's words."""
        return self.answer.text

    def outcome(self, task_id: int) -> Outcome | None:
        """What became of a task, or None while that is open."""
        return next((outcome for outcome in self.outcomes if outcome.task == task_id), None)


def report(events: Iterable[ev.Event]) -> Report:
    """The run that these events tell, in order from its first."""
    found: dict[str, Json] = {}
    plan: dict[int, dict[str, Json]] = {}
    choices: dict[int, Choice] = {}
    outcomes: dict[int, Outcome] = {}
    for event in events:
        match event:
            case ev.RunStarted():
                found |= {"run": event.run, "session": event.session, "mode": event.mode}
                found |= {"words": event.words, "resources": event.resources}
            case ev.PlannedEvent():
                plan |= {task["id"]: task for task in event.plan}
                found |= {"repairs": event.repairs, "fault": event.fault}
            case ev.PlanGrew() | ev.Replanned():
                plan |= {task["id"]: task for task in event.added}
            case ev.Chosen():
                choices |= {choice.task: choice for choice in event.choices}
            case ev.TaskDone() | ev.TaskFailed() | ev.TaskSkipped():
                outcomes[event.outcome.task] = event.outcome
            case ev.Answered():
                found["answer"] = event.answer
            case ev.RunEnded():
                found |= {"status": event.status, "usage": event.usage}
                found["fault"] = event.fault or found.get("fault")
            case _:
                pass
    return Report(
        **found,
        plan=tuple(plan.values()),
        choices=tuple(choices[key] for key in sorted(choices)),
        outcomes=tuple(outcomes[key] for key in sorted(outcomes)),
    )


def report_to_json(report: Report, *, out: Path) -> dict[str, Json]:
    """The object of contracts section 3, keys always present. out: the folder that holds the run's files."""
    return {
        "run": report.run,
        "session": report.session,
        "mode": report.mode,
        "status": report.status,
        "plan": list(report.plan),
        "choices": [_choice(choice) for choice in report.choices],
        "outcomes": [_outcome(outcome, out=out) for outcome in report.outcomes],
        "answer": {
            "text": report.answer.text,
            "resources": [
                {**_cut(r), "name": r.name, "kind": r.kind, "media_type": r.media_type}
                | {"path": str(out / r.name), "sha256": r.sha256}
                for r in report.answer.resources
            ],
            "claims": [{"text": claim.text, "tasks": list(claim.tasks)} for claim in report.answer.claims],
        },
        "usage": {
            key: getattr(report.usage, key)
            for key in ("llm_calls", "tokens_in", "tokens_out", "bytes_downloaded", "money_usd", "seconds")
        },
        "repairs": [{"task": r.task, "found": r.found, "did": r.did} for r in report.repairs],
        "fault": {"says": report.fault.says, "helps": report.fault.helps} if report.fault else None,
    }


def _choice(choice: Choice) -> dict[str, Json]:
    return {
        "task": choice.task,
        "model": choice.model,
        "backend": choice.backend,
        "reason": choice.reason,
        "stand_ins": [model for _, model in choice.stand_ins],
    }


def _outcome(outcome: Outcome, *, out: Path) -> dict[str, Json]:
    whole: dict[str, Json] = {"task": outcome.task, "state": "done", "model": None, "backend": None, "attempts": 0}
    whole |= {"cached": False, "seconds": 0.0, "outputs": [], "reason": None}
    match outcome:
        case Done():
            whole |= {"model": outcome.model, "backend": outcome.backend, "attempts": outcome.attempts}
            whole |= {"cached": outcome.cached, "seconds": outcome.seconds}
            whole["outputs"] = [_output(output, out=out) for output in outcome.outputs]
        case Failed():
            whole |= {"state": "failed", "model": outcome.model, "backend": outcome.backend}
            whole |= {"attempts": outcome.attempts, "seconds": outcome.seconds, "reason": outcome.reason}
        case Skipped():
            whole |= {"state": "skipped", "reason": outcome.reason}
    return whole


def _output(output: Output, *, out: Path) -> dict[str, Json]:
    made = output.resource
    is_file = made.kind in FILE_KINDS
    return {
        "name": output.name,
        "kind": made.kind,
        "media_type": made.media_type,
        "data": made.data,
        "path": str(out / made.name) if is_file else None,
        "text": made.text,
        "sha256": made.sha256 if is_file else None,
        **_cut(made),
    }


def _cut(resource: Resource) -> dict[str, Json]:
    box = list(resource.box) if resource.box else None
    return {"of": resource.of, "start_s": resource.start_s, "end_s": resource.end_s, "box": box}
