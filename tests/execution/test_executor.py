"""The executor: resolved arguments, stand-ins, retries, fan-out, kept results."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dragoman import events as ev
from dragoman.backends.base import Call, Item, Produced
from dragoman.errors import ExpertError
from dragoman.execution.downloads import Downloads
from dragoman.execution.executor import Executor
from dragoman.execution.resolve import Resolver
from dragoman.execution.retry import ATTEMPTS, delay_s
from dragoman.journal.log import Journal
from dragoman.journal.stream import Stream
from dragoman.models.card import ModelCard
from dragoman.store import Store
from dragoman.testing import FakeBackend, data, media, words
from dragoman.values import Choice, Done, Failed, Given, Outcome, Plan, Ref, Resource, Skipped, Task, Template

WAV = b"RIFF, and whatever else"


@dataclass
class Ran:
    plan: Plan
    outcomes: Mapping[int, Outcome]
    events: list[ev.Event]
    slept: list[float]
    moved_bytes: int = 0


def resource(store: Store, name: str, **fields: Any) -> Resource:
    kind = fields.pop("kind", "text")
    fields.setdefault("facts", {})
    return store.keep(name=name, kind=kind, media_type=fields.pop("media_type", "text/plain"), **fields)


def choices(plan: Plan, *models: tuple[str, str]) -> dict[int, Choice]:
    return {
        task.id: Choice(
            task=task.id,
            model=models[0][1] if models else f"fake-{task.task}",
            backend=models[0][0] if models else "fake",
            reason="only",
            stand_ins=models[1:],
        )
        for task in plan.tasks
    }


async def execute(
    tmp_path: Path,
    plan: Plan,
    *backends: FakeBackend,
    chosen: dict[int, Choice] | None = None,
    ledger: tuple[Resource, ...] = (),
    **allowed: Any,
) -> Ran:
    journal = Journal(tmp_path / "journal.sqlite")
    stream = Stream(journal, run="r")
    seen: list[ev.Event] = []
    stream.listen(seen.append)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    executor = Executor(
        backends={backend.name: backend for backend in backends},
        cards={(backend.name, one.id): one for backend in backends for one in backend.cards()},
        choices=choices(plan) if chosen is None else chosen,
        refusals={},
        resolver=Resolver(store=Store(tmp_path), ledger={one.name: one for one in ledger}),
        downloads=Downloads(stream=stream, **({"may_download": True, "is_offline": False, "limit_bytes": 0} | allowed)),
        stream=stream,
        out=tmp_path / "out",
        task_timeout_s=5,
        rng=Random(1),
        sleep=sleep,
    )
    grown, outcomes = await executor.run(plan)
    await stream.settled()
    journal.close()
    return Ran(grown, outcomes, seen, slept, executor.downloads.moved_bytes)


def shouting(call: Call) -> tuple[Produced, ...]:
    return words(str(call.args["text"]).upper())


async def test_a_ref_becomes_what_the_earlier_task_made(tmp_path: Path):
    """Summary, then speech of it: the speaker is given the summary's words."""
    plan = Plan(
        tasks=(
            Task(id=0, task="summarization", args={"text": "hello"}),
            Task(id=1, task="text-to-speech", args={"text": Ref(task=0)}),
        )
    )
    backend = FakeBackend({"summarization": shouting, "text-to-speech": lambda call: [media(WAV)]})

    ran = await execute(tmp_path, plan, backend)

    assert backend.calls[1].args == {"text": "HELLO"}
    assert isinstance(ran.outcomes[1], Done)
    assert (tmp_path / "out" / "1-text-to-speech.wav").read_bytes() == WAV
    assert ran.outcomes[1].outputs[0].resource.name == "1-text-to-speech.wav"


async def test_a_ref_inside_words_is_written_out(tmp_path: Path):
    """`Say: <resource>-0!`"""
    plan = Plan(
        tasks=(
            Task(id=0, task="summarization", args={"text": "hello"}),
            Task(id=1, task="summarization", args={"text": Template(parts=("Say: ", Ref(task=0), "!"))}),
        )
    )
    backend = FakeBackend({"summarization": shouting})

    await execute(tmp_path, plan, backend)

    assert backend.calls[1].args == {"text": "Say: HELLO!"}


async def test_a_label_picks_the_elements_that_bear_it(tmp_path: Path):
    """The people of the entities, as words where words are wanted."""
    rows = [
        {"entity_group": "PERSON", "word": "Ada Lovelace"},
        {"entity_group": "GPE", "word": "London"},
        {"entity_group": "PERSON", "word": "Ada Lovelace"},
        {"entity_group": "PERSON", "word": "Charles Babbage"},
    ]
    plan = Plan(
        tasks=(
            Task(id=0, task="token-classification", args={"text": "…"}),
            Task(id=1, task="summarization", args={"text": Ref(task=0, pick="PERSON")}),
        )
    )
    backend = FakeBackend({"token-classification": lambda call: data(rows, name="entities"), "summarization": shouting})

    await execute(tmp_path, plan, backend)

    assert backend.calls[1].args == {"text": "Ada Lovelace, Charles Babbage"}


async def test_a_given_file_arrives_as_an_item_and_a_given_text_as_words(tmp_path: Path):
    """A picture slot gets the file, a text slot the words."""
    store = Store(tmp_path)
    note = resource(store, "note.txt", text="read me")
    image = resource(store, "a.png", kind="image", media_type="image/png", payload=b"png")
    plan = Plan(
        tasks=(
            Task(id=0, task="image-classification", args={"image": Given(name="a.png")}),
            Task(id=1, task="summarization", args={"text": Given(name="note.txt")}),
        )
    )
    backend = FakeBackend({"image-classification": lambda call: data([]), "summarization": shouting})

    await execute(tmp_path, plan, backend, ledger=(note, image))

    by_task = {call.task: call.args for call in backend.calls}
    item = by_task["image-classification"]["image"]
    assert isinstance(item, Item)
    assert item.path.read_bytes() == b"png"
    assert by_task["summarization"] == {"text": "read me"}


async def test_a_kind_that_does_not_fit_fails_the_task_with_the_reason(tmp_path: Path):
    """A sound where a picture is due."""
    sound = resource(Store(tmp_path), "a.wav", kind="audio", media_type="audio/wav", payload=WAV)
    plan = Plan(tasks=(Task(id=0, task="image-classification", args={"image": Given(name="a.wav")}),))

    ran = await execute(tmp_path, plan, FakeBackend({"image-classification": lambda call: data([])}), ledger=(sound,))

    outcome = ran.outcomes[0]
    assert isinstance(outcome, Failed)
    assert "wanted image for `image`; `a.wav` is audio" in outcome.reason


async def test_a_stand_in_takes_over(tmp_path: Path):
    """The first expert gives up for good; the second does it."""

    def broken(call: Call) -> tuple[Produced, ...]:
        raise ExpertError("no")

    plan = Plan(tasks=(Task(id=0, task="summarization", args={"text": "a"}),))
    first, second = (
        FakeBackend({"summarization": broken}, name="one"),
        FakeBackend({"summarization": shouting}, name="two"),
    )

    ran = await execute(
        tmp_path,
        plan,
        first,
        second,
        chosen=choices(plan, ("one", "fake-summarization"), ("two", "fake-summarization")),
    )

    outcome = ran.outcomes[0]
    assert isinstance(outcome, Done)
    assert (outcome.backend, outcome.attempts) == ("two", 2)
    assert ran.slept == []


async def test_a_file_is_called_by_its_name_and_one_reason_is_told_once(tmp_path: Path):
    """Two experts that can't read the same file, which they know by its hash."""

    def deaf(call: Call) -> tuple[Produced, ...]:
        raise ExpertError(f"`{call.args['image'].path.name}` is broken.")

    image = resource(Store(tmp_path), "a.png", kind="image", media_type="image/png", payload=b"png")
    plan = Plan(tasks=(Task(id=0, task="image-classification", args={"image": Given(name="a.png")}),))
    backends = [FakeBackend({"image-classification": deaf}, name=name) for name in ("one", "two")]
    chosen = choices(plan, *((backend.name, "fake-image-classification") for backend in backends))

    ran = await execute(tmp_path, plan, *backends, chosen=chosen, ledger=(image,))

    assert isinstance(ran.outcomes[0], Failed)
    assert ran.outcomes[0].reason == "`a.png` is broken."


async def test_only_what_can_pass_is_tried_again(tmp_path: Path):
    """A passing failure is tried thrice with growing waits, then the task fails with the reason."""

    def busy(call: Call) -> tuple[Produced, ...]:
        raise ExpertError("busy", is_passing=True)

    plan = Plan(tasks=(Task(id=0, task="summarization", args={"text": "a"}),))

    ran = await execute(tmp_path, plan, FakeBackend({"summarization": busy}))

    outcome = ran.outcomes[0]
    assert isinstance(outcome, Failed)
    assert (outcome.reason, outcome.attempts) == ("busy", ATTEMPTS)
    assert len(ran.slept) == ATTEMPTS - 1


async def test_a_list_in_a_slot_that_takes_one_grows_a_task_per_element(tmp_path: Path):
    """Three pictures for a detector: three tasks with ids of their own, gathered under the first."""
    store = Store(tmp_path)
    images = tuple(resource(store, f"{n}.png", kind="image", media_type="image/png", payload=n.encode()) for n in "abc")
    plan = Plan(
        tasks=(
            Task(id=0, task="image-classification", args={"image": [Given(name=f"{n}.png") for n in "abc"]}),
            Task(id=1, task="summarization", args={"text": Ref(task=0, pick="labels-2")}),
        )
    )
    backend = FakeBackend(
        {
            "image-classification": lambda call: data([{"label": call.args["image"].path.read_text()}]),
            "summarization": shouting,
        }
    )

    ran = await execute(tmp_path, plan, backend, ledger=images)

    assert [task.id for task in ran.plan.tasks] == [0, 1, 2, 3, 4]
    assert all(isinstance(outcome, Done) for outcome in ran.outcomes.values())
    assert [type(event).__name__ for event in ran.events].count("PlanGrew") == 1
    assert backend.calls[-1].args == {"text": "b"}


async def test_several_results_in_a_slot_that_takes_one_grow_tasks_too(tmp_path: Path):
    """What was gathered from three is spoken one by one."""
    store = Store(tmp_path)
    notes = tuple(resource(store, f"{n}.txt", text=n) for n in "xyz")
    plan = Plan(
        tasks=(
            Task(id=0, task="summarization", args={"text": [Given(name=f"{n}.txt") for n in "xyz"]}),
            Task(id=1, task="text-to-speech", args={"text": Ref(task=0)}),
        )
    )
    backend = FakeBackend({"summarization": shouting, "text-to-speech": lambda call: [media(WAV)]})

    await execute(tmp_path, plan, backend, ledger=notes)

    spoken = [call.args["text"] for call in backend.calls if call.task == "text-to-speech"]
    assert sorted(spoken) == ["X", "Y", "Z"]


async def test_a_task_without_an_expert_fails_with_no_attempt_and_the_rest_runs(tmp_path: Path):
    """Edges, then a picture along them that nobody can paint, then its caption."""
    plan = Plan(
        tasks=(
            Task(id=0, task="summarization", args={"text": "a"}),
            Task(id=1, task="text-to-image", args={"text": "a fox"}),
            Task(id=2, task="image-to-text", args={"image": Ref(task=1)}),
        )
    )

    ran = await execute(
        tmp_path,
        plan,
        FakeBackend({"summarization": shouting}),
        chosen={0: Choice(task=0, model="fake-summarization", backend="fake", reason="")},
    )

    assert [type(ran.outcomes[id_]) for id_ in (0, 1, 2)] == [Done, Failed, Skipped]
    assert ran.outcomes[1].attempts == 0  # pyright: ignore[reportAttributeAccessIssue]


async def test_weights_are_fetched_once_for_several_tasks(tmp_path: Path):
    """Two tasks on one expert at the same time."""
    plan = Plan(tasks=tuple(Task(id=n, task="summarization", args={"text": "a"}) for n in range(2)))
    backend = FakeBackend({"summarization": shouting}, needs_bytes=10)

    ran = await execute(tmp_path, plan, backend)

    assert backend.fetched == ["fake-summarization"]
    assert any(isinstance(event, ev.Fetching) for event in ran.events)


async def test_what_is_fetched_at_the_same_time_is_counted_whole(tmp_path: Path):
    """Two cards, each 10 bytes, whose fetches overlap."""

    class Slow(FakeBackend):
        async def prepare(self, card: ModelCard, *, tell: Callable[[int, int], None]) -> int:
            await asyncio.sleep(0.01)
            tell(10, 10)
            tell(10, 10)
            return await super().prepare(card, tell=tell)

    names = ("summarization", "translation")
    plan = Plan(tasks=tuple(Task(id=n, task=name, args={"text": "a"}) for n, name in enumerate(names)))

    ran = await execute(tmp_path, plan, Slow(dict.fromkeys(names, shouting), needs_bytes=10))

    assert ran.moved_bytes == 20
    assert sum(isinstance(event, ev.Fetching) for event in ran.events) == 2


async def test_a_download_beyond_the_allowance_fails_the_task_and_names_the_command(tmp_path: Path):
    """Nobody can be asked, and the limit is 5 bytes."""
    plan = Plan(tasks=(Task(id=0, task="summarization", args={"text": "a"}),))
    backend = FakeBackend({"summarization": shouting}, needs_bytes=10)

    ran = await execute(tmp_path, plan, backend, may_download=False, limit_bytes=5)

    assert isinstance(ran.outcomes[0], Failed)
    assert "would have to be fetched" in ran.outcomes[0].reason
    assert backend.fetched == []


async def test_no_more_calls_at_a_time_than_the_backend_takes(tmp_path: Path):
    """Six tasks on a backend that takes two."""
    running = 0
    most = 0

    class Counting(FakeBackend):
        async def run(self, call: Call) -> tuple[Produced, ...]:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.01)
            running -= 1
            return words("x")

    plan = Plan(tasks=tuple(Task(id=n, task="summarization", args={"text": "a"}) for n in range(6)))

    await execute(tmp_path, plan, Counting({"summarization": shouting}, limit=2))

    assert most == 2


@pytest.mark.parametrize("attempt", range(6))
def test_waits_are_jittered_and_capped(attempt: int):
    """Uniform between nothing and the cap."""
    waits = [delay_s(attempt, base_s=0.5, cap_s=4.0, rng=Random(seed)) for seed in range(50)]

    assert all(0 <= wait <= min(4.0, 0.5 * 2**attempt) for wait in waits)
    assert len(set(waits)) > 40
