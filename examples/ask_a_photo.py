"""Ask about a picture, and see what each sentence of the answer rests on.

    python examples/ask_a_photo.py photo.jpg "What animal is in this picture?"

Needs the extra [box]; the experts are fetched at their first use.
"""

import sys

from dragoman import DragomanSync


def main(photo: str, words: str) -> None:
    """Print the answer, its claims, and who did what."""
    with DragomanSync() as dragoman:
        report = dragoman.ask(words, files=[photo])
    print(report)
    for claim in report.answer.claims:
        print(f"- {claim.text!r} rests on task {', '.join(map(str, claim.tasks))}")
    for choice in report.choices:
        print(f"  task {choice.task}: {choice.model}, {choice.reason}")


if __name__ == "__main__":
    main(*sys.argv[1:])
