"""Sentences about sound and speech."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from dragoman.answering.scene import Scene, data_of, file_of, text_of
from dragoman.answering.wording import counted, joined, percent, quoted
from dragoman.values import Claim, Done, Json, Task

__all__ = ["heard", "sound_made", "speech_times", "transcript"]

Results = Sequence[tuple[Task, Done]]


def transcript(scene: Scene, results: Results) -> list[Claim]:
    """What is said in each recording, or that nothing is."""
    claims: list[Claim] = []
    for task, done in results:
        name = scene.source(task) or "the recording"
        text = text_of(done).strip()
        says = f"In {name} is said: {quoted(text)}" if text else f"I heard no speech in {name}."
        claims.append(Claim(text=says, tasks=(task.id,)))
    return claims


def heard(scene: Scene, results: Results) -> list[Claim]:
    """Which sounds are in each recording."""
    claims: list[Claim] = []
    for task, done in results:
        rows = cast("list[dict[str, Json]]", data_of(done, "labels") or [])
        name = scene.source(task) or "the recording"
        strong = [row for row in rows if float(row["score"]) >= 0.1][:5] or rows[:1]
        sounds = joined(
            [f"{row['label']} ({percent(float(row['score']))})" for row in strong] or ["nothing I can name"]
        )
        claims.append(Claim(text=f"In {name} I hear {sounds}.", tasks=(task.id,)))
    return claims


def speech_times(scene: Scene, results: Results) -> list[Claim]:
    """When somebody speaks."""
    claims: list[Claim] = []
    for task, done in results:
        rows = cast("list[dict[str, float]]", data_of(done, "segments") or [])
        name = scene.source(task) or "the recording"
        times = joined([f"{row['start_s']:.1f}–{row['end_s']:.1f} s" for row in rows[:40]]) if rows else ""
        stretches = counted(len(rows), "stretch")
        says = f"In {name} I found {stretches} of speech: {times}." if rows else f"Nobody speaks in {name}."
        claims.append(Claim(text=says, tasks=(task.id,)))
    return claims


def sound_made(scene: Scene, results: Results) -> list[Claim]:
    """Where each new sound file is, and how long it is."""
    claims: list[Claim] = []
    for task, done in results:
        made = file_of(done)
        if made is None:
            continue
        long = f" ({float(made.facts['duration_s']):.1f} s)" if made.facts.get("duration_s") else ""
        what = "Read aloud" if task.task == "text-to-speech" else f"The cleaned {scene.source(task) or 'recording'}"
        claims.append(Claim(text=f"{what}{long}: {scene.path(made)}", tasks=(task.id,)))
    return claims
