"""Selection: fit before rank, one call of the mind for the whole plan, refusals that say what would help."""

import json
from collections.abc import AsyncIterator, Callable

import pytest

from dragoman.backends.base import Availability
from dragoman.errors import MindUnavailable
from dragoman.minds.base import Ask, Reply
from dragoman.models.card import ModelCard
from dragoman.selection.rank import Candidate, language_wanted, ranked
from dragoman.selection.selector import Selected, Selector
from dragoman.testing import FakeBackend, card
from dragoman.values import Plan, Ref, Request, Task

REQUEST = Request(words='Say "olá" & what\'s {{odd}}')


class Picking:
    """A mind that gives one reply and remembers what it was asked."""

    name = "picking"
    context_tokens = 8000

    def __init__(self, reply: str | Exception) -> None:
        self.asked: list[Ask] = []
        self._reply = reply

    async def ask(self, question: Ask) -> Reply:
        self.asked.append(question)
        if isinstance(self._reply, Exception):
            raise self._reply
        return Reply(text=self._reply, model=self.name, tokens_in=10, tokens_out=5)

    def stream(self, question: Ask) -> AsyncIterator[str | Reply]:
        raise NotImplementedError

    async def aclose(self) -> None:
        pass


def backend(*cards: ModelCard, is_local: bool = True, name: str = "fake") -> FakeBackend:
    made = FakeBackend({}, name=name, cards=cards)
    made.is_local = is_local
    return made


def plan(*tasks: Task) -> Plan:
    return Plan(tasks=tasks)


def one(name: str, **args: object) -> Task:
    return Task(id=0, task=name, args=args)


async def choose(selector: Selector, *tasks: Task) -> Selected:
    return await selector.choose(plan(*tasks), REQUEST)


async def test_the_better_ranked_expert_is_chosen_and_the_others_stand_in():
    """Three experts of one task."""
    cards = [card("summarization", id=name, rank=rank) for name, rank in (("c", 30), ("a", 10), ("b", 20))]

    selected = await choose(Selector(backends=[backend(*cards)]), one("summarization", text="x"))

    choice = selected.choices[0]
    assert (choice.model, choice.stand_ins) == ("a", (("fake", "b"), ("fake", "c")))


async def test_local_comes_before_remote_and_where_narrows_it():
    """The remote expert has the better rank."""
    local = backend(card("summarization", id="near", rank=90), name="box")
    remote = backend(card("summarization", id="far", rank=1), is_local=False, name="web")
    task = one("summarization", text="x")

    anywhere = await choose(Selector(backends=[remote, local]), task)
    only_remote = await choose(Selector(backends=[remote, local], where="remote"), task)

    assert anywhere.choices[0].model == "near"
    assert (only_remote.choices[0].model, only_remote.choices[0].stand_ins) == ("far", ())


async def test_speech_in_another_language_never_gets_an_english_voice():
    """Two voices; a target of pt-BR; then one that no voice has."""
    voices = [card("text-to-speech", id=f"voice-{code}", languages=(code,)) for code in ("en", "pt")]
    selector = Selector(backends=[backend(*voices)])

    spoken = await choose(selector, one("text-to-speech", text="olá", target="pt-BR"))
    refused = await choose(selector, one("text-to-speech", text="hallo", target="de"))

    assert spoken.choices[0].model == "voice-pt"
    assert refused.choices == {}
    assert "no expert for text-to-speech in `de` here (there are: en, pt)" in refused.refusals[0]


def test_what_is_spoken_of_a_translation_is_in_its_target_language():
    """No target is said at the speech task itself."""
    translate = Task(id=0, task="translation", args={"text": "Where?", "target": "pt"})
    speak = Task(id=1, task="text-to-speech", args={"text": Ref(task=0)}, dep=(0,))

    assert language_wanted(speak, plan(translate, speak)) == "pt"


async def test_a_task_that_nobody_serves_is_refused_with_what_would_help():
    """The rest of the plan keeps its experts."""
    selector = Selector(backends=[backend(card("summarization"))])

    selected = await selector.choose(
        plan(one("summarization", text="x"), Task(id=1, task="text-to-image", args={"text": "a fox"})), REQUEST
    )

    assert list(selected.choices) == [0]
    assert "HF_TOKEN" in selected.refusals[1]
    assert "make a new picture from a description" in selected.refusals[1]


async def test_a_refusal_claims_no_help_that_is_none():
    """No provider serves depth; and who has a token is not told to get one."""
    remote = backend(is_local=False, name="providers")
    depth = Task(id=0, task="depth-estimation", args={"image": "x"})

    selected = await choose(Selector(backends=[backend()]), depth)
    with_token = await choose(Selector(backends=[remote]), one("text-to-image", text="a fox"))

    assert "HF_TOKEN" not in selected.refusals[0]
    assert "a row for a service that can (docs/providers.md) would add one" in selected.refusals[0]
    assert "HF_TOKEN" not in with_token.refusals[0]


async def test_the_choice_of_a_remote_expert_says_that_data_is_sent():
    """The only expert."""
    remote = backend(card("summarization", id="far"), is_local=False, name="web")

    selected = await choose(Selector(backends=[remote]), one("summarization", text="x"))

    assert selected.choices[0].reason == "the only expert that can run it here; what the task needs is sent there"


async def test_an_expert_that_can_not_run_now_says_why():
    """Its extra is not installed."""

    class Missing(FakeBackend):
        async def availability(self, card: ModelCard) -> Availability:
            return Availability(can_run=False, because="needs pip install 'dragoman[box]'")

    selector = Selector(backends=[Missing({}, cards=[card("summarization", id="short")])])

    selected = await choose(selector, one("summarization", text="x"))

    assert selected.refusals[0] == ("no expert for summarization can run now: short: needs pip install 'dragoman[box]'")


async def test_offline_only_what_is_fetched_counts():
    """The only expert would have to be fetched."""
    selector = Selector(backends=[FakeBackend({}, cards=[card("summarization")], needs_bytes=10)], is_offline=True)

    assert (await choose(selector, one("summarization", text="x"))).choices == {}


async def test_the_mind_picks_for_all_tasks_in_one_call():
    """Two tasks with two experts each, one with a single expert that is not asked about."""
    cards = [card(task, id=f"{task}-{n}", rank=n) for task in ("summarization", "translation") for n in (1, 2)]
    picks = {"0": {"id": "summarization-2", "reason": "better"}, "1": {"id": "made-up", "reason": "?"}}
    mind = Picking(json.dumps(picks))
    heard: list[str] = []
    selector = Selector(
        backends=[backend(*cards, card("fill-mask"))], mind=mind, heard=lambda stage, reply: heard.append(stage)
    )

    selected = await selector.choose(
        plan(
            one("summarization", text="x"),
            Task(id=1, task="translation", args={"text": "x", "target": "pt"}),
            Task(id=2, task="fill-mask", args={"text": "x"}),
        ),
        REQUEST,
    )

    assert (selected.choices[0].model, selected.choices[0].reason) == ("summarization-2", "better")
    assert selected.choices[1].model == "translation-1"
    assert len(mind.asked) == 1
    assert heard == ["choose"]
    assert mind.asked[0].messages[-1].content == REQUEST.words
    assert "fill-mask-" not in mind.asked[0].messages[0].content


@pytest.mark.parametrize(
    "reply", ["", "no idea", "null", "[1, 2]", '{"0": null}', '{"0": {"id": 7}}', "{", MindUnavailable("gone")]
)
async def test_a_mind_that_fails_or_rambles_leaves_it_to_the_rank(reply: str | Exception):
    """Nothing readable, or nothing at all."""
    cards = [card("summarization", id=f"s{n}", rank=n) for n in (1, 2)]

    selected = await choose(Selector(backends=[backend(*cards)], mind=Picking(reply)), one("summarization", text="x"))

    assert selected.choices[0].model == "s1"


def test_what_has_failed_here_before_comes_later():
    """The record of this machine goes before the card's own rank."""
    candidates = [
        Candidate(card=card("summarization", id=name, rank=rank), backend="b", is_local=True)
        for name, rank in (("flaky", 1), ("steady", 2))
    ]
    pick: Callable[[dict[str, float]], str] = lambda record: ranked(candidates, record=record)[0].card.id  # noqa: E731

    assert pick({}) == "flaky"
    assert pick({"flaky": 0.2, "steady": 1.0}) == "steady"
