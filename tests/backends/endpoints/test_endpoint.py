"""An OpenAI-style endpoint as experts: what its listed models serve, and whether its mind sees."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman import Dragoman
from dragoman.backends.base import Call, Item, Produced
from dragoman.backends.endpoints.backend import EndpointBackend, service_tasks
from dragoman.errors import ExpertError
from dragoman.tasks import SPECS
from dragoman.values import Kind, Resource

sys.path.append(str(Path(__file__).parent))
import openai_server


@pytest.fixture
def server() -> Iterator[Any]:
    """A faithful endpoint on this machine."""
    with openai_server.running() as found:
        yield found


def backend(server: Any, home: Path, *, key: str = openai_server.KEY, model: str | None = "tiny") -> EndpointBackend:
    return EndpointBackend(base_url=server.url, api_key=key, model=model, is_local=True, memory=home / "sight.json")


def item(folder: Path, payload: bytes, *, kind: Kind = "image") -> Item:
    path = folder / f"{kind}.bin"
    path.write_bytes(payload)
    return Item(resource=Resource(name=path.name, kind=kind, media_type="x/y", sha256="0" * 64), path=path)


def call(backend: EndpointBackend, task: str, **args: Any) -> Call:
    card = next(card for card in backend.cards() if task in card.tasks)
    return Call(run="r", task_id=0, task=task, card=card, args=args, deadline_s=10.0)


async def made(server: Any, folder: Path, task: str, **args: Any) -> dict[str, Produced]:
    picture = item(folder, openai_server.png())
    sound = item(folder, openai_server.wav(), kind="audio")
    plain = {"text": "A fox.", "image": picture, "audio": sound}
    given = {**{slot.name: plain[slot.name] for slot in SPECS[task].slots}, **args}
    used = backend(server, folder)
    return {one.name: one for one in await used.run(call(used, task, **given))}


@pytest.mark.parametrize("task", sorted(service_tasks() - {"sentence-similarity"}))
async def test_every_task_it_claims_has_outputs_as_its_spec_says(task: str, server: Any, tmp_path: Path):
    """The server refuses unknown fields."""
    found = await made(server, tmp_path, task)

    kinds = {out.name: out.kind for out in SPECS[task].outputs}
    assert {name: one.kind for name, one in found.items()}.items() <= kinds.items()
    assert SPECS[task].outputs[0].name in found


async def test_texts_are_compared_by_their_vectors(server: Any, tmp_path: Path):
    """Vectors come in any order, at any length."""
    found = await made(server, tmp_path, "sentence-similarity", text=["a", "b", "c"])

    assert found["similarity"].data == [{"text": "b", "score": 0.7071}, {"text": "c", "score": 0.4472}]


async def test_a_picture_at_an_address_is_fetched_without_the_key(server: Any, tmp_path: Path):
    """As older models and local servers give it."""
    server.as_url = True

    found = await made(server, tmp_path, "text-to-image")

    assert found["image"].payload == openai_server.png()


async def test_times_come_where_the_model_gives_them(server: Any, tmp_path: Path):
    """With `verbose_json`; a model that refuses it gives its words."""
    timed = await made(server, tmp_path, "automatic-speech-recognition")
    server.refuses = {"verbose_json"}
    plain = await made(server, tmp_path, "automatic-speech-recognition")

    assert timed["segments"].data["segments"] == [{"start_s": 0.0, "end_s": 0.4, "text": "Hello."}]
    assert timed["segments"].data["language"] == "english"
    assert plain["segments"].data["segments"] == [{"start_s": 0.0, "end_s": 0.5, "text": "Hello."}]


async def test_fields_that_an_endpoint_refuses_are_sent_otherwise(server: Any, tmp_path: Path):
    """`max_tokens` of chat, `response_format` of speech."""
    server.refuses = {"max_tokens", "response_format"}

    assert (await made(server, tmp_path, "image-to-text"))["text"].text == "A reply."
    assert (await made(server, tmp_path, "text-to-speech"))["speech"].kind == "audio"
    assert "max_completion_tokens" in server.requests[1][1]


async def test_what_it_lists_no_model_for_is_not_offered(server: Any, tmp_path: Path):
    """A server that only chats."""
    server.models = ["tiny"]
    used = backend(server, tmp_path)
    cards = {card.tasks[0]: card for card in used.cards()}

    found = await used.availability(cards["text-to-image"])

    assert not found.can_run
    assert "lists no model for text-to-image" in found.because


async def test_sight_is_told_by_a_picture_and_remembered(server: Any, tmp_path: Path):
    """Tried once; another process knows it from the file."""
    card = next(card for card in backend(server, tmp_path).cards() if "image-to-text" in card.tasks)

    first = await backend(server, tmp_path).availability(card)
    second = await backend(server, tmp_path).availability(card)

    assert first.can_run
    assert second.can_run
    assert len(server.requests) == 1


async def test_a_blind_model_is_not_offered_pictures(server: Any, tmp_path: Path):
    """Whatever its name."""
    server.sees = False
    server.models = ["llava-vision-gpt-4o"]
    used = backend(server, tmp_path, model=None)
    card = next(card for card in used.cards() if "image-to-text" in card.tasks)

    found = await used.availability(card)

    assert not found.can_run
    assert "was shown a picture and did not see it" in found.because


async def test_a_trial_that_fails_for_a_moment_is_not_remembered(server: Any, tmp_path: Path):
    """503, then it sees."""
    used = backend(server, tmp_path)
    card = next(card for card in used.cards() if "image-to-text" in card.tasks)
    server.faults = [openai_server.status(503)]

    first = await used.availability(card)
    second = await used.availability(card)

    assert (first.can_run, second.can_run) == (False, True)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (401, "set OPENAI_API_KEY to a valid one"),
        (402, "wants payment"),
        (413, "the input is too large"),
        (429, "too many calls"),
        (500, "is not working"),
    ],
)
async def test_each_status_has_its_sentence(code: int, says: str, server: Any, tmp_path: Path):
    """The key stands in none of them."""
    server.faults = [openai_server.status(code)]

    with pytest.raises(ExpertError) as caught:
        await made(server, tmp_path, "text-to-image")

    assert says in caught.value.says
    assert openai_server.KEY not in caught.value.says


async def test_a_whole_run_with_an_endpoint_that_sees(server: Any, tmp_path: Path):
    """It plans, is the only expert that sees, and answers; all its calls are counted."""
    server.says = ['[{"task": "image-to-text", "id": 0, "dep": [-1], "args": {"image": "p.png"}}]']
    picture = tmp_path / "p.png"
    picture.write_bytes(openai_server.png())
    home = tmp_path / "home"

    async with Dragoman(home=home, mind="tiny", base_url=server.url, api_key=openai_server.KEY) as d:
        d.backends = [one for one in d.backends if one.name != "box"]
        found = await d.ask("Describe p.png", files=[picture])

    assert found.outcomes[0].model.endswith("sight")  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    assert found.choices[0].backend == "endpoint"
    assert (found.usage.llm_calls, found.usage.tokens_in) == (3, 33)
