"""Watch a run: every change of state as it comes, the results before the answer.

    python examples/stream_events.py "Translate 'Where is the station?' to Portuguese and say the original aloud"

Needs the extra [box]; the experts are fetched at their first use.
"""

import asyncio
import sys

from dragoman import Dragoman
from dragoman import events as ev
from dragoman.values import Done, Failed


async def main(words: str, *files: str) -> None:
    """Print a line for each event that a person would want to know of."""
    async with Dragoman() as dragoman:
        async for event in dragoman.events(words, files=files):
            match event:
                case ev.PlannedEvent():
                    print("plan:", *(f"{task['id']} {task['task']}" for task in event.plan), sep="\n  ")
                case ev.Fetching():
                    print(f"{event.says}: {event.done_bytes / 1e6:.0f} of {event.total_bytes / 1e6:.0f} MB")
                case ev.TaskStarted():
                    print(f"task {event.task} began on {event.model}")
                case ev.TaskDone(outcome=Done() as done):
                    print(f"task {done.task} made", *(f"{out.name} ({out.resource.kind})" for out in done.outputs))
                case ev.TaskFailed(outcome=Failed() as failed):
                    print(f"task {failed.task} failed: {failed.reason}")
                case ev.Answered():
                    print(event.answer.text)
                case _:
                    pass


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
