"""The settings say which mind; none is a mind too few, never an error."""

from pathlib import Path

import pytest

from dragoman.config import Settings
from dragoman.errors import UsageError
from dragoman.minds.chat_api import ChatApi
from dragoman.minds.opening import open_mind
from dragoman.minds.scripted import Scripted

HOME = {"DRAGOMAN_HOME": "/tmp/nowhere"}
URL = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
KEY = {"OPENAI_API_KEY": "sk-secret-0123456789"}


def opened(environ, **overrides):
    return open_mind(Settings.from_env({**HOME, **environ}, **overrides))


@pytest.mark.parametrize("environ", [{}, KEY, {"DRAGOMAN_MODEL": "embedded"}, {**URL, "DRAGOMAN_MODEL": "embedded"}])
def test_without_a_configured_endpoint_there_is_no_mind(environ):
    """A bare key sends nothing anywhere."""
    assert opened(environ) is None


def test_an_address_alone_asks_the_endpoint_for_its_model():
    """The name is not known yet."""
    mind = opened(URL)

    assert isinstance(mind, ChatApi)
    assert mind.name == "http://127.0.0.1:9/v1"


@pytest.mark.parametrize("name", ["tiny", "qwen2.5:1.5b", "org/model"])
def test_a_model_is_asked_at_the_configured_address(name):
    """Names of any form."""
    assert opened({**URL, "DRAGOMAN_MODEL": name}).name == name
    assert opened(URL, mind=name).name == name


def test_a_model_with_a_key_and_no_address_goes_to_openai():
    """Both were set for that."""
    assert "api.openai.com" in repr(opened({**KEY, "DRAGOMAN_MODEL": "gpt-x"}))
    assert "secret" not in repr(opened({**KEY, "DRAGOMAN_MODEL": "gpt-x"}))


def test_a_model_without_address_and_key_is_a_usage_error():
    """It says what to set."""
    with pytest.raises(UsageError, match="`gpt-x` would be a model at an endpoint") as caught:
        opened({"DRAGOMAN_MODEL": "gpt-x"})
    assert "OPENAI_BASE_URL" in caught.value.helps


def test_auto_is_what_the_environment_says():
    """`--mind auto` with DRAGOMAN_MODEL set."""
    assert opened({**URL, "DRAGOMAN_MODEL": "tiny"}, mind="auto").name == "tiny"


def test_a_script_is_opened_by_its_file(tmp_path: Path):
    """`scripted:FILE`."""
    (tmp_path / "s.jsonl").write_text('{"stage": "plan", "reply": "[]"}\n')
    mind = opened({}, mind=f"scripted:{tmp_path}/s.jsonl")

    assert isinstance(mind, Scripted)


@pytest.mark.parametrize("kind", ["scripted", "gguf"])
def test_a_missing_file_is_a_usage_error(tmp_path: Path, kind, monkeypatch):
    """Named."""
    monkeypatch.setattr("dragoman.minds.gguf.find_spec", lambda name: True)

    with pytest.raises(UsageError, match="none"):
        opened({}, mind=f"{kind}:{tmp_path}/none")
