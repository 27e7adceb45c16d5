"""Requests with their plans, to show a mind: those nearest to the request, and not all of one kind."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from dragoman.tasks import SPECS
from dragoman.values import Json, Kind, Request, Value

__all__ = ["Demonstration", "File", "by_words", "demonstrations", "nearest"]

FOLDER = Path(__file__).with_name("demonstrations")
Likeness = Callable[[str, Sequence[str]], Sequence[float]]  # of a text to each of the others, 0..1

_NAME = re.compile(r"\S+\.\w{2,4}\b")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


class File(Value, frozen=True, kw_only=True):
    """A resource of a demonstration: its name and kind; of one that an earlier turn made, also what made it."""

    name: str
    kind: Kind
    made_by: str | None = None
    output: str | None = None
    text: str | None = None
    data: Json = None


class EarlierTurn(Value, frozen=True, kw_only=True):
    """An earlier exchange of a demonstration."""

    words: str
    answer: str
    asked: tuple[File, ...] = ()
    made: tuple[File, ...] = ()
    plan: list[dict[str, Json]] = []


class Demonstration(Value, frozen=True, kw_only=True):
    """A request, what was handed over with it, what was said before, and the plan in the paper's template."""

    request: str
    files: tuple[File, ...] = ()
    history: tuple[EarlierTurn, ...] = ()
    plan: list[dict[str, Json]] = []

    def tasks(self) -> tuple[str, ...]:
        """The names of its tasks, in order."""
        return tuple(str(task["task"]) for task in self.plan)

    def likened(self) -> str:
        """What a request is compared with: the demonstration's own words and those of its tasks' descriptions."""
        specs = [SPECS[task] for task in dict.fromkeys(self.tasks()) if task in SPECS]
        return " ".join([self.request, *(f"{spec.name} {spec.description}" for spec in specs)])

    def text(self) -> str:
        """The demonstration as a mind is shown it: earlier turns, names of resources, request, reply."""
        lines = [f"(before) {json.dumps(turn.words, ensure_ascii=False)}" for turn in self.history]
        made = [file for turn in self.history for file in (*turn.asked, *turn.made)]
        names = [{"name": file.name, "kind": file.kind} for file in (*self.files, *made)]
        lines.append(f"Resources: {json.dumps(names, ensure_ascii=False) if names else '(none)'}")
        lines.append(f"Request: {self.request}")
        lines.append(f'{{"tasks": {json.dumps(self.plan, ensure_ascii=False)}, "reply": null}}')
        return "\n".join(lines)


@lru_cache(maxsize=1)
def demonstrations() -> tuple[Demonstration, ...]:
    """Every demonstration that is packaged, one file a family."""
    decoder = msgspec.json.Decoder(Demonstration)
    return tuple(
        decoder.decode(line)
        for path in sorted(FOLDER.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    )


def nearest(
    request: Request,
    *,
    count: int = 4,
    guess: Collection[str] = (),
    pool: Sequence[Demonstration] | None = None,
    likeness: Likeness | None = None,
) -> tuple[Demonstration, ...]:
    """The `count` demonstrations that teach most about the request, most like it last.

    Near in words (or by `likeness`, where vectors are at hand), in the kinds of resources, and in tasks, where there is
    a `guess` at those; each new one counted less for every task that those before it have shown, since a plan needs
    other tasks than its nearest neighbour's too. Four are enough, one kind of task alone is not (HuggingGPT, table
    7 and figure 3). Those without a plan are shown to no one: whether to refuse is not learnt from likeness.
    """
    shown = demonstrations() if pool is None else pool
    usable = [demo for demo in shown if demo.plan and (not demo.history or request.history)]
    likes = (likeness or by_words)(request.words, [demo.likened() for demo in usable])
    kinds: Counter[Kind] = Counter(resource.kind for resource in request.resources)
    scores = {
        at: like + _kinds_bonus(kinds, demo) + _tasks_bonus(guess, demo)
        for at, (demo, like) in enumerate(zip(usable, likes, strict=True))
    }
    chosen: list[int] = []
    seen: Counter[str] = Counter()
    while scores and len(chosen) < count:
        best = max(scores, key=lambda at: scores[at] - _sameness(usable[at], seen))
        del scores[best]
        chosen.append(best)
        seen.update(usable[best].tasks())
    return tuple(usable[at] for at in reversed(chosen))


def _kinds_bonus(kinds: Counter[Kind], demo: Demonstration) -> float:
    """0..0.15 for the same kinds of resources."""
    its = Counter(file.kind for file in demo.files)
    every = set(kinds) | set(its)
    return 0.15 * sum(kind in kinds and kind in its for kind in every) / len(every) if every else 0.1


def _tasks_bonus(guess: Collection[str], demo: Demonstration) -> float:
    """0..0.6: how well the demonstration's tasks are the guessed ones."""
    tasks, guessed = set(demo.tasks()), set(guess)
    return 0.6 * 2 * len(tasks & guessed) / (len(tasks) + len(guessed))


def _sameness(demo: Demonstration, seen: Counter[str]) -> float:
    """0..0.4: how much of the demonstration was shown already."""
    tasks = set(demo.tasks())
    return 0.4 * sum(min(seen[task], 2) / 2 for task in tasks) / len(tasks)


def by_words(text: str, others: Sequence[str]) -> list[float]:
    """The cosine of the texts' words, rare ones counting more; letters in pairs where a script has no spaces."""
    bags = [_bag(other) for other in others]
    documents = Counter(word for bag in bags for word in bag)
    # Squared, so that `the` and `it` don't outweigh the words that name a task.
    weight = {word: math.log((1 + len(bags)) / (1 + count)) ** 2 for word, count in documents.items()}
    own = _weighted(_bag(text), weight)
    return [_cosine(own, _weighted(bag, weight)) for bag in bags]


def _bag(text: str) -> Counter[str]:
    masked = _NAME.sub(" ", text.casefold())
    words = re.findall(r"[^\W\d_]+", masked)
    bag: Counter[str] = Counter()
    for word in words:
        if _SPACELESS.search(word):
            bag.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            bag[word] += 1
            if len(word) > 4:
                bag[f"{word[:4]}~"] += 1  # `translate`, `translation`
    return bag


def _weighted(bag: Mapping[str, int], weight: Mapping[str, float]) -> dict[str, float]:
    return {word: math.sqrt(count) * weight[word] for word, count in bag.items() if word in weight}


def _cosine(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    dot = sum(value * b[word] for word, value in a.items() if word in b)
    length = math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
    return dot / length if length else 0.0
