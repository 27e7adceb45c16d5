"""A mind behind an endpoint: what the endpoint refuses is left out, what may pass is tried again, the rest is said."""

import asyncio
import json
import sys
import time
import types
from random import Random

import pytest
from chat_server import broken_stream, hang, hang_up, reply_with, stalled_stream, status

from dragoman.errors import MindRefused, MindUnavailable, MindUnreadable
from dragoman.minds.base import Ask, Message, Reply
from dragoman.minds.chat_api import MAX_TRIES, ChatApi
from dragoman.minds.refusals import hidden, shown_url
from dragoman.planning.schema import plan_schema
from dragoman.tasks import SPECS

KEY = "sk-test-0123456789abcdef"
SYSTEM, USER = (
    Message(role="system", content="Plan."),
    Message(role="user", content="What's on Bob's \"cup\"? \\ {{x}}"),
)
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


@pytest.fixture
def slept():
    return []


@pytest.fixture
async def mind(endpoint, slept):
    async def sleep(seconds):
        slept.append(seconds)

    found = ChatApi(base_url=endpoint.url, model="tiny", api_key=KEY, sleep=sleep, rng=Random(1))
    yield found
    await found.aclose()


def question(**more):
    return Ask(stage="plan", messages=more.pop("messages", (SYSTEM, USER)), **more)


async def streamed(mind, asked=None):
    *words, reply = [piece async for piece in mind.stream(asked or question())]
    assert isinstance(reply, Reply)
    assert "".join(words) == reply.text
    return reply


async def test_a_reply_comes_with_its_cost(mind, endpoint):
    """Words, model and usage as the endpoint says them; greedy by default; the words unchanged."""
    reply = await mind.ask(question())

    assert reply == Reply(text="Hello.", model="tiny-2024", tokens_in=11, tokens_out=7)
    assert endpoint.requests[0]["temperature"] == 0
    assert endpoint.requests[0]["messages"][1] == {"role": "user", "content": USER.content}
    assert endpoint.headers_seen[0]["authorization"] == f"Bearer {KEY}"


async def test_a_schema_is_held_where_the_endpoint_can(mind, endpoint):
    """The plan's own schema keeps to the strict rules."""
    reply = await mind.ask(question(schema=plan_schema(SPECS), schema_name="plan"))

    assert reply.repairs == ()
    held = endpoint.requests[0]["response_format"]["json_schema"]
    assert (held["name"], held["strict"]) == ("plan", True)


async def test_a_stream_comes_in_pieces_and_then_whole(mind):
    """Usage from the last event."""
    assert await streamed(mind) == Reply(text="Hello.", model="tiny-2024", tokens_in=11, tokens_out=7)


async def test_usage_that_is_not_told_is_not_invented(mind, endpoint):
    """Zero, in both ways."""
    endpoint.has_usage = False

    assert (await mind.ask(question())).tokens_in == 0
    assert (await streamed(mind)).tokens_out == 0


@pytest.mark.parametrize(
    ("field", "says", "asked", "sent"),
    [
        ("response_format", "'response_format' of type 'json_schema' is not supported", {"schema": SCHEMA}, {}),
        (
            "max_tokens",
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            {},
            {"max_completion_tokens": 1500},
        ),
        ("temperature", "'temperature' does not support 0 with this model. Only the default (1) value.", {}, {}),
    ],
)
async def test_a_refused_field_is_left_out_from_then_on(mind, endpoint, field, says, asked, sent):
    """The call is made again at once, the refusal is told, and the next call begins without the field."""
    endpoint.refuses = {field: says}

    reply = await mind.ask(question(**asked))
    first = len(endpoint.requests)
    again = await mind.ask(question(**asked))

    assert reply.text == again.text == "Hello."
    assert f"the endpoint refuses `{field}`" in reply.repairs[0]
    assert again.repairs == ()
    assert len(endpoint.requests) == first + 1
    assert field not in endpoint.requests[-1]
    assert endpoint.requests[-1].items() >= sent.items()


async def test_a_schema_gives_way_to_json_and_then_to_nothing(mind, endpoint):
    """The field is refused in both forms."""
    endpoint.refuses = {"response_format": "response_format is not supported"}
    reply = await mind.ask(question(schema=SCHEMA))

    forms = [request.get("response_format", {}).get("type") for request in endpoint.requests]
    assert forms == ["json_schema", "json_object", None]
    assert [repair.split(": ")[1] for repair in reply.repairs] == ["sent `json_object`", "sent without"]


async def test_fields_named_the_way_of_other_servers_are_understood(mind, endpoint):
    """FastAPI's 422: the place of the field in a list."""
    detail = {
        "detail": [{"loc": ["body", "temperature"], "msg": "extra fields not permitted", "type": "value_error.extra"}]
    }
    endpoint.faults = [reply_with(json.dumps(detail).encode(), "application/json", code=422)]
    reply = await mind.ask(question())

    assert reply.repairs == ("the endpoint refuses `temperature`: sent without",)


async def test_several_refused_fields_are_left_out_one_by_one(mind, endpoint):
    """Schema, limit, temperature and the system role."""
    fields = ("response_format", "max_tokens", "max_completion_tokens", "temperature")
    no_system = {"system": "'messages[0].role' does not support 'system' with this model."}
    endpoint.refuses = {**{field: f"no {field}" for field in fields}, **no_system}
    reply = await mind.ask(question(schema=SCHEMA))

    assert reply.text == "Hello."
    assert set(endpoint.requests[-1]) == {"model", "messages"}
    assert [m["role"] for m in endpoint.requests[-1]["messages"]] == ["user", "user"]
    assert endpoint.requests[-1]["messages"][1]["content"] == USER.content


async def test_roles_that_must_alternate_do(mind, endpoint):
    """No system role, and no two user messages in a row: the person's words stay in their own."""
    endpoint.faults = [
        status(400, "System role not supported"),
        status(400, "Conversation roles must alternate user/assistant/user/assistant/..."),
    ]
    await mind.ask(question())

    assert [m["role"] for m in endpoint.requests[-1]["messages"]] == ["user", "assistant", "user"]
    assert endpoint.requests[-1]["messages"][2]["content"] == USER.content


async def test_stream_options_and_streams_are_given_up_too(mind, endpoint):
    """First the options, then the stream itself: the whole reply comes in one piece."""
    endpoint.refuses = {"stream_options": "Unknown field: stream_options", "stream": "stream is not supported"}
    reply = await streamed(mind)

    assert reply.text == "Hello."
    assert len(reply.repairs) == 2


async def test_a_refusal_that_names_nothing_is_an_error(mind, endpoint):
    """No guessing: one call."""
    endpoint.faults = [status(400, "bad request")]

    with pytest.raises(MindRefused, match=r"refused the call \(400\)\. It says: bad request"):
        await mind.ask(question())
    assert len(endpoint.requests) == 1


async def test_a_limit_is_waited_for_as_long_as_the_endpoint_asks(mind, endpoint, slept):
    """429 with Retry-After: 3, and some jitter on top."""
    endpoint.faults = [status(429, "slow down", headers={"retry-after": "3"})]
    reply = await mind.ask(question())

    assert reply.text == "Hello."
    assert 3 <= slept[0] <= 3.5


async def test_a_wait_past_the_deadline_is_not_waited(mind, endpoint, slept):
    """The endpoint asks for ten minutes."""
    endpoint.faults = [status(429, "slow down", headers={"retry-after": "600"})]

    with pytest.raises(MindUnavailable, match=r"too many calls \(429\)\. It asks to wait 600 s"):
        await mind.ask(question())
    assert slept == []


@pytest.mark.parametrize("code", [500, 502, 503, 504])
async def test_what_may_pass_is_tried_again(mind, endpoint, slept, code):
    """Twice down, then up; each wait is jittered under a growing bound."""
    endpoint.faults = [status(code), status(code)]

    assert (await mind.ask(question())).text == "Hello."
    assert len(slept) == 2
    assert slept[0] <= 0.5
    assert slept[1] <= 1.0


async def test_tries_are_bounded(mind, endpoint, slept):
    """It never comes up."""
    endpoint.faults = [status(503)] * 20

    with pytest.raises(MindUnavailable, match=r"is not working \(503\)"):
        await mind.ask(question())
    assert len(endpoint.requests) == MAX_TRIES
    assert len(slept) == MAX_TRIES - 1


@pytest.mark.parametrize(
    ("code", "name", "says"),
    [
        (401, None, "refused the key"),
        (402, None, "wants payment"),
        (403, None, "no right to `tiny`"),
        (404, "model_not_found", "no model `tiny`"),
        (429, "insufficient_quota", "quota"),
        (307, None, "has moved"),
        (400, "context_length_exceeded", "too long for `tiny`"),
    ],
)
async def test_what_will_not_pass_is_said_at_once(mind, endpoint, slept, code, name, says):
    """One call, a sentence that says what to do, and no key in it."""
    endpoint.faults = [status(code, f"Incorrect API key provided: {KEY}", name=name)] * 5

    with pytest.raises(MindRefused, match=says) as caught:
        await mind.ask(question())
    assert caught.value.helps
    assert KEY not in str(caught.value)
    assert (len(endpoint.requests), slept) == (1, [])


async def test_a_connection_that_closes_is_tried_again(mind, endpoint):
    """Without a word."""
    endpoint.faults = [hang_up]

    assert (await mind.ask(question())).text == "Hello."


async def test_nobody_there_is_said():
    """A port that nothing listens on."""

    async def sleep(seconds):
        """No waiting."""

    mind = ChatApi(base_url="http://127.0.0.1:9/v1", model="m", sleep=sleep)
    with pytest.raises(MindUnavailable, match=r"no connection to http://127\.0\.0\.1:9/v1"):
        await mind.ask(question())
    await mind.aclose()


@pytest.mark.parametrize("way", ["ask", "stream"])
async def test_an_endpoint_that_hangs_is_left_at_the_deadline(mind, endpoint, way):
    """0.3 s are 0.3 s."""
    endpoint.faults = [hang]
    began = time.monotonic()

    with pytest.raises(MindUnavailable, match=r"did not answer"):
        await (mind.ask(question(timeout_s=0.3)) if way == "ask" else streamed(mind, question(timeout_s=0.3)))
    assert time.monotonic() - began < 1.5


async def test_cancelling_goes_through(mind, endpoint):
    """Ctrl-C while the endpoint thinks."""
    endpoint.faults = [hang]
    task = asyncio.create_task(mind.ask(question()))
    await asyncio.sleep(0.1)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_came_of_a_broken_stream_is_kept(mind, endpoint):
    """Three chunks, then the end."""
    endpoint.faults = [broken_stream("A fox in the snow.", after=3)]
    reply = await streamed(mind)

    assert reply.text == "A fox in "
    assert "the stream broke off" in reply.repairs[0]


async def test_what_came_of_a_stream_that_stalls_is_kept(mind, endpoint):
    """Two chunks, and no more until the deadline."""
    endpoint.faults = [stalled_stream("A fox.", after=2)]
    reply = await streamed(mind, question(timeout_s=0.4))

    assert reply.text == "A fox."
    assert "no more came within 0.4 s" in reply.repairs[0]


async def test_a_stream_that_is_left_is_closed(mind, endpoint):
    """Whoever reads it stops after the first words; the next question is answered."""
    endpoint.replies = ["A long reply. " * 200, "Hello."]
    words = mind.stream(question())
    assert await anext(words) == "A l"
    await words.aclose()

    assert (await mind.ask(question())).text == "Hello."


async def test_a_stream_that_breaks_before_the_first_word_is_tried_again(mind, endpoint, slept):
    """Nothing was shown yet."""
    endpoint.faults = [broken_stream("A fox.", after=0)]
    reply = await streamed(mind)

    assert (reply.text, reply.repairs, len(slept)) == ("Hello.", (), 1)


async def test_an_error_inside_a_stream_is_told(mind, endpoint):
    """After status 200 and some words."""
    endpoint.faults = [broken_stream("A fox.", after=1, error={"error": {"message": "overloaded", "code": 503}})]
    reply = await streamed(mind)

    assert reply.text == "A f"
    assert "overloaded" in reply.repairs[0]


async def test_an_error_that_wont_pass_inside_a_stream_is_raised(mind, endpoint):
    """Before the first word."""
    endpoint.faults = [broken_stream("x", after=0, error={"error": {"message": "bad key", "code": "invalid_api_key"}})]

    with pytest.raises(MindRefused, match="refused the key"):
        await streamed(mind)


async def test_an_error_object_after_200_counts_by_its_code(mind, endpoint, slept):
    """An overload is tried again, a refusal is not."""
    overloaded = json.dumps({"error": {"message": "overloaded", "code": 529}}).encode()
    endpoint.faults = [reply_with(overloaded, "application/json")]
    assert (await mind.ask(question())).text == "Hello."
    assert len(slept) == 1

    endpoint.faults = [
        reply_with(b'{"error": {"message": "no such model", "code": "model_not_found"}}', "application/json")
    ]
    with pytest.raises(MindRefused, match="no such model"):
        await mind.ask(question())


async def test_an_endpoint_that_does_not_stream_is_taken_as_it_is(mind, endpoint):
    """JSON where events were asked for."""
    body = {"choices": [{"message": {"content": "Whole."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
    endpoint.faults = [reply_with(json.dumps(body).encode(), "application/json")]

    assert await streamed(mind) == Reply(text="Whole.", model="tiny", tokens_in=3)


@pytest.mark.parametrize("way", ["ask", "stream"])
async def test_a_reply_without_words_is_unreadable(mind, endpoint, way):
    """`content: null`, and nothing else."""
    endpoint.replies = [None]

    with pytest.raises(MindUnreadable, match="a reply without words"):
        await (mind.ask(question()) if way == "ask" else streamed(mind))


@pytest.mark.parametrize("way", ["ask", "stream"])
async def test_a_refusal_is_told(mind, endpoint, way):
    """The refusal field in place of content."""
    endpoint.replies, endpoint.extra = [None], {"refusal": "I can't help with that."}

    with pytest.raises(MindRefused, match="`tiny` declined: I can't help with that"):
        await (mind.ask(question()) if way == "ask" else streamed(mind))


@pytest.mark.parametrize("way", ["ask", "stream"])
async def test_reasoning_is_not_the_answer(mind, endpoint, way):
    """A model that thinks in a field of its own."""
    endpoint.extra = {"reasoning_content": "Let me think [1, 2]."}

    assert (await (mind.ask(question()) if way == "ask" else streamed(mind))).text == "Hello."


@pytest.mark.parametrize(
    ("message", "finish", "text"),
    [
        ({"content": [{"type": "text", "text": "In "}, {"type": "text", "text": "parts."}]}, "stop", "In parts."),
        ({"content": None, "tool_calls": [{"function": {"name": "ocr", "arguments": "{}"}}]}, "tool_calls",
         '{"tool_calls": [{"function": {"name": "ocr", "arguments": "{}"}}]}'),
        ({"content": "Half a"}, "length", "Half a"),
    ],
)  # fmt: skip
async def test_other_shapes_of_content_are_read(mind, endpoint, message, finish, text):
    """Parts, tool calls, and a reply that reached its limit."""
    body = {"choices": [{"message": message, "finish_reason": finish}]}
    endpoint.faults = [reply_with(json.dumps(body).encode(), "application/json")]
    reply = await mind.ask(question())

    assert reply.text == text
    assert reply.repairs == (("the reply reached its token limit: read what there was",) if finish == "length" else ())


@pytest.mark.parametrize(
    "payload", [b"<html>Welcome to nginx</html>", b"", b"[]", b'{"choices": []}', b"\xff\xfe", b"nul"]
)
async def test_what_is_no_completion_is_said(mind, endpoint, payload):
    """A page, nothing, other JSON: never a traceback."""
    endpoint.faults = [reply_with(payload, "text/html")]

    with pytest.raises((MindRefused, MindUnreadable), match=r"no JSON|without choices"):
        await mind.ask(question())


async def test_events_that_are_no_json_and_comments_are_passed_over(mind, endpoint):
    """Keep-alives, a broken event, two events without a blank line, CRLF, no [DONE]."""
    chunk = json.dumps({"choices": [{"delta": {"content": "Hi"}, "finish_reason": None}]})
    end = json.dumps({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    stream = f": ping\r\n\r\nevent: x\r\ndata: {chunk}\ndata: {chunk}\r\n\r\ndata: {{broken\r\n\r\ndata:{end}\r\n\r\n"
    endpoint.faults = [reply_with(stream.encode(), "text/event-stream")]
    reply = await streamed(mind)

    assert reply.text == "HiHi"
    assert reply.repairs == ("an event that is no JSON: left it out",)


async def test_the_only_model_is_found(endpoint):
    """OPENAI_BASE_URL alone; the server says how long its context is."""
    endpoint.models = [{"id": "tiny", "max_model_len": 4096}]
    mind = ChatApi(base_url=endpoint.url + "/")

    reply = await mind.ask(question())
    await mind.aclose()

    assert (reply.text, mind.name, mind.context_tokens) == ("Hello.", "tiny", 4096)
    assert endpoint.requests[0]["model"] == "tiny"
    assert "authorization" not in endpoint.headers_seen[0]


@pytest.mark.parametrize("models", [[], [{"id": "a"}, {"id": "b"}]])
async def test_several_models_must_be_chosen_from(endpoint, models):
    """The error names them, and DRAGOMAN_MODEL."""
    endpoint.models = models
    mind = ChatApi(base_url=endpoint.url)

    with pytest.raises(MindRefused, match=f"lists {len(models)} models") as caught:
        await mind.ask(question())
    await mind.aclose()
    assert "DRAGOMAN_MODEL" in caught.value.helps


async def test_a_wrong_key_is_never_shown(endpoint):
    """The endpoint repeats what it was given."""
    endpoint.key = "right"
    mind = ChatApi(base_url=endpoint.url, model="tiny", api_key="my-very-own-secret")

    with pytest.raises(MindRefused, match=r"refused the key \(401\)") as caught:
        await mind.ask(question())
    await mind.aclose()
    for shown in (str(caught.value), caught.value.helps, repr(mind), repr(caught.value.__cause__)):
        assert "my-very-own-secret" not in shown


@pytest.mark.parametrize("key", ["secret\nx: y", "schlüssel"])
async def test_a_key_that_cant_be_sent_is_refused_without_being_shown(endpoint, key):
    """A line end in the middle."""
    mind = ChatApi(base_url=endpoint.url, model="tiny", api_key=key)

    with pytest.raises(MindRefused, match="characters that no key has") as caught:
        await mind.ask(question())
    assert key not in str(caught.value)


@pytest.mark.parametrize("url", ["not an address", "ftp://x/v1", "http://[::1", "http://x:99999/v1", ""])
async def test_a_wrong_address_is_said(url):
    """No traceback for a typo."""

    async def sleep(seconds):
        """No waiting."""

    mind = ChatApi(base_url=url, model="m", sleep=sleep)
    with pytest.raises((MindRefused, MindUnavailable), match=r"no address|no connection"):
        await mind.ask(question(timeout_s=2))
    await mind.aclose()


async def test_the_format_bias_is_sent_and_given_up_when_refused(mind, endpoint, monkeypatch):
    """A vocabulary that is known, an endpoint that wants no bias."""
    encoding = types.SimpleNamespace(encode=lambda word: [len(word)])
    monkeypatch.setitem(sys.modules, "tiktoken", types.SimpleNamespace(encoding_for_model=lambda model: encoding))
    endpoint.refuses = {"logit_bias": "logit_bias is not supported"}
    mind._format_bias = 0.2
    reply = await mind.ask(question(bias_words=("task", "args", "id")))

    assert endpoint.requests[0]["logit_bias"] == {"4": 0.2, "2": 0.2}
    assert "logit_bias" not in endpoint.requests[1]
    assert reply.repairs == ("the endpoint refuses `logit_bias`: sent without",)


async def test_the_format_bias_is_sent_only_where_token_ids_are_known(endpoint):
    """No vocabulary for this model here: not sent, and that is said."""
    mind = ChatApi(base_url=endpoint.url, model="tiny", format_bias=0.2)
    reply = await mind.ask(question(bias_words=("task", "args")))
    await mind.aclose()

    assert "logit_bias" not in endpoint.requests[0]
    assert "sent without" in reply.repairs[0]


def test_secrets_are_hidden_wherever_they_stand():
    """A key, half a key, a password in an address."""
    assert KEY not in hidden(f"key {KEY} and Bearer abc.def", key=None)
    assert hidden("my key is 12345", key="12345") == "my key is …"
    assert shown_url("https://me:pass@host:8080/v1?token=x") == "https://host:8080/v1"


def test_no_heavy_library_is_needed_to_open_a_mind():
    """The HTTP library comes at the first question."""
    import subprocess
    import sys

    opened = "from dragoman.minds.chat_api import ChatApi; ChatApi(base_url='http://x/v1')"
    code = f"import sys; {opened}; print('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


async def test_a_redirect_does_not_carry_the_key_away(mind, endpoint):
    """The other host would get it."""
    endpoint.faults = [status(307, "moved", headers={"location": "http://127.0.0.1:9/v1"})]

    with pytest.raises(MindRefused, match="has moved"):
        await mind.ask(question())
