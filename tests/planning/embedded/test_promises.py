"""What holds for every request whatsoever: no exception, complete arguments, references that lead back."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.planning.embedded import plan
from dragoman.tasks import SPECS
from dragoman.values import Kind, Planned, Ref, Request, Resource, needs, refs_in

NAMES: dict[str, Kind] = {
    "a.jpg": "image",
    "b.jpg": "image",
    "talk.wav": "audio",
    "clip.mp4": "video",
    "t.csv": "table",
    "c.pdf": "document",
    "n.txt": "text",
}
PIECES = (
    "transcribe",
    "translate",
    "it",
    "this picture",
    "describe",
    "and",
    "then",
    "read",
    "aloud",
    "the sign",
    "to German",
    "don't",
    "first",
    "before that",
    "summarize",
    "in three sentences",
    "'good morning'",
    "a.jpg",
    "talk.wav",
    "how many cats",
    "?",
    ".",
    ",",
    "paint a fox",
    "along them",
    "the edges",
    "of",
    "the original",
    "list the people",
    "and their names",
    "positive or negative",
    "both",
    "the second one",
    "clean up the noise",
    "cat or dog",
    "same for this one",
    "predict the price",
    "缩",
    "翻译",
    "bitte",
    "não",
)
requests = st.builds(
    lambda words, names: Request(
        words=words, resources=tuple(Resource(name=n, kind=NAMES[n], media_type="x/y", sha256=n) for n in names)
    ),
    st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join), st.text(max_size=80)),
    st.lists(st.sampled_from(sorted(NAMES)), max_size=4, unique=True),
)
# What a Ref may stand in for: kinds that are read as they are, and data in its text form.
READ = {("video", "audio"), ("video", "image"), ("document", "text"), ("data", "text")}


def check(planned: Planned) -> None:
    """The promises that every result keeps."""
    assert (planned.reply is not None) + (planned.fault is not None) + bool(planned.plan.tasks) == 1
    done: dict[int, str] = {}
    for task in planned.plan.tasks:
        spec = SPECS[task.task]
        for slot in spec.slots:
            assert slot.name in task.args or not slot.is_required
            for ref in refs_in(task.args.get(slot.name)):
                made = {output.kind for output in SPECS[done[ref.task]].outputs}
                assert made & set(slot.kinds) or any((have, want) in READ for have in made for want in slot.kinds)
        for parameter in spec.parameters:
            assert parameter.name in task.args or not parameter.is_required
        assert all(spec.slot(name) or spec.parameter(name) for name in task.args)
        assert all(earlier in done for earlier in needs(task))
        done[task.id] = task.task
    assert len({(t.task, repr(sorted(t.args.items()))) for t in planned.plan.tasks}) == len(planned.plan.tasks)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(requests)
def test_every_request_comes_back_whole(request: Request):
    """One of a plan, a reply or a fault; the plan complete, in order, without repeats."""
    check(plan(request))


@pytest.mark.parametrize(
    "words", ["", " \n\t", "\x00\x01", "🐱🐱🐱", "?" * 500, "‮abc", "a" * 5000, "(((", "<mask>", "[MASK]", "'", "\ud800"]
)
def test_odd_characters_are_no_trouble(words: str):
    check(plan(Request(words=words)))


@pytest.mark.parametrize(
    "words",
    [
        "transcribe " * 9000,
        "'a " * 33000,
        "a/" * 50000,
        "翻译" * 50000,
        "x" * 100_000,
        "http://a.b/c " * 7700,
        "find cats, count dogs, " * 4000,
        "\n" * 100_000,
    ],
)
def test_a_hundred_thousand_characters_are_bounded(words: str):
    """A few seconds of CPU would be a trap; well under one is usual."""
    began = time.process_time()
    check(plan(Request(words=words, resources=(Resource(name="a.mp3", kind="audio", media_type="x/y", sha256="a"),))))

    assert time.process_time() - began < 5.0


def test_long_content_keeps_its_instruction():
    """A hundred thousand characters of article behind a colon, or above the instruction."""
    article = "The council met on Monday. " * 3700
    below = plan(Request(words=f"Summarize this in two sentences:\n\n{article}"))
    above = plan(Request(words=f"{article}\n\nSummarize the above in two sentences."))

    for planned in (below, above):
        assert [task.task for task in planned.plan.tasks] == ["summarization"]
        assert planned.plan.tasks[0].args["sentences"] == 2
        assert len(planned.plan.tasks[0].args["text"]) > 90_000


def test_refs_are_values_and_not_text():
    planned = plan(
        Request(
            words="Transcribe talk.wav and summarize it",
            resources=(Resource(name="talk.wav", kind="audio", media_type="audio/wav", sha256="t"),),
        )
    )

    assert planned.plan.tasks[1].args["text"] == Ref(task=0)
