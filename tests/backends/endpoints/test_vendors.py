"""Any HTTP API as one row of data: filled by name, read strictly, its key in no message."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragoman.backends.base import Call, Item, Produced
from dragoman.backends.endpoints.vendor_rows import at, filled, read
from dragoman.backends.endpoints.vendors import VendorsBackend
from dragoman.backends.remote import remote_backends
from dragoman.config import Settings
from dragoman.errors import ExpertError, UsageError
from dragoman.values import Resource

sys.path.append(str(Path(__file__).parent))
import openai_server

PAGE = Path(__file__).parents[3] / "docs" / "providers.md"
ENVIRON = {"ACME_API_KEY": openai_server.KEY}
ROW = """
[[vendor]]
id = "acme/painter"
task = "text-to-image"
description = "Pictures."
license = "terms of Acme"
url = "URL/images/generations"
headers = { authorization = "Bearer ${ACME_API_KEY}" }
body = { model = "gpt-image-2", prompt = "A picture of {text}", n = 1 }
result = { form = "base64", path = "data.0.b64_json" }
"""


@pytest.fixture
def server() -> Iterator[Any]:
    """A faithful endpoint on this machine."""
    with openai_server.running() as found:
        yield found


def backend(folder: Path, server: Any, row: str = ROW, **more: Any) -> VendorsBackend:
    path = folder / "vendors.toml"
    path.write_text(row.replace("URL", server.url), encoding="utf-8")
    return VendorsBackend(read(path), **{"environ": ENVIRON, **more})


async def run(backend: VendorsBackend, **args: Any) -> tuple[Produced, ...]:
    (card,) = backend.cards()
    return await backend.run(
        Call(run="r", task_id=0, task=card.tasks[0], card=card, args={"text": "a fox", **args}, deadline_s=5.0)
    )


async def test_a_row_is_an_expert(tmp_path: Path, server: Any):
    """Words go into the template, the picture is taken out of the reply."""
    (made,) = await run(backend(tmp_path, server))

    assert (made.name, made.payload) == ("image", openai_server.png())
    assert server.requests[0][1] == {"model": "gpt-image-2", "prompt": "A picture of a fox", "n": 1}


async def test_a_result_may_lie_at_an_address(tmp_path: Path, server: Any):
    """Fetched through the network door, without the key."""
    server.as_url = True
    row = ROW.replace('form = "base64", path = "data.0.b64_json"', 'form = "url", path = "data.0.url"')
    host = server.url.removeprefix("http://").removesuffix("/v1")

    (made,) = await run(backend(tmp_path, server, row, allow_hosts=(host,)))

    assert made.payload == openai_server.png()
    with pytest.raises(ExpertError, match="inside a private or local network"):
        await run(backend(tmp_path, server, row))


async def test_a_result_may_be_the_reply_itself(tmp_path: Path, server: Any):
    """Speech is the whole reply."""
    row = ROW.replace("text-to-image", "text-to-speech").replace("images/generations", "audio/speech")
    row = re.sub(r"body = .*", 'body = { model = "tts-1", input = "{text}", voice = "alloy" }', row)
    row = re.sub(r"result = .*", 'result = { form = "bytes" }', row)

    (made,) = await run(backend(tmp_path, server, row))

    assert (made.name, made.media_type) == ("speech", "audio/wav")


async def test_pictures_go_in_as_data(tmp_path: Path, server: Any):
    """A question to a model that sees, through a row."""
    path = tmp_path / "p.png"
    path.write_bytes(openai_server.png())
    picture = Item(resource=Resource(name="p.png", kind="image", media_type="image/png", sha256="0" * 64), path=path)
    row = ROW.replace("text-to-image", "visual-question-answering").replace("images/generations", "chat/completions")
    content = '[{ type = "text", text = "{text}" }, { type = "image_url", image_url = { url = "{image_url}" } }]'
    row = re.sub(
        r"body = .*", f'body = {{ model = "tiny", messages = [{{ role = "user", content = {content} }}] }}', row
    )
    row = re.sub(r"result = .*", 'result = { form = "text", path = "choices.0.message.content" }', row)

    (made,) = await run(backend(tmp_path, server, row), image=picture)

    assert made.text == "A reply."


async def test_without_its_key_it_says_which_is_missing(tmp_path: Path, server: Any):
    """The service is not asked."""
    used = backend(tmp_path, server, environ={})

    found = await used.availability(used.cards()[0])

    assert (found.can_run, found.because) == (False, "ACME_API_KEY must be set")


async def test_the_key_stands_in_no_error(tmp_path: Path, server: Any):
    """The service repeats it."""
    with pytest.raises(ExpertError) as caught:
        await run(backend(tmp_path, server, environ={"ACME_API_KEY": "wrong-key-wrong"}))

    assert "acme/painter refused the key (401); set ACME_API_KEY" in caught.value.says
    assert "wrong-key-wrong" not in caught.value.says


async def test_a_reply_of_another_shape_is_no_result(tmp_path: Path, server: Any):
    """Nothing lies at the path."""
    row = ROW.replace("data.0.b64_json", "result.picture")

    with pytest.raises(ExpertError, match=r"where base64 at `result\.picture` was wanted|where a picture was wanted"):
        await run(backend(tmp_path, server, row))


FAULTS = {
    "no such task: painting": ('task = "text-to-image"', 'task = "painting"'),
    "no such argument: os": ("{text}", "{os}"),
    "is no http": ("URL/images", "ftp://x/images"),
    "must not hold a name or password": ("http://", "http://me:pw@"),
    "a header must not hold a key": ("Bearer ${ACME_API_KEY}", "Bearer sk-abc"),
    "has no output of the form labels": ('form = "base64"', 'form = "labels"'),
    "unknown field": ("license =", "licence ="),
    "Invalid enum value": ('form = "base64"', 'form = "eval"'),
}


@pytest.mark.parametrize("says", FAULTS)
def test_a_wrong_row_is_an_error_that_says_what_is_wrong(says: str, tmp_path: Path, server: Any):
    """It names the file and where right rows are shown."""
    before, after = FAULTS[says]
    row = ROW.replace("URL", server.url) if before == "http://" else ROW

    with pytest.raises(UsageError, match=re.escape(says)) as caught:
        backend(tmp_path, server, row.replace(before, after))
    assert "docs/providers.md" in caught.value.says


def test_templates_are_filled_and_never_evaluated():
    """A value with braces in it is not looked into; a list stays a list where it stands alone."""
    values: dict[str, Any] = {"text": "{labels} {0.__class__}", "labels": ["a", "b"]}

    found = filled({"q": "say {text}", "all": "{labels}", "n": 1}, values.__getitem__)

    assert found == {"q": "say {labels} {0.__class__}", "all": ["a", "b"], "n": 1}


def test_a_path_leads_into_objects_and_lists():
    """Where it leads nowhere there is nothing."""
    assert at({"a": [{"b": 3}]}, "a.0.b") == 3
    assert at({"a": []}, "a.0.b") is None
    assert at({"a": 1}, "a.__class__") is None
    assert at([1], "") == [1]


def test_the_rows_of_the_page_are_right(tmp_path: Path):
    """They are read as they stand there, and their experts are registered."""
    rows = "\n".join(re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    (tmp_path / "vendors.toml").write_text(rows, encoding="utf-8")

    (used,) = remote_backends(Settings(home=tmp_path), None)

    assert used.name == "vendors"
    assert len(used.cards()) == 2
