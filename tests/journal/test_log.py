"""The journal: what was written is there, in order, for whoever opens it."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dragoman import events as ev
from dragoman.errors import StoreError, UnknownRun
from dragoman.journal.ids import check_session, new_run, new_session
from dragoman.journal.log import Journal
from dragoman.journal.stream import Stream
from dragoman.values import Done, Fault, Usage

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def stream_of(journal: Journal, run: str = "01a") -> Stream:
    return Stream(journal, run=run, now=lambda: NOW)


async def whole_run(journal: Journal, run: str = "01a", *, session: str = "s") -> list[ev.Event]:
    stream = stream_of(journal, run)
    seen: list[ev.Event] = []
    stream.listen(seen.append)
    stream.emit(ev.RunStarted, session=session, mode="plan", words="hi")
    stream.emit(ev.PlannedEvent, plan=[{"task": "t", "id": 0, "dep": [-1], "args": {}}], by="embedded")
    stream.emit(ev.TaskProgress, task=0, fraction=0.5)
    stream.emit(ev.TaskDone, outcome=Done(task=0, model="m", backend="b", outputs=()))
    stream.emit(ev.RunEnded, status="answered", usage=Usage(seconds=1.5))
    await stream.settled()
    return seen


async def test_events_are_shown_in_order_and_numbered_densely(tmp_path: Path):
    """Progress is shown in its place and carries the last journalled number."""
    journal = Journal(tmp_path / "journal.sqlite")
    seen = await whole_run(journal)
    journal.close()

    assert [(type(event).__name__, event.seq) for event in seen] == [
        ("RunStarted", 0), ("PlannedEvent", 1), ("TaskProgress", 1), ("TaskDone", 2), ("RunEnded", 3),
    ]  # fmt: skip


async def test_what_was_shown_is_on_disk(tmp_path: Path):
    """Another journal over the same file reads the same events, without those that are only shown."""
    journal = Journal(tmp_path / "journal.sqlite")
    seen = await whole_run(journal)

    found = Journal(tmp_path / "journal.sqlite").events("01a")
    journal.close()

    assert list(found) == [event for event in seen if not isinstance(event, ev.SHOWN_ONLY)]


async def test_an_event_is_committed_before_it_is_shown(tmp_path: Path):
    """A listener that reads the file finds the event that it is being shown."""
    journal = Journal(tmp_path / "journal.sqlite")
    reader = Journal(tmp_path / "journal.sqlite")
    stream = stream_of(journal)
    on_disk: list[int] = []
    stream.listen(lambda event: on_disk.append(len(reader.events("01a"))))
    stream.emit(ev.RunStarted, session="s", mode="plan", words="hi")
    await stream.settled()
    journal.close()

    assert on_disk == [1]


async def test_runs_are_listed_newest_first_with_their_state(tmp_path: Path):
    """One ended run, one that never ended."""
    journal = Journal(tmp_path / "journal.sqlite")
    await whole_run(journal, "01a")
    stream = stream_of(journal, "01b")
    stream.emit(ev.RunStarted, session="other", mode="plan", words="what")
    await stream.settled()

    rows = journal.runs()
    one_session = journal.runs(session="s")
    journal.close()

    assert [(row.run, row.status, row.tasks_done, row.tasks_total) for row in rows] == [
        ("01b", "unfinished", 0, 0),
        ("01a", "answered", 1, 1),
    ]
    assert [row.run for row in one_session] == ["01a"]


async def test_a_unique_prefix_finds_a_run(tmp_path: Path):
    """Two runs that begin alike need more of the name; an unknown one is not found."""
    journal = Journal(tmp_path / "journal.sqlite")
    await whole_run(journal, "01aa")
    await whole_run(journal, "01ab")

    assert journal.find("01ab") == "01ab"
    with pytest.raises(UnknownRun, match="several begin so"):
        journal.find("01a")
    with pytest.raises(UnknownRun, match="there is none"):
        journal.find("zz")
    journal.close()


async def test_two_journals_write_the_same_file(tmp_path: Path):
    """Two processes may share one home."""
    one, two = Journal(tmp_path / "journal.sqlite"), Journal(tmp_path / "journal.sqlite")
    await asyncio.gather(*(whole_run(one, f"a{i}") for i in range(20)), *(whole_run(two, f"b{i}") for i in range(20)))

    assert len(one.runs()) == 40
    one.close()
    two.close()


def test_a_home_that_is_no_folder_is_a_plain_error(tmp_path: Path):
    """The journal's folder does not exist."""
    with pytest.raises(StoreError, match="can't be used"):
        Journal(tmp_path / "nowhere" / "journal.sqlite")


async def test_a_journal_that_can_not_write_stops_the_run(tmp_path: Path):
    """The table is gone: nothing is shown, and the next emit says why."""
    journal = Journal(tmp_path / "journal.sqlite")
    with journal._open() as connection:  # pyright: ignore[reportPrivateUsage]
        connection.execute("DROP TABLE events")
    stream = stream_of(journal)
    seen: list[ev.Event] = []
    stream.listen(seen.append)
    stream.emit(ev.RunStarted, session="s", mode="plan", words="hi")

    with pytest.raises(StoreError, match="can't be used"):
        await stream.settled()
    with pytest.raises(StoreError):
        stream.emit(ev.RunEnded, status="failed", usage=Usage(), fault=Fault(says="x"))
    assert seen == []
    journal.close()


def test_run_ids_sort_by_time():
    """Milliseconds apart, in order."""
    ids = [new_run(datetime(2026, 1, 1, 0, 0, 0, ms * 1000, tzinfo=UTC)) for ms in range(50)]

    assert ids == sorted(ids)
    assert len({len(id_) for id_ in ids}) == 1


def test_a_session_name_is_checked():
    """Ours pass; capitals, spaces and paths don't."""
    assert check_session(new_session())
    for bad in ("", "A", "a b", "../x", "x" * 65):
        with pytest.raises(Exception, match="a session name is"):
            check_session(bad)
