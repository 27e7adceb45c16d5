"""A plain answer composed from the outcomes alone: complete, never invented, no mind needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dragoman.answering import pictures, sounds, words
from dragoman.answering.scene import Scene
from dragoman.answering.wording import joined, safe
from dragoman.values import Answer, Claim, Done, Failed, Skipped, Task

__all__ = ["findings", "how", "plain_answer", "undone"]

Results = Sequence[tuple[Task, Done]]
Finder = Callable[[Scene, Results], list[Claim]]

_FINDERS: Mapping[str, Finder] = {
    "image-classification": pictures.picture_labels,
    "zero-shot-image-classification": pictures.picture_labels,
    "video-classification": pictures.picture_labels,
    "object-detection": pictures.boxes,
    "zero-shot-object-detection": pictures.boxes,
    "image-feature-extraction": pictures.likeness,
    "optical-character-recognition": pictures.read_text,
    "image-to-text": pictures.caption,
    "visual-question-answering": pictures.caption,
    "document-question-answering": words.text_answer,
    "image-segmentation": pictures.segments,
    "mask-generation": pictures.segments,
    "keypoint-detection": pictures.points,
    "depth-estimation": pictures.picture_made,
    "image-to-image": pictures.picture_made,
    "text-to-image": pictures.picture_made,
    "automatic-speech-recognition": sounds.transcript,
    "audio-classification": sounds.heard,
    "zero-shot-audio-classification": sounds.heard,
    "voice-activity-detection": sounds.speech_times,
    "text-to-speech": sounds.sound_made,
    "audio-to-audio": sounds.sound_made,
    "token-classification": words.entities,
    "text-classification": words.meaning,
    "zero-shot-classification": words.meaning,
    "fill-mask": words.meaning,
    "sentence-similarity": words.similarity,
    "translation": words.translation,
    "summarization": words.summary,
    "question-answering": words.text_answer,
    "table-question-answering": words.text_answer,
    "text-generation": words.text_answer,
    "text2text-generation": words.text_answer,
    "conversational": words.text_answer,
    "tabular-classification": words.table_quality,
    "tabular-regression": words.table_quality,
}
_LOOKS = (
    "image-to-text",
    "image-classification",
    "object-detection",
    "optical-character-recognition",
    "keypoint-detection",
)


def findings(scene: Scene) -> list[Claim]:
    """What was found, a sentence a claim, in the order of the plan; tasks of one kind speak together."""
    by_name: dict[str, list[tuple[Task, Done]]] = {}
    for task, done in scene.done():
        by_name.setdefault(task.task, []).append((task, done))
    return [claim for name, results in by_name.items() for claim in _claims(name, scene, results)]


def _claims(name: str, scene: Scene, results: Results) -> list[Claim]:
    try:
        return _finder(name)(scene, results)
    except (TypeError, ValueError, LookupError, AttributeError):
        # An expert's data is not in the shape that its task promises; what it found is told all the same.
        return words.anything(scene, results)


def _finder(name: str) -> Finder:
    if name.endswith(("-control", "-text-to-image")):
        return pictures.picture_made
    return _FINDERS.get(name, words.anything)


def undone(scene: Scene) -> list[str]:
    """A sentence for each task that failed or was skipped, with the reason."""
    lines: list[str] = []
    for task in scene.plan.tasks:
        match scene.outcomes.get(task.id):
            case Failed(reason=reason):
                lines.append(f"I couldn't do {_named(scene, task)}: {safe(reason).rstrip('.')}.")
            case Skipped(reason=reason):
                lines.append(f"I didn't start {_named(scene, task)}: {safe(reason).rstrip('.')}.")
            case _:
                pass
    return lines


def _named(scene: Scene, task: Task) -> str:
    """The task, and the files that it was given itself."""
    files = scene.given(task)
    return f"{task.task} on {joined(files)}" if files else task.task


def how(scene: Scene) -> str:
    """How it was done, in the first person: each expert and what it did."""
    steps = [
        f"{done.model} for {_named(scene, task)}" + (" (remembered)" if done.cached else "")
        for task, done in scene.done()
    ]
    return f"How I did it: I used {joined(steps)}." if steps else ""


def plain_answer(scene: Scene) -> Answer:
    """The answer without a mind: findings first, then what could not be done, then how."""
    claims = findings(scene)
    lead = _evidence_note(scene)
    missing = undone(scene)
    nothing = [] if claims else ["I couldn't do it."]
    blocks = ["\n".join([*lead, *(claim.text for claim in claims), *nothing]), "\n".join(missing), how(scene)]
    return Answer(
        text="\n\n".join(block for block in blocks if block),
        resources=scene.files(),
        claims=tuple(claims),
    )


def _evidence_note(scene: Scene) -> list[str]:
    """Where several looks at one picture make a description, what kind of evidence that is."""
    looked = [(task, scene.source(task)) for task, _ in scene.done(*_LOOKS)]
    for name in dict.fromkeys(source for _, source in looked):
        kinds = [task.task for task, source in looked if source == name]
        if name and len(set(kinds)) >= 3:
            return [f"Put together from {joined(dict.fromkeys(kinds))}; labels, boxes and read text, not eyesight:"]
    return []
