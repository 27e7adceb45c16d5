"""Resuming: from the unfinished tasks, nothing done twice, nothing taken from a run that lives."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman import Dragoman
from dragoman import events as ev
from dragoman.backends.base import Call, Produced
from dragoman.errors import ExpertError, UnknownRun, UsageError
from dragoman.journal.lease import lease
from dragoman.testing import FakeBackend, words
from dragoman.values import Done

WORDS = "Translate 'Where is the station?' to Portuguese and say the original aloud"


def backend(*, broken: str = "", seconds: float = 0.0) -> FakeBackend:
    def does(call: Call) -> tuple[Produced, ...]:
        if call.task == broken:
            raise ExpertError("not today")
        return words(f"{call.task} of {call.args['text']}")

    return FakeBackend(dict.fromkeys(("translation", "text-to-speech", "summarization"), does), seconds=seconds)


async def test_only_what_was_not_done_is_run_again(tmp_path: Path):
    """The voice failed; after it is mended, resuming runs it alone and answers whole."""
    async with Dragoman(home=tmp_path, backends=[backend(broken="text-to-speech")]) as d:
        first = await d.ask(WORDS)
    mended = backend()
    async with Dragoman(home=tmp_path, backends=[mended]) as d:
        again = await d.resume(first.run[:12])
        row = d.journal.runs()[0]

    assert (first.status, again.status, row.status) == ("partial", "answered", "answered")
    assert [call.task for call in mended.calls] == ["text-to-speech"]
    assert again.run == first.run
    assert all(isinstance(outcome, Done) for outcome in again.outcomes)


async def test_a_cancelled_run_goes_on(tmp_path: Path):
    """Stopped while both tasks ran."""
    async with Dragoman(home=tmp_path, backends=[backend(seconds=30)]) as d:
        running = asyncio.create_task(d.ask(WORDS))
        await asyncio.sleep(0.3)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    async with Dragoman(home=tmp_path, backends=[backend()]) as d:
        again = await d.resume(d.journal.runs()[0].run)

    assert again.status == "answered"


async def test_a_run_that_came_to_its_end_comes_back_as_it_is(tmp_path: Path):
    """No expert is called."""
    async with Dragoman(home=tmp_path, backends=[backend()]) as d:
        first = await d.ask(WORDS)
    quiet = backend()
    async with Dragoman(home=tmp_path, backends=[quiet]) as d:
        again = await d.resume(first.run)

    assert again == first
    assert quiet.calls == []


async def test_events_stay_densely_numbered(tmp_path: Path):
    """Over both processes' parts."""
    async with Dragoman(home=tmp_path, backends=[backend(broken="translation")]) as d:
        first = await d.ask(WORDS)
        await d.resume(first.run)
        seen = d.journal.events(first.run)

    assert [event.seq for event in seen] == list(range(len(seen)))
    assert any(isinstance(event, ev.Resumed) for event in seen)


async def test_an_unknown_run_is_unknown(tmp_path: Path):
    """Not done, not failed: unknown."""
    async with Dragoman(home=tmp_path, backends=[backend()]) as d:
        with pytest.raises(UnknownRun, match="there is none"):
            await d.resume("01zzz")


async def test_a_run_that_lives_is_left_alone(tmp_path: Path):
    """Another process holds its lease."""
    async with Dragoman(home=tmp_path, backends=[backend(broken="translation")]) as d:
        first = await d.ask(WORDS)
        with lease(tmp_path, first.run), pytest.raises(UsageError, match="another process"):
            await d.resume(first.run)


SCRIPT = """
import asyncio, os, signal, sys
from pathlib import Path
from dragoman import Dragoman
from dragoman import events as ev
from dragoman.testing import FakeBackend, words

backend = FakeBackend({"translation": lambda call: words("olá"), "text-to-speech": lambda call: words("x")})

def die(event):
    if event.seq == int(sys.argv[2]) and not isinstance(event, ev.SHOWN_ONLY):
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with Dragoman(home=Path(sys.argv[1]), backends=[backend]) as d:
        await d.ask(sys.argv[3], listen=die)

asyncio.run(main())
"""


@pytest.mark.parametrize("seq", range(9))
async def test_a_killed_process_costs_nothing_that_was_shown(tmp_path: Path, seq: int):
    """Killed with -9 the moment each event is shown, then resumed."""
    ended = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path), str(seq), WORDS], timeout=60, check=False)
    counting = backend()
    async with Dragoman(home=tmp_path, backends=[counting]) as d:
        run = d.journal.runs()[0].run
        before = [event for event in d.journal.events(run) if event.seq <= seq]
        again = await d.resume(run)
        after = d.journal.events(run)

    assert ended.returncode == -signal.SIGKILL or seq >= len(before)
    assert again.status == "answered"
    assert list(after[: len(before)]) == before
    done = [event.outcome.task for event in before if isinstance(event, ev.TaskDone)]
    assert not any(call.task_id in done for call in counting.calls)
