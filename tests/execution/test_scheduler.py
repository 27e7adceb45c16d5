"""The scheduler: order, growth, failure."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.execution.scheduler import Scheduler
from dragoman.values import Done, Failed, Outcome, Skipped, Task, needs


def done(task: Task) -> Done:
    return Done(task=task.id, model="m", backend="b", outputs=())


def task(task_id: int, *dep: int) -> Task:
    return Task(id=task_id, task="t", dep=dep)


def run(tasks: list[Task], failing: frozenset[int] = frozenset()) -> tuple[dict[int, Outcome], list[int]]:
    started: list[int] = []

    async def serve(one: Task) -> Outcome:
        started.append(one.id)
        await asyncio.sleep(0)
        return Failed(task=one.id, reason="no") if one.id in failing else done(one)

    async def main() -> dict[int, Outcome]:
        scheduler = Scheduler(serve)
        scheduler.add(tasks)
        return await scheduler.run()

    return asyncio.run(main()), started


def test_a_failure_skips_only_what_needs_it():
    """In a -> (b, c) -> d, losing b costs d and leaves c alone."""
    outcomes, started = run([task(0), task(1, 0), task(2, 0), task(3, 1, 2)], frozenset({1}))

    assert {id_: type(outcome) for id_, outcome in outcomes.items()} == {0: Done, 1: Failed, 2: Done, 3: Skipped}
    assert started == [0, 1, 2]


def test_a_skip_names_the_task_that_it_needed():
    """A chain of two behind a failure: each names the one before it."""
    outcomes, _ = run([task(0), task(1, 0), task(2, 1)], frozenset({0}))

    assert "needs task 0" in outcomes[1].reason
    assert "needs task 1" in outcomes[2].reason


def test_a_task_starts_when_its_inputs_are_there_and_not_a_level_later():
    """A quick chain of three beside one slow task does not wait for it."""
    finished: list[int] = []
    gate = asyncio.Event()

    async def serve(one: Task) -> Outcome:
        if one.id == 9:
            await gate.wait()
        finished.append(one.id)
        if one.id == 2:
            gate.set()
        return done(one)

    async def main() -> None:
        scheduler = Scheduler(serve)
        scheduler.add([task(9), task(0), task(1, 0), task(2, 1)])
        await scheduler.run()

    asyncio.run(asyncio.wait_for(main(), 5))

    assert finished == [0, 1, 2, 9]


def test_the_plan_may_grow_while_it_runs():
    """A task adds two more and one that needs them."""

    async def main() -> dict[int, Outcome]:
        async def serve(one: Task) -> Outcome:
            if one.id == 0:
                scheduler.add([task(1), task(2), task(3, 1, 2, 0)])
            return done(one)

        scheduler = Scheduler(serve)
        scheduler.add([task(0)])
        return await scheduler.run()

    assert sorted(asyncio.run(main())) == [0, 1, 2, 3]


def test_what_grows_behind_a_failure_is_skipped_at_once():
    """A task added after the one it needs has failed gets its outcome without a start."""

    async def main() -> dict[int, Outcome]:
        async def serve(one: Task) -> Outcome:
            if one.id == 1:
                scheduler.add([task(2, 0)])
            return Failed(task=0, reason="no") if one.id == 0 else done(one)

        scheduler = Scheduler(serve)
        scheduler.add([task(0), task(1)])
        return await scheduler.run()

    assert isinstance(asyncio.run(main())[2], Skipped)


def test_an_id_is_never_reused():
    """Adding the same id twice is a bug and says so."""
    with pytest.raises(ValueError, match="task id 0 is taken"):
        run([task(0), task(0)])


def test_a_need_outside_the_plan_is_refused():
    """A task that needs an unknown one is a bug and says so."""
    with pytest.raises(ValueError, match="needs task 7, which is not in the plan"):
        run([task(0, 7)])


def test_cancelling_the_run_cancels_its_tasks():
    """Nothing goes on after the run was cancelled."""
    cancelled: list[int] = []

    async def serve(one: Task) -> Outcome:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(one.id)
            raise
        return done(one)

    async def main() -> None:
        scheduler = Scheduler(serve)
        scheduler.add([task(0), task(1)])
        running = asyncio.create_task(scheduler.run())
        await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(main())

    assert sorted(cancelled) == [0, 1]


def test_a_chain_longer_than_the_stack_is_skipped_without_recursion():
    """5,000 tasks behind one that fails."""
    outcomes, _ = run([task(0), *(task(i, i - 1) for i in range(1, 5000))], frozenset({0}))

    assert sum(isinstance(outcome, Skipped) for outcome in outcomes.values()) == 4999


@given(st.data())
def test_every_task_has_one_outcome_and_starts_after_all_it_needs(data: st.DataObject):
    """Random graphs with random failures."""
    count = data.draw(st.integers(1, 25))
    tasks = [
        task(i, *data.draw(st.lists(st.integers(0, i - 1), max_size=3, unique=True)) if i else ()) for i in range(count)
    ]
    failing = data.draw(st.frozensets(st.integers(0, count - 1), max_size=4))

    outcomes, started = run(tasks, failing)

    assert sorted(outcomes) == list(range(count))
    for position, id_ in enumerate(started):
        assert set(needs(tasks[id_])) <= set(started[:position])
    for one in tasks:
        lost = any(not isinstance(outcomes[need], Done) for need in needs(one))
        assert isinstance(outcomes[one.id], Skipped) == lost
