"""What the words of a data set hand over."""

from __future__ import annotations

import msgspec

from dragoman.evals.requests import resource_of, resources_named, turns_of
from dragoman.tasks import Slot

from .examples import RESOURCE


def test_files_that_the_words_name_are_handed_over_once_and_in_order():
    found = resources_named("Put 'b.jpg' beside a.png, then b.jpg over talk.mp3.", tools=RESOURCE)

    assert [(r.name, r.kind) for r in found] == [("b.jpg", "image"), ("a.png", "image"), ("talk.mp3", "audio")]


def test_an_address_is_data_where_tools_take_addresses():
    words = "Take https://example.org/a.jpg"
    loader = msgspec.structs.replace(
        RESOURCE.specs["Summarization"], name="Loader", slots=(Slot(name="url", kinds=("data",), says="a url"),)
    )
    loading = msgspec.structs.replace(RESOURCE, specs={**RESOURCE.specs, "Loader": loader})

    assert [r.kind for r in resources_named(words, tools=RESOURCE)] == ["image"]
    assert [r.kind for r in resources_named(words, tools=loading)] == ["data"]


def test_rows_that_are_no_resources_are_none():
    assert resource_of({"name": "a.jpg", "kind": "smell"}) is None
    assert resource_of({"kind": "image"}) is None


def test_what_an_earlier_turn_made_keeps_where_it_came_from():
    found = resource_of({"name": "0-ocr.txt", "kind": "text", "made_by": "optical-character-recognition", "text": "Hi"})

    assert found is not None
    assert (found.text, found.facts) == ("Hi", {"made_by": "optical-character-recognition"})


def test_a_history_of_nonsense_is_no_conversation():
    assert turns_of(5) == turns_of([1, "x"]) == ()
    assert turns_of([{"plan": "words", "asked": [3]}])[0].plan.tasks == ()
