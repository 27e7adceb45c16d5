"""Sentences about what was found in, or made of, text and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

from dragoman.answering.asked import entity_groups
from dragoman.answering.scene import Scene, data_of, file_of, text_of
from dragoman.answering.wording import joined, percent, quoted, safe, shortened
from dragoman.values import Claim, Done, Json, Task

__all__ = ["anything", "entities", "meaning", "similarity", "summary", "table_quality", "text_answer", "translation"]

Results = Sequence[tuple[Task, Done]]
_GROUP_NAMES: Mapping[str, str] = {
    "PERSON": "people", "PER": "people", "GPE": "places", "LOC": "places", "FAC": "places", "ORG": "organisations",
    "DATE": "dates", "TIME": "times", "MONEY": "amounts of money", "QUANTITY": "quantities", "CARDINAL": "numbers",
    "ORDINAL": "ordinals", "PERCENT": "percentages", "NORP": "nationalities and groups", "PRODUCT": "products",
    "EVENT": "events", "WORK_OF_ART": "works", "LAW": "laws", "LANGUAGE": "languages", "MISC": "other names",
}  # fmt: skip
_LANGUAGES: Mapping[str, str] = {
    "en": "English", "pt": "Portuguese", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian",
    "zh": "Chinese", "ja": "Japanese", "ru": "Russian", "nl": "Dutch", "ar": "Arabic", "ko": "Korean",
}  # fmt: skip


def entities(scene: Scene, results: Results) -> list[Claim]:
    """Who and what is named; only the kinds asked for, where the words ask for some."""
    wanted = entity_groups(scene.request.words)
    return [Claim(text=_entities_sentence(done, wanted), tasks=(task.id,)) for task, done in results]


def _entities_sentence(done: Done, wanted: frozenset[str]) -> str:
    rows = cast("list[dict[str, Json]]", data_of(done, "entities") or [])
    groups: dict[str, dict[str, None]] = {}
    for row in rows:
        kind = str(row["entity_group"])
        if not wanted or kind in wanted:
            groups.setdefault(_GROUP_NAMES.get(kind, kind.lower()), {})[safe(str(row["word"]))] = None
    if not groups:
        asked = joined(dict.fromkeys(_GROUP_NAMES.get(kind, kind.lower()) for kind in sorted(wanted)) or ["names"])
        return f"I found no {asked} in it."
    parts = [f"{name}: {', '.join(words)}" for name, words in groups.items()]
    return "Named are " + "; ".join(parts) + "."


def meaning(scene: Scene, results: Results) -> list[Claim]:
    """Which class a text belongs to; for sentiment, which way it leans."""
    claims: list[Claim] = []
    for task, done in results:
        rows = cast("list[dict[str, Json]]", data_of(done, "labels") or [])
        if not rows:
            claims.append(Claim(text="I could not tell which class the text belongs to.", tasks=(task.id,)))
            continue
        best, *others = [f"{safe(str(row['label'])).lower()} ({percent(float(row['score']))})" for row in rows[:4]]
        lead = "Its sentiment is" if task.task == "text-classification" else "It fits best with"
        rest = f", before {joined(others)}" if others else ""
        claims.append(Claim(text=f"{lead} {best}{rest}.", tasks=(task.id,)))
    return claims


def similarity(scene: Scene, results: Results) -> list[Claim]:
    """How close in meaning the texts are to the first."""
    claims: list[Claim] = []
    for task, done in results:
        rows = cast("list[dict[str, Json]]", data_of(done, "similarity") or [])
        order = sorted(rows, key=lambda row: -float(row["score"]))
        parts = [f"{quoted(str(row['text']), chars=120).strip()} ({float(row['score']):.2f})" for row in order]
        lead = "In meaning, closest to the first is" if len(parts) > 1 else "How close the first is in meaning to"
        claims.append(Claim(text=f"{lead} {', then '.join(parts)}, on a scale up to 1.", tasks=(task.id,)))
    return claims


def translation(scene: Scene, results: Results) -> list[Claim]:
    """The translated text."""
    claims: list[Claim] = []
    for task, done in results:
        target = str(task.args.get("target", ""))
        language = _LANGUAGES.get(target.partition("-")[0], target)
        lead = f"In {language}" if language else "Translated"
        claims.append(Claim(text=f"{lead}: {quoted(text_of(done))}", tasks=(task.id,)))
    return claims


def summary(scene: Scene, results: Results) -> list[Claim]:
    """The shortened text."""
    return [
        Claim(text=f"{_of(scene, task, 'In short')}: {quoted(text_of(done), chars=4000)}", tasks=(task.id,))
        for task, done in results
    ]


def _of(scene: Scene, task: Task, lead: str) -> str:
    name = scene.source(task)
    return f"{lead} ({name})" if name else lead


def text_answer(scene: Scene, results: Results) -> list[Claim]:
    """An expert's own words, quoted unless it quotes its source itself."""
    claims: list[Claim] = []
    for task, done in results:
        text = safe(text_of(done)).strip()
        if not text:
            says = (
                f"I did not find that in {scene.source(task, 'context') or scene.source(task) or 'what I was given'}."
            )
        else:
            says = text if "“" in text else quoted(text, chars=4000).strip()
        claims.append(Claim(text=says, tasks=(task.id,)))
    return claims


def table_quality(scene: Scene, results: Results) -> list[Claim]:
    """How well a column can be predicted, beside always guessing the same, and where the predictions are."""
    claims: list[Claim] = []
    for task, done in results:
        quality = cast("dict[str, Json]", data_of(done, "quality") or {})
        claims.append(Claim(text=_quality_sentence(quality, scene.source(task)), tasks=(task.id,)))
        if (made := file_of(done)) is not None:
            claims.append(Claim(text=f"The predictions: {scene.path(made)}", tasks=(task.id,)))
    return claims


def _quality_sentence(quality: Mapping[str, Json], name: str) -> str:
    column = safe(str(quality.get("column", "the column")))
    folds = f"measured on rows of {name} that it had not seen, {quality.get('folds')} folds"
    match quality:
        case {"accuracy": float(right), "baseline_accuracy": float(guess)}:
            how_well = f"right for {percent(right)} of the rows (always guessing the commonest: {percent(guess)})"
        case {"r2": float(share), "mae": float(off), "baseline_mae": float(guess)}:
            how_well = f"off by {off:.3g} on average (guessing the mean: {guess:.3g}; r2 {share:.2f})"
        case _:
            how_well = ", ".join(f"{key} {value}" for key, value in quality.items())
    return f"I can predict `{column}`: {how_well}, {folds}."


def anything(scene: Scene, results: Results) -> list[Claim]:
    """Whatever a task made that has no sentence of its own: its words, its file, or its data, shortened."""
    claims: list[Claim] = []
    for task, done in results:
        if (made := file_of(done)) is not None:
            text = f"The result of {task.task}: {scene.path(made)}"
        elif words := text_of(done).strip():
            text = quoted(words).strip()
        else:
            data = [output.resource.data for output in done.outputs if output.resource.kind == "data"]
            text = f"The result of {task.task}: {shortened(msgspec.json.encode(data).decode(), chars=300)}"
        claims.append(Claim(text=text, tasks=(task.id,)))
    return claims
