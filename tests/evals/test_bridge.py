"""Plans over the catalogue, in the names of another list."""

from __future__ import annotations

import msgspec

from dragoman.evals.bridge import Bridge

from .examples import RESOURCE

READER = msgspec.structs.replace(
    RESOURCE.specs["Object Detection"], name="Scribe", description="Does optical character recognition, in short OCR."
)
TOOLS = msgspec.structs.replace(RESOURCE, specs={**RESOURCE.specs, "Scribe": READER})


def task(number: int, name: str, **args: object) -> dict[str, object]:
    dep = [int(arg[-1]) for arg in args.values() if isinstance(arg, str) and arg.startswith("<resource>-")]
    return {"task": name, "id": number, "dep": dep or [-1], "args": args}


def test_tools_are_found_by_name_alias_and_description():
    bridge = Bridge(TOOLS)

    assert bridge.tool_for(task(0, "summarization", text="x")) == "Summarization"
    assert bridge.tool_for(task(0, "automatic-speech-recognition", audio="a.wav")) == "Speech Recognition"
    assert bridge.tool_for(task(0, "optical-character-recognition", image="a.png")) == "Scribe"
    assert bridge.tool_for(task(0, "text-to-video", text="x")) is None


def test_what_a_task_without_a_tool_was_made_from_takes_its_place():
    """Recognition, then a translation that no tool does, then speech: speech takes what recognition made."""
    plan = [
        task(0, "automatic-speech-recognition", audio="a.wav"),
        task(1, "translation", text="<resource>-0", target="pt"),
        task(2, "text-to-speech", text="<resource>-1"),
        task(3, "object-detection", image="a.png", labels=["<resource>-1", 5]),
    ]
    speech, detection = Bridge(TOOLS).translated(plan)[1:]

    assert (speech["task"], speech["dep"], speech["args"]) == ("Text-to-Speech", ["0"], {"text": "<resource>-0"})
    assert detection["args"] == {"image": "a.png", "labels": ["<resource>-0", 5]}


def test_a_reference_to_nothing_is_taken_out():
    plan = [task(0, "text-to-video", text="x"), task(1, "summarization", text="<resource>-0")]

    assert Bridge(TOOLS).translated(plan) == [{"task": "Summarization", "id": 1, "dep": [], "args": {}}]
