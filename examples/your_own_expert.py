"""Give Dragoman an expert of your own: any function can be one.

    python examples/your_own_expert.py

`FakeBackend` is what tests use. A backend for good has the same five methods: see `dragoman.backends.base.Backend`.
Nothing is fetched; the core install is enough.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from dragoman import DragomanSync
from dragoman.backends.base import Call, Produced
from dragoman.testing import FakeBackend, card, data, words

ARTICLE = "The ferry was late. Nobody minded. The harbour lay in the evening sun, and a band was playing."


def shortest_sentence(call: Call) -> Sequence[Produced]:
    """A summary of sorts: the shortest sentence."""
    sentences = [sentence.strip() for sentence in str(call.args["text"]).split(".") if sentence.strip()]
    return words(min(sentences, key=len) + ".")


def mood(call: Call) -> Sequence[Produced]:
    """A sentiment of sorts: late is bad, music is good."""
    text = str(call.args["text"])
    is_good = "band" in text or "late" not in text
    return data([{"label": "POSITIVE" if is_good else "NEGATIVE", "score": 0.6}])


def main() -> None:
    """Ask for both at once; they run side by side."""
    backend = FakeBackend(
        {"summarization": shortest_sentence, "text-classification": mood},
        name="mine",
        cards=[card("summarization", id="shortest-sentence"), card("text-classification", id="mood")],
    )
    with tempfile.TemporaryDirectory() as folder:
        article = Path(folder, "article.txt")
        article.write_text(ARTICLE, encoding="utf-8")
        with DragomanSync(home=Path(folder, "home"), backends=[backend], mind="embedded") as dragoman:
            report = dragoman.ask("Summarize article.txt and tell me its sentiment", files=[article])
    print(report)
    print("calls:", *(f"{call.task} by {call.card.id}" for call in backend.calls), sep="\n  ")


if __name__ == "__main__":
    main()
