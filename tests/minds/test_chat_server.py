"""The local endpoint is faithful: the official client is content with it, and it refuses what OpenAI's refuses."""

import openai
import pytest


@pytest.fixture
def client(endpoint):
    with openai.OpenAI(base_url=endpoint.url, api_key="k", max_retries=0) as found:
        yield found


HELLO = [{"role": "user", "content": "Hello"}]


def test_the_official_client_lists_models(client):
    """One model."""
    assert [model.id for model in client.models.list()] == ["tiny"]


def test_the_official_client_reads_a_completion(client):
    """Words and usage."""
    reply = client.chat.completions.create(model="tiny", messages=HELLO, temperature=0, max_tokens=5)

    assert reply.choices[0].message.content == "Hello."
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (11, 7)


def test_the_official_client_reads_a_stream(client):
    """The pieces joined, the usage last."""
    chunks = list(client.chat.completions.create(
        model="tiny", messages=HELLO, stream=True, stream_options={"include_usage": True}
    ))  # fmt: skip

    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "Hello."
    assert chunks[-1].usage.total_tokens == 18


def test_the_official_client_may_send_a_schema(client):
    """A strict one."""
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    held = {"type": "json_schema", "json_schema": {"name": "x", "strict": True, "schema": schema}}

    assert client.chat.completions.create(model="tiny", messages=HELLO, response_format=held).choices


def test_an_unknown_field_is_refused(client):
    """With its name."""
    with pytest.raises(openai.BadRequestError, match="Unrecognized request argument supplied: mirostat"):
        client.chat.completions.create(model="tiny", messages=HELLO, extra_body={"mirostat": 2})


def test_a_loose_schema_is_refused(client):
    """A property that is not required."""
    held = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object", "properties": {"a": {}}}}}

    with pytest.raises(openai.BadRequestError, match="'required' must hold every key"):
        client.chat.completions.create(model="tiny", messages=HELLO, response_format=held)


def test_an_unknown_model_and_a_wrong_key_are_refused(client, endpoint):
    """404 and 401, as the client knows them."""
    with pytest.raises(openai.NotFoundError):
        client.chat.completions.create(model="huge", messages=HELLO)
    endpoint.key = "right"
    with pytest.raises(openai.AuthenticationError):
        client.chat.completions.create(model="tiny", messages=HELLO)
