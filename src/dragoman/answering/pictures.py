"""Sentences about what was found in pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import cast

from dragoman.answering.asked import asks_how_many, counted_noun, labels_named, wants_total
from dragoman.answering.scene import Scene, data_of, file_of, text_of
from dragoman.answering.wording import counted, joined, percent, plural, quoted
from dragoman.values import Claim, Done, Json, Resource, Task

__all__ = ["boxes", "caption", "likeness", "picture_labels", "picture_made", "points", "read_text", "segments"]

Results = Sequence[tuple[Task, Done]]
_TIE, _ALIKE = 0.02, 0.3  # scores closer than this are a tie; below that pictures of different things lie
_SURE = 0.15  # below this share a label is a guess, and called one


def picture_labels(scene: Scene, results: Results) -> list[Claim]:
    """What kind of thing each picture shows, with the expert's confidence."""
    return [Claim(text=_labels_sentence(scene, task, done), tasks=(task.id,)) for task, done in results]


def _labels_sentence(scene: Scene, task: Task, done: Done) -> str:
    rows = cast("list[dict[str, Json]]", data_of(done, "labels") or [])
    name = scene.source(task) or "the picture"
    if not rows:
        return f"I could not tell what {name} shows."
    first = rows[0]
    group, share = first.get("group"), first.get("group_score")
    others = joined([f"{row['label']} ({percent(row['score'])})" for row in rows[:3]])
    if group and share and share > _SURE:
        what = f"{_article(group)} {group} ({percent(share)} sure)"
        return f"{name} most likely shows {what}; the closest labels are {others}."
    lead = "most likely shows" if first["score"] > _SURE else "is hard to place; my best guesses are"
    return f"{name} {lead} {others}."


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def boxes(scene: Scene, results: Results) -> list[Claim]:
    """How many of what is in each picture; where a total was asked for, that first."""
    wanted = _wanted(scene, results)
    claims = [claim for task, done in results for claim in _boxes_claims(scene, task, done, wanted=wanted)]
    words = scene.request.words
    if len(results) > 1 and (wants_total(words) or asks_how_many(words)):
        claims.insert(0, _total(results, wanted=wanted))
    return claims


def _rows(done: Done) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", (data_of(done, "boxes") or {}).get("boxes", []))


def _names(row: dict[str, Json]) -> tuple[str, str]:
    label = str(row.get("label", ""))
    return label, str(row.get("group") or label)


def _wanted(scene: Scene, results: Results) -> list[str]:
    """The labels, of all pictures, that the words name; or the noun that they want counted; empty for everything."""
    labels = dict.fromkeys(name for _, done in results for row in _rows(done) for name in _names(row))
    noun = counted_noun(scene.request.words)
    return labels_named(scene.request.words, labels) or ([noun] if noun else [])


def _counts(done: Done, *, wanted: Sequence[str]) -> Counter[str]:
    """What was found, by label; of `wanted` labels only, if any, each with its number even if that is none."""
    if not wanted:
        return Counter(_names(row)[0] for row in _rows(done))
    found = [next((name for name in _names(row) if name in wanted), None) for row in _rows(done)]
    return Counter({label: found.count(label) for label in wanted})


def _total(results: Results, *, wanted: Sequence[str]) -> Claim:
    total: Counter[str] = Counter()
    for _, done in results:
        total.update(_counts(done, wanted=wanted))
    is_one = total.total() == 1
    says = f"There {'is' if is_one else 'are'} {_listed(total)} in the {len(results)} pictures together."
    return Claim(text=says, tasks=tuple(task.id for task, _ in results))


def _listed(counts: Counter[str]) -> str:
    return joined([counted(number, label) for label, number in counts.most_common()] or ["nothing"])


def _boxes_claims(scene: Scene, task: Task, done: Done, *, wanted: Sequence[str]) -> list[Claim]:
    rows = _rows(done)
    name = scene.source(task) or "the picture"
    found = _counts(done, wanted=wanted)
    if not rows:
        what = joined([plural(label) for label in wanted]) if wanted else "nothing"
        text = f"In {name} I found {'no ' if wanted else ''}{what} that this detector knows."
    elif found.total() == len(rows):
        scores = _span([float(row.get("score", 0)) for row in rows])
        text = f"In {name} I found {counted(len(rows), 'object')}: {_listed(found)} (confidence {scores})."
    else:
        others = Counter(_names(row)[0] for row in rows)
        text = f"In {name} I found {_listed(found)}, among {counted(len(rows), 'object')} in all ({_listed(others)})."
    claims = [Claim(text=text, tasks=(task.id,))]
    if (annotated := file_of(done)) is not None and rows:
        claims.append(_file_claim(scene, task, annotated, "The picture with what I found drawn in"))
    return claims


def _span(scores: Sequence[float]) -> str:
    low, high = percent(min(scores)), percent(max(scores))
    return low if low == high else f"{low} to {high}"


def likeness(scene: Scene, results: Results) -> list[Claim]:
    """Which picture is most like the first."""
    claims: list[Claim] = []
    for task, done in results:
        rows = cast("list[dict[str, Json]]", data_of(done, "likeness") or [])
        first = scene.source(task)
        if not rows:
            claims.append(Claim(text=f"I measured what {first or 'the picture'} looks like.", tasks=(task.id,)))
            continue
        claims.append(Claim(text=_likeness_sentence(rows, first), tasks=(task.id,)))
    return claims


def _likeness_sentence(rows: list[dict[str, Json]], first: str) -> str:
    order = sorted(rows, key=lambda row: -float(row["score"]))
    names = [f"{row['name']} ({float(row['score']):.2f})" for row in order]
    scores = [float(row["score"]) for row in order]
    scale = f"on a scale up to 1{', so not much' if scores[0] < _ALIKE else ''}"
    if len(order) == 1:
        return f"{names[0]} is like {first} to that degree, {scale}."
    if scores[0] - scores[1] < _TIE:
        return f"{joined(names)} are about equally like {first}, {scale}."
    return f"{names[0]} is more like {first} than {joined(names[1:])}, {scale}."


def read_text(scene: Scene, results: Results) -> list[Claim]:
    """What is written in each picture."""
    claims: list[Claim] = []
    for task, done in results:
        name = scene.source(task) or "the picture"
        text = text_of(done).strip()
        rows = cast("list[dict[str, Json]]", data_of(done, "lines") or [])
        scores = [float(row["score"]) for row in rows if row.get("score") is not None]
        sure = f" (read with {_span(scores)} confidence)" if scores else ""
        words = quoted(text)
        written = f"{name} says{sure}:{words}" if words.startswith("\n") else f"{name} says: {words}{sure}"
        says = written if text else f"I found no text in {name}."
        claims.append(Claim(text=says, tasks=(task.id,)))
    return claims


def caption(scene: Scene, results: Results) -> list[Claim]:
    """A description or an answer about a picture, as the expert put it."""
    return [Claim(text=text_of(done).strip() or "I could not say.", tasks=(task.id,)) for task, done in results]


def segments(scene: Scene, results: Results) -> list[Claim]:
    """What was cut out, and where the mask is."""
    claims: list[Claim] = []
    for task, done in results:
        rows = cast("list[dict[str, Json]]", data_of(done, "segments") or [])
        names = joined([str(row.get("label", "a part")) for row in rows[:20]]) if rows else "nothing"
        claims.append(Claim(text=f"In {scene.source(task)} I cut out {names}.", tasks=(task.id,)))
        if (mask := file_of(done)) is not None:
            claims.append(_file_claim(scene, task, mask, "The mask"))
    return claims


def points(scene: Scene, results: Results) -> list[Claim]:
    """How many people, faces and hands were found, of those that the expert looked for."""
    claims: list[Claim] = []
    for task, done in results:
        found = cast("dict[str, list[Json]]", data_of(done, "points") or {})
        kinds = [counted(len(found[key]), one) for key, one in _POINTED if key in found]
        claims.append(Claim(text=f"In {scene.source(task)} I found {joined(kinds)}.", tasks=(task.id,)))
        if (annotated := file_of(done)) is not None:
            claims.append(_file_claim(scene, task, annotated, "The picture with the points drawn in"))
    return claims


_POINTED = (("people", "person"), ("faces", "face"), ("hands", "hand"))
_MADE = {
    "canny-control": "The edges",
    "hed-control": "The soft outlines",
    "mlsd-control": "The straight lines",
    "normal-control": "The surface directions",
    "openpose-control": "The pose",
    "depth-control": "The depth map",
    "depth-estimation": "The depth map",
    "seg-control": "The regions",
    "scribble-control": "The scribble",
}


def picture_made(scene: Scene, results: Results) -> list[Claim]:
    """Where each new picture is."""
    claims: list[Claim] = []
    for task, done in results:
        if (made := file_of(done)) is not None:
            name = scene.source(task, "image")
            of = f" of {name}" if name else ""
            claims.append(_file_claim(scene, task, made, _MADE.get(task.task, "The new picture") + of))
    return claims


def _file_claim(scene: Scene, task: Task, made: Resource, what: str) -> Claim:
    return Claim(text=f"{what}: {scene.path(made)}", tasks=(task.id,))
