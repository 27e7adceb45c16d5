"""Requests cut up and joined at random, over lines and after an earlier turn: no exception, always whole."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from dragoman.planning.embedded import plan
from dragoman.planning.embedded.masks import kind_of_name
from dragoman.tasks import SPECS
from dragoman.values import Given, Plan, Request, Resource, Task, Turn, needs

HERE = Path(__file__).parent
NAMES = ("a.jpg", "b.jpg", "talk.wav", "clip.mp4", "t.csv", "c.pdf", "n.txt")
JOINTS = (", ", " and ", ". ", " then ", "; ", "\n", "\n\n", ": ")


def resource(name: str, *, made_by: str | None = None, text: str | None = None) -> Resource:
    kind = kind_of_name(name)
    assert kind is not None
    facts = {"made_by": made_by} if made_by else {}
    return Resource(name=name, kind=kind, media_type="x/y", sha256=name, text=text, facts=facts)


EARLIER = Turn(
    words="What does it say?",
    answer="…",
    asked=(resource("old.png"),),
    made=(
        resource("ocr.txt", made_by="optical-character-recognition", text="Ann"),
        resource("entities.json", made_by="token-classification"),
    ),
    plan=Plan(tasks=(Task(id=0, task="optical-character-recognition", args={"image": Given(name="old.png")}),)),
)


def wordings() -> list[str]:
    """All requests that the tests of the planning room hold."""
    lines = [
        line for path in sorted((HERE / "requests").glob("*.txt")) for line in path.read_text("utf-8").splitlines()
    ]
    paraphrases = sorted((HERE.parent / "paraphrases").glob("*.jsonl"))
    blind = [json.loads(line)["words"] for path in paraphrases for line in path.read_text("utf-8").splitlines()]
    return [line.rsplit("|", 2)[0].strip() for line in lines if "|" in line and not line.startswith("#")] + blind


def mixed(rng: Random, words: list[str]) -> str:
    """Two requests cut, shuffled or joined."""
    first, second = rng.choice(words), rng.choice(words)
    parts, others = first.split(), second.split()
    match rng.randrange(4):
        case 0:
            return " ".join(parts[: rng.randint(0, len(parts))] + others[rng.randint(0, len(others)) :])
        case 1:
            return " ".join(rng.sample(parts, len(parts)))
        case 2:
            return rng.choice(JOINTS).join((first, second))
        case _:
            return first[rng.randint(0, 20) :] + second[: rng.randint(0, 60)]


@pytest.mark.parametrize("seed", range(4))
def test_mixtures_of_requests_come_back_whole(seed: int):
    rng, words = Random(seed), wordings()
    for _ in range(250):
        files = tuple(resource(name) for name in rng.sample(NAMES, rng.randint(0, 4)))
        history = (EARLIER,) if rng.random() < 0.3 else ()
        planned = plan(Request(words=mixed(rng, words), resources=files, history=history))

        assert (planned.reply is not None) + (planned.fault is not None) + bool(planned.plan.tasks) == 1
        done: set[int] = set()
        for task in planned.plan.tasks:
            required = {slot.name for slot in SPECS[task.task].slots if slot.is_required}
            assert required <= task.args.keys()
            assert set(needs(task)) <= done
            done.add(task.id)
