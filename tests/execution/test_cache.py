"""The result cache: a second identical call calls no expert; anything that differs does."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from dragoman import Dragoman
from dragoman.backends.base import Call, Item, Produced
from dragoman.execution.cache import ResultCache, key_of
from dragoman.testing import FakeBackend, card, media
from dragoman.values import Arg, Done, Output, Resource

WORDS = "Read 'hello there' aloud"


def speaking(call: Call) -> tuple[Produced, ...]:
    return (media(f"sound of {call.args['text']}".encode()),)


def item(name: str, sha256: str = "a") -> Item:
    return Item(
        resource=Resource(name=name, kind="image", media_type="image/png", sha256=sha256),
        path=Path("/nowhere") / sha256,
    )


async def test_a_second_identical_request_calls_no_expert(tmp_path: Path):
    """The file of the second run is its own, and the outcome says that it was remembered."""
    backend = FakeBackend({"text-to-speech": speaking})
    async with Dragoman(home=tmp_path, backends=[backend]) as d:
        first = await d.ask(WORDS)
        second = await d.ask(WORDS)
        paths = [d.out(run.run) / run.answer.resources[0].name for run in (first, second)]

    assert len(backend.calls) == 1
    assert isinstance(second.outcomes[0], Done)
    assert (second.outcomes[0].cached, second.outcomes[0].attempts) == (True, 0)
    assert paths[0].read_bytes() == paths[1].read_bytes() == b"sound of hello there"


async def test_fresh_goes_past_it(tmp_path: Path):
    """Asked for a fresh result, the expert is called again."""
    backend = FakeBackend({"text-to-speech": speaking})
    for is_fresh in (False, True):
        async with Dragoman(home=tmp_path, backends=[backend], is_fresh=is_fresh) as d:
            await d.ask(WORDS)

    assert len(backend.calls) == 2


async def test_a_result_whose_bytes_are_gone_is_computed_again(tmp_path: Path):
    """Somebody emptied the store."""
    backend = FakeBackend({"text-to-speech": speaking})
    async with Dragoman(home=tmp_path, backends=[backend]) as d:
        found = await d.ask(WORDS)
        d.store.path(found.answer.resources[0].sha256).unlink()
        again = await d.ask(WORDS)

    assert len(backend.calls) == 2
    assert again.status == "answered"


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ({"text": "a"}, {"text": "a"}, True),
        ({"text": "a"}, {"text": "b"}, False),
        ({"text": "a", "sentences": 2}, {"sentences": 2, "text": "a"}, True),
        ({"image": item("a.png")}, {"image": item("b.png")}, True),
        ({"image": item("a.png", "a")}, {"image": item("a.png", "b")}, False),
        ({"image": [item("a.png"), item("b.png")]}, {"image": [item("a.png"), item("c.png")]}, False),
    ],
)
def test_the_key_is_what_the_result_depends_on(one: dict[str, Arg], other: dict[str, Arg], *, is_same: bool):
    """Content, not names; names only where several go in together and results speak of them."""
    assert (key_of(card("t"), "t", one) == key_of(card("t"), "t", other)) == is_same


def test_another_model_revision_or_task_is_another_key():
    """The same words, all else different."""
    model = card("t")
    keys = {
        key_of(model, "t", {"text": "a"}),
        key_of(model, "u", {"text": "a"}),
        key_of(replace(model, revision="2"), "t", {"text": "a"}),
    }

    assert len(keys) == 3


def test_a_cache_that_can_not_be_used_remembers_nothing(tmp_path: Path):
    """Its file is a folder."""
    (tmp_path / "cache.sqlite").mkdir()
    cache = ResultCache(tmp_path / "cache.sqlite")
    made = Output(name="text", resource=Resource(name="x", kind="text", media_type="", sha256="", text="x"))
    cache.put("k", (made,))

    assert cache.get("k") is None
