"""The four stages end to end, over fake experts."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from dragoman import Dragoman, DragomanSync
from dragoman import events as ev
from dragoman.backends.base import Call, Produced
from dragoman.errors import ExpertError, StoreError, UsageError
from dragoman.execution.downloads import Need
from dragoman.journal.report import Report, report, report_to_json
from dragoman.testing import FakeBackend, data, media, words
from dragoman.values import Done, Failed, Skipped

SPOKEN = media(b"RIFF, and whatever else")


def experts(**seconds: float) -> FakeBackend:
    def shout(call: Call) -> tuple[Produced, ...]:
        return words(str(call.args["text"]).upper())

    return FakeBackend(
        {
            "summarization": shout,
            "translation": lambda call: words("Onde fica a estação?"),
            "text-to-speech": lambda call: (SPOKEN,),
            "token-classification": lambda call: data(
                [{"entity_group": "PERSON", "word": "Ada Lovelace"}], name="entities"
            ),
            "text-classification": lambda call: data([{"label": "POSITIVE", "score": 0.9}]),
        },
        **seconds,  # pyright: ignore[reportArgumentType]
    )


def dragoman(home: Path, backend: FakeBackend | None = None, **settings: Any) -> Dragoman:
    return Dragoman(home=home, backends=[backend or experts()], **settings)


def script(path: Path, *lines: dict[str, Any]) -> str:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return f"scripted:{path}"


PLAN = json.dumps(
    [
        {"task": "translation", "id": 0, "dep": [-1], "args": {"text": "Where is the station?", "target": "pt"}},
        {"task": "text-to-speech", "id": 1, "dep": [-1], "args": {"text": "Where is the station?"}},
    ]
)
WORDS = "Translate 'Where is the station?' to Portuguese and say the original aloud"


async def test_a_request_is_planned_run_and_answered(tmp_path: Path):
    """Two tasks side by side, no mind."""
    async with dragoman(tmp_path) as d:
        found = await d.ask(WORDS)

    assert found.status == "answered"
    assert {task["task"] for task in found.plan} == {"translation", "text-to-speech"}
    assert "Onde fica a estação?" in found.text
    assert str(tmp_path / "out" / found.run) in found.text
    assert found.usage.llm_calls == 0


async def test_the_journal_tells_the_same_story(tmp_path: Path):
    """What was returned is what the events on disk fold to, and `--json` can write it."""
    async with dragoman(tmp_path) as d:
        found = await d.ask(WORDS)
        again = report(d.journal.events(found.run))

    assert again == found
    shown = report_to_json(again, out=d.out(found.run))
    assert json.loads(json.dumps(shown, allow_nan=False))["outcomes"][0]["state"] == "done"


async def test_every_event_is_numbered_and_the_last_is_the_end(tmp_path: Path):
    """Through the asynchronous iterator."""
    async with dragoman(tmp_path) as d:
        seen = [event async for event in d.events(WORDS)]

    journalled = [event for event in seen if not isinstance(event, ev.SHOWN_ONLY)]
    assert [event.seq for event in journalled] == list(range(len(journalled)))
    assert isinstance(seen[0], ev.RunStarted)
    assert isinstance(seen[-1], ev.RunEnded)


async def test_leaving_the_events_early_cancels_the_run(tmp_path: Path):
    """The journal says so, and keeps what was done."""
    async with dragoman(tmp_path, experts(seconds=30.0)) as d:
        stream = d.events(WORDS)
        async for event in stream:
            if isinstance(event, ev.TaskStarted):
                break
        await stream.aclose()
        rows = d.journal.runs()

    assert [row.status for row in rows] == ["cancelled"]


async def test_small_talk_needs_no_task(tmp_path: Path):
    """Status chat, and a reply."""
    async with dragoman(tmp_path) as d:
        found = await d.ask("Hello there!")

    assert (found.status, found.plan, found.outcomes) == ("chat", (), ())
    assert found.text


async def test_what_nobody_can_do_is_refused_with_help(tmp_path: Path):
    """No expert for pictures; the plan is kept, the task has an outcome."""
    async with dragoman(tmp_path) as d:
        found = await d.ask("Paint me a watercolor of a fox")

    assert found.status == "refused"
    assert found.fault is not None
    assert "text-to-image" in found.fault.says
    assert [type(outcome) for outcome in found.outcomes] == [Failed]


async def test_half_of_a_request_is_better_than_none(tmp_path: Path):
    """A translation, and a picture that nobody can paint."""
    lines = {
        "stage": "plan",
        "reply": json.dumps(
            [
                {"task": "translation", "id": 0, "dep": [-1], "args": {"text": "fox", "target": "pt"}},
                {"task": "text-to-image", "id": 1, "dep": [0], "args": {"text": "<resource>-0"}},
                {"task": "image-to-text", "id": 2, "dep": [1], "args": {"image": "<resource>-1"}},
            ]
        ),
    }
    async with dragoman(tmp_path, mind=script(tmp_path / "s.jsonl", lines)) as d:
        found = await d.ask("Translate fox and paint it")

    assert found.status == "partial"
    assert [type(outcome) for outcome in found.outcomes] == [Done, Failed, Skipped]


async def test_a_failed_expert_is_told_and_nothing_is_made_up(tmp_path: Path):
    """The only task fails after it was tried."""

    def broken(call: Call) -> tuple[Produced, ...]:
        raise ExpertError("the model could not read it")

    async with dragoman(tmp_path, FakeBackend({"text-to-speech": broken})) as d:
        found = await d.ask("Read 'hello there' aloud")

    assert found.status == "failed"
    assert "the model could not read it" in found.text
    assert found.answer.claims == ()


@pytest.mark.parametrize("name", ["nowhere.png", "folder", "empty.png"])
async def test_a_file_that_can_not_be_read_refuses_the_run(tmp_path: Path, name: str):
    """Missing, a folder, empty: a run that says which file and what to do."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.png").touch()
    async with dragoman(tmp_path / "home") as d:
        found = await d.ask("What animal is this?", files=[tmp_path / name])
        rows = d.journal.runs()

    assert found.status == "refused"
    assert found.fault is not None
    assert name in found.fault.says
    assert rows[0].status == "refused"


async def test_a_mind_plans_and_answers_and_its_use_is_counted(tmp_path: Path):
    """Scripted: a plan, an answer with marks."""
    mind = script(
        tmp_path / "s.jsonl",
        {"stage": "plan", "reply": PLAN, "tokens_in": 100, "tokens_out": 20},
        {"stage": "answer", "reply": "It is “Onde fica a estação?” [0]. I spoke it [1].", "tokens_in": 50},
    )
    async with dragoman(tmp_path, mind=mind) as d:
        found = await d.ask("how do I ask for the station in Lisbon, and let me hear the English")

    assert found.status == "answered"
    assert found.text.startswith("It is “Onde fica a estação?”. I spoke it.")
    assert [claim.tasks for claim in found.answer.claims] == [(0,), (1,)]
    assert "1-text-to-speech.wav" in found.text
    assert (found.usage.llm_calls, found.usage.tokens_in, found.usage.tokens_out) == (2, 150, 20)


async def test_a_mind_that_dies_at_the_answer_costs_no_result(tmp_path: Path):
    """The script runs out after the plan."""
    mind = script(tmp_path / "s.jsonl", {"stage": "plan", "reply": PLAN})
    async with dragoman(tmp_path, mind=mind) as d:
        found = await d.ask("whatever")

    assert found.status == "answered"
    assert "Onde fica a estação?" in found.text


async def test_turns_build_on_each_other(tmp_path: Path):
    """What the first turn made is what the second speaks."""
    backend = experts()
    async with dragoman(tmp_path, backend) as d:
        await d.ask("Summarize: 'ada lovelace wrote about the analytical engine'", session="s1")
        second = await d.ask("now read your summary aloud", session="s1")

    assert second.status == "answered", second.fault
    assert backend.calls[-1].args["text"] == "ADA LOVELACE WROTE ABOUT THE ANALYTICAL ENGINE"
    assert second.session == "s1"


async def test_files_of_a_refused_turn_are_still_there(tmp_path: Path):
    """A note with words that nobody understands; then a wish."""
    (tmp_path / "note.txt").write_text("ada wrote this", encoding="utf-8")
    backend = experts()
    async with dragoman(tmp_path / "home", backend) as d:
        first = await d.ask("xyzzy plugh", files=[tmp_path / "note.txt"], session="s1")
        second = await d.ask("summarize it", session="s1")

    assert first.status == "refused"
    assert second.status == "answered", second.fault
    assert backend.calls[-1].args["text"] == "ada wrote this"


async def test_downloads_are_asked_for_once_and_may_be_turned_down(tmp_path: Path):
    """The question names what and how much; a no refuses the run and names the command."""
    asked: list[Need] = []

    async def ask(needs: Any) -> bool:
        asked.extend(needs)
        return False

    backend = FakeBackend({"text-to-speech": lambda call: (SPOKEN,)}, needs_bytes=5_000_000)
    async with dragoman(tmp_path, backend, ask_download=ask) as d:
        found = await d.ask("Read 'hello there' aloud")

    assert [(need.card.id, need.bytes) for need in asked] == [("fake-text-to-speech", 5_000_000)]
    assert found.status == "refused"
    assert found.fault is not None
    assert found.fault.helps == "dragoman models fetch fake-text-to-speech"


async def test_a_run_that_takes_too_long_is_stopped_and_says_so(tmp_path: Path):
    """A deadline of 50 ms for the run."""
    async with dragoman(tmp_path, experts(seconds=30.0), run_timeout_s=0.05) as d:
        found = await d.ask(WORDS)

    assert found.status == "failed"
    assert found.fault is not None
    assert "longer than 0.05 s" in found.fault.says


async def test_a_cancelled_run_is_journalled_as_cancelled(tmp_path: Path):
    """The caller gives up while an expert works."""
    async with dragoman(tmp_path, experts(seconds=30.0)) as d:
        running = asyncio.create_task(d.ask(WORDS))
        await asyncio.sleep(0.3)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(0.05)
        rows = d.journal.runs()

    assert [row.status for row in rows] == ["cancelled"]


async def test_a_broken_backend_does_not_leave_the_run_open(tmp_path: Path):
    """A bug in a backend is raised, and the journal says that the run is over."""

    def buggy(call: Call) -> tuple[Produced, ...]:
        raise ZeroDivisionError

    async with dragoman(tmp_path, FakeBackend({"text-to-speech": buggy})) as d:
        with pytest.raises(BaseExceptionGroup):
            await d.ask("Read 'hello there' aloud")
        rows = d.journal.runs()

    assert [row.status for row in rows] == ["failed"]


async def test_a_wrong_session_name_is_the_callers_mistake(tmp_path: Path):
    """It raises, since nothing can be kept under it."""
    async with dragoman(tmp_path) as d:
        with pytest.raises(UsageError, match="a session name is"):
            await d.ask("hi", session="../x")


async def test_a_home_that_can_not_be_made_is_a_plain_error(tmp_path: Path):
    """A file stands where the home should be."""
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"can.t be made"):
        async with dragoman(tmp_path / "file" / "home"):
            pass


def test_the_synchronous_twin_gives_the_same(tmp_path: Path):
    """Ask, plan and events without an event loop of one's own."""
    with DragomanSync(home=tmp_path, backends=[experts()]) as d:
        found: Report = d.ask(WORDS)
        planned = d.plan(WORDS)
        names = [type(event).__name__ for event in d.events(WORDS)]

    assert found.status == "answered"
    assert len(planned.plan.tasks) == 2
    assert names[-1] == "RunEnded"
