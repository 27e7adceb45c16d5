"""Small finished runs for the tests of answering."""

from __future__ import annotations

from pathlib import Path

from dragoman.answering.scene import Scene
from dragoman.values import (
    Choice,
    Done,
    Failed,
    Given,
    Json,
    Kind,
    Outcome,
    Output,
    Plan,
    Ref,
    Request,
    Resource,
    Skipped,
    Task,
)

OUT = Path("/home/ada/out/01a")


def data(name: str, rows: Json) -> Output:
    return Output(name=name, resource=Resource(name=f"{name}.json", kind="data", media_type="", sha256="", data=rows))


def words(text: str, name: str = "text") -> Output:
    return Output(name=name, resource=Resource(name=f"{name}.txt", kind="text", media_type="", sha256="", text=text))


def file(name: str, kind: Kind = "image", output: str = "annotated", **facts: Json) -> Output:
    return Output(name=output, resource=Resource(name=name, kind=kind, media_type="", sha256="0", facts=facts))


def done(task_id: int, *outputs: Output) -> Done:
    return Done(task=task_id, model=f"model-{task_id}", backend="box", outputs=outputs)


def failed(task_id: int, reason: str = "no expert here") -> Failed:
    return Failed(task=task_id, reason=reason)


def skipped(task_id: int) -> Skipped:
    return Skipped(task=task_id, reason="it needs task 0, which could not be done")


def task(task_id: int, name: str, **args: str | int | Ref) -> Task:
    """Arguments with a dot in them are files."""
    given = {
        key: Given(name=value) if isinstance(value, str) and "." in value and " " not in value else value
        for key, value in args.items()
    }
    return Task(id=task_id, task=name, args=given)


def scene(asked: str, *steps: tuple[Task, Outcome]) -> Scene:
    return Scene(
        request=Request(words=asked),
        plan=Plan(tasks=tuple(one for one, _ in steps)),
        choices={one.id: Choice(task=one.id, model=f"model-{one.id}", backend="box", reason="") for one, _ in steps},
        outcomes={one.id: outcome for one, outcome in steps},
        out=OUT,
    )


CAT = [
    {"label": "tabby", "score": 0.55, "group": "cat", "group_score": 0.93},
    {"label": "Egyptian cat", "score": 0.3, "group": "cat", "group_score": 0.93},
    {"label": "tiger cat", "score": 0.08, "group": "cat", "group_score": 0.93},
]


def found(*labels: str) -> Json:
    return {
        "boxes": [{"label": label, "score": 0.8, "box": [0, 0, 9, 9]} for label in labels],
        "counts": {label: labels.count(label) for label in labels},
    }
