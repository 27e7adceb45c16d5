"""A GGUF file answers out of a child process that can be killed and leaves no orphan."""

import asyncio
import json
import os
import signal

import pytest
from tiny_gguf import write_tiny_gguf

from dragoman.errors import MindRefused, MindUnavailable, UsageError
from dragoman.minds import gguf
from dragoman.minds.base import Ask, Message, Reply
from dragoman.minds.gguf import Gguf
from dragoman.planning.schema import plan_schema
from dragoman.tasks import SPECS

SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "string", "enum": ["one", "two"]}},
    "required": ["id"],
    "additionalProperties": False,
}


def question(**more):
    messages = (Message(role="system", content="Choose."), Message(role="user", content="Which?"))
    return Ask(stage="choose", messages=more.pop("messages", messages), **{"max_tokens": 300, **more})


def is_alive(pid):
    """Whether the process is still there; one that ended and was waited for is not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
async def mind(tmp_path):
    found = Gguf(write_tiny_gguf(tmp_path / "tiny.gguf"), context_tokens=2048, patience=1)
    yield found
    await found.aclose()


@pytest.mark.box
async def test_a_reply_is_held_to_its_schema(mind):
    """Random weights, and still JSON of the wanted form, from one loaded model."""
    first, second = await mind.ask(question(schema=SCHEMA)), await mind.ask(question(schema=SCHEMA))

    assert json.loads(first.text)["id"] in ("one", "two")
    assert first.text == second.text
    assert first.tokens_in > 0
    assert first.model == "gguf:tiny.gguf"
    assert first.repairs == ()


@pytest.mark.box
async def test_a_list_has_an_end(mind):
    """A small model would go on with it until its tokens are spent."""
    numbers = {"type": "array", "items": {"type": "string", "enum": ["x"]}}
    schema = {"type": "object", "properties": {"n": numbers}, "required": ["n"], "additionalProperties": False}
    reply = await mind.ask(question(schema=schema, max_tokens=1500))

    assert len(json.loads(reply.text)["n"]) <= gguf.MAX_LISTED


@pytest.mark.box
async def test_the_schema_of_plans_can_be_held(mind):
    """llama.cpp makes a grammar of the whole catalogue; the nonsense begins like a plan."""
    reply = await mind.ask(question(schema=plan_schema(SPECS), max_tokens=40))

    assert reply.text.lstrip().startswith("{")
    assert not [repair for repair in reply.repairs if "response_format" in repair]


@pytest.mark.box
async def test_a_stream_comes_in_pieces(mind):
    """And whole at the end."""
    *pieces, last = [piece async for piece in mind.stream(question(max_tokens=20))]

    assert isinstance(last, Reply)
    assert "".join(pieces) == last.text


@pytest.mark.box
async def test_a_deadline_ends_the_child_and_the_next_question_starts_another(mind):
    """Nothing goes on in the background."""
    await mind.ask(question(max_tokens=5))
    pid = mind._child.pid
    with pytest.raises(MindUnavailable, match="did not answer"):
        await mind.ask(question(max_tokens=2000, timeout_s=0.02))
    assert not is_alive(pid)

    assert (await mind.ask(question(schema=SCHEMA))).text
    assert mind._child.pid != pid


@pytest.mark.box
async def test_a_child_that_was_killed_is_started_again(mind):
    """By the system, for want of memory."""
    await mind.ask(question(max_tokens=5))
    os.kill(mind._child.pid, signal.SIGKILL)
    await mind._child.wait()

    assert (await mind.ask(question(schema=SCHEMA))).text


@pytest.mark.box
async def test_closing_leaves_no_process(mind):
    """And twice is once."""
    await mind.ask(question(max_tokens=5))
    pid = mind._child.pid
    await mind.aclose()
    await mind.aclose()

    assert not is_alive(pid)


@pytest.mark.box
async def test_the_child_ends_when_its_parent_is_gone(mind):
    """The end of standard input is all it needs."""
    await mind.ask(question(max_tokens=5))
    child = mind._child
    child.stdin.close()

    assert await asyncio.wait_for(child.wait(), 10) == 0


@pytest.mark.box
async def test_nobody_else_on_the_machine_can_ask_the_child(mind):
    """It wants the key that was made for it."""
    await mind.ask(question(max_tokens=5))
    from dragoman.minds.chat_api import ChatApi

    stranger = ChatApi(base_url=mind._chat._endpoint.url, model="m", api_key="guess")
    with pytest.raises(MindRefused, match="refused the key"):
        await stranger.ask(question(max_tokens=5))
    await stranger.aclose()


@pytest.mark.box
async def test_a_request_past_the_context_is_said(mind):
    """2,048 tokens are all it has."""
    long = (Message(role="user", content="many words " * 1000),)

    with pytest.raises(MindRefused, match=r"too long for `gguf:tiny\.gguf`"):
        await mind.ask(question(messages=long))


@pytest.mark.box
async def test_a_file_that_breaks_off_is_said(tmp_path):
    """Half of the bytes are there."""
    path = write_tiny_gguf(tmp_path / "half.gguf")
    path.write_bytes(path.read_bytes()[:20_000])
    mind = Gguf(path)

    with pytest.raises(MindUnavailable, match=r"`gguf:half\.gguf` could not be loaded"):
        await mind.ask(question())
    await mind.aclose()


@pytest.mark.parametrize(
    ("payload", "says"),
    [(None, "can't be read: No such file"), (b"\x89PNG....", "is no GGUF file"), (b"", "is no GGUF")],
)
def test_what_is_no_gguf_file_is_said_at_once(tmp_path, monkeypatch, payload, says):
    """Missing, a picture, empty: before anything is started."""
    monkeypatch.setattr(gguf, "find_spec", lambda name: True)
    path = tmp_path / "x.gguf"
    if payload is not None:
        path.write_bytes(payload)

    with pytest.raises(UsageError, match=says):
        Gguf(path)


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    """What to install."""
    monkeypatch.setattr(gguf, "find_spec", lambda name: None)

    with pytest.raises(MindRefused, match=r"needs llama\.cpp") as caught:
        Gguf(tmp_path / "x.gguf")
    assert caught.value.helps == "pip install 'dragoman[gguf]'"
