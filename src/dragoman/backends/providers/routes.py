"""Providers and the tasks each serves here: address behind the router, wire format, how a result is waited for.

Sources: huggingface_hub, `inference/_providers/*.py`. A provider that is not in the table is left out, with the reason.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from dragoman.backends.exchange import Received
from dragoman.backends.providers.chat import CHAT
from dragoman.backends.providers.others import (
    EDIT_BY_REFERENCE,
    EMBEDDINGS,
    FORM_TRANSCRIPT,
    SPEECH,
    image_base64,
    image_by_prompt,
    predicted,
    prompted,
    read_image,
    read_speech,
    read_video,
    spoken_url,
    url_transcript,
)
from dragoman.backends.providers.sound import SOUND_WIRES
from dragoman.backends.providers.text import TEXT_WIRES
from dragoman.backends.providers.vision import VISION_WIRES
from dragoman.backends.providers.wire import Wire
from dragoman.values import Json

__all__ = ["CHATTING", "HF_INFERENCE", "ROUTES", "Errand", "Route"]

HF_INFERENCE = "hf-inference"
_POLL_S = 0.5
_REPLICATE = "/v1/models/{name}/predictions"


class Errand(Protocol):
    """What a route may do to get a result that the first reply only points to."""

    async def get(self, path: str) -> Received:
        """A further reply of the provider, behind the router."""
        ...

    async def download(self, url: str) -> Received:
        """A file at a public address, through the network door."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


Settle = Callable[[Received, Errand], Awaitable[Received]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """How one provider serves one task. path: below the router's address of the provider, `{id}` its model id.

    `{name}` in a path is Replicate's: an id with a version goes to the predictions of all models.
    """

    path: str
    wire: Wire
    settle: Settle | None = None
    headers: tuple[tuple[str, str], ...] = ()

    def address(self, model: str) -> str:
        """The path for the provider's id of a model."""
        if self.path == _REPLICATE:
            return "/v1/predictions" if ":" in model else self.path.format(name=model)
        return self.path.format(id=model)


def _linked(*way: str | int) -> Settle:
    """The file whose address stands at `way` in the reply."""

    async def settle(received: Received, errand: Errand) -> Received:
        return await errand.download(_at(received.json(), way, received=received))

    return settle


def _at(value: Json, way: tuple[str | int, ...], *, received: Received) -> str:
    for step in way:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError) as error:
            raise received.unlike("the address of a result") from error
    if not isinstance(value, str):
        raise received.unlike("the address of a result")
    return value


def _queued(*way: str | int) -> Settle:
    """fal.ai's queue: the status is asked until it says COMPLETED; the result names a file."""

    async def settle(received: Received, errand: Errand) -> Received:
        path = urlsplit(_at(received.json(), ("response_url",), received=received)).path
        while (state := received.object().get("status")) != "COMPLETED":
            if state not in ("IN_QUEUE", "IN_PROGRESS"):
                raise received.unlike("the state of the call")
            await errand.sleep(_POLL_S)
            received = await errand.get(f"{path}/status?_subdomain=queue")
        received = await errand.get(f"{path}?_subdomain=queue")
        return await errand.download(_at(received.json(), way, received=received))

    return settle


async def _predicted(received: Received, errand: Errand) -> Received:
    """Replicate: the output is the address of a file, or a list of such."""
    output = received.object().get("output")
    way = ("output",) if isinstance(output, str) else ("output", 0)
    return await errand.download(_at({"output": output}, way, received=received))


async def _wavespeed(received: Received, errand: Errand) -> Received:
    """WaveSpeed: the result is asked for until it is there; it names files."""
    path = urlsplit(_at(received.json(), ("data", "urls", "get"), received=received)).path
    while True:
        await errand.sleep(_POLL_S)
        received = await errand.get(path)
        state = received.object().get("data") or {}
        if state.get("status") == "completed":
            return await errand.download(_at(state, ("outputs", 0), received=received))
        if state.get("status") not in ("processing", "created"):
            raise received.unlike("a finished result")


def _hf_inference() -> dict[str, Route]:
    several = ("feature-extraction", "sentence-similarity")  # models that can do both say which in the address
    return {
        task: Route(path=f"/models/{{id}}/pipeline/{task}" if task in several else "/models/{id}", wire=wire)
        for task, wire in {**TEXT_WIRES, **VISION_WIRES, **SOUND_WIRES}.items()
    }


def _fal() -> dict[str, Route]:
    def pictures(url: str) -> dict[str, Json]:
        return {"image_url": url, "image_urls": [url]}

    queue, image, video = "/{id}?_subdomain=queue", ("images", 0, "url"), ("video", "url")
    return {
        "text-to-image": Route(path="/{id}", wire=prompted(read_image), settle=_linked(*image)),
        "text-to-speech": Route(path="/{id}", wire=spoken_url(), settle=_linked("audio", "url")),
        "automatic-speech-recognition": Route(path="/{id}", wire=url_transcript),
        "image-to-image": Route(path=queue, wire=image_by_prompt(pictures), settle=_queued(*image)),
        "text-to-video": Route(path=queue, wire=prompted(read_video), settle=_queued(*video)),
    }


def _replicate() -> dict[str, Route]:
    def pictures(url: str) -> dict[str, Json]:
        return {"image": url, "images": [url], "input_image": url, "input_images": [url]}

    wires = {
        "text-to-image": predicted("prompt", read_image),
        "text-to-video": predicted("prompt", read_video),
        "text-to-speech": predicted("text", read_speech),
        "image-to-image": image_by_prompt(pictures, inside="input"),
    }
    return {
        task: Route(path=_REPLICATE, wire=wire, settle=_predicted, headers=(("prefer", "wait"),))
        for task, wire in wires.items()
    }


def _wavespeed_routes() -> dict[str, Route]:
    wires = {
        "text-to-image": prompted(read_image),
        "text-to-video": prompted(read_video),
        "image-to-image": image_by_prompt(lambda url: {"image": url}),
    }
    return {task: Route(path="/api/v3/{id}", wire=wire, settle=_wavespeed) for task, wire in wires.items()}


CHATTING = Route(path="/v1/chat/completions", wire=CHAT)  # at the router itself, which picks the provider
ROUTES: Mapping[str, Mapping[str, Route]] = {
    HF_INFERENCE: _hf_inference(),
    "fal-ai": _fal(),
    "replicate": _replicate(),
    "wavespeed": _wavespeed_routes(),
    "together": {
        "text-to-image": Route(path="/v1/images/generations", wire=image_base64("base64")),
        "image-to-image": Route(path="/v1/images/generations", wire=EDIT_BY_REFERENCE),
        "text-to-speech": Route(path="/v1/audio/speech", wire=SPEECH),
        "feature-extraction": Route(path="/v1/embeddings", wire=EMBEDDINGS),
    },
    "nscale": {"text-to-image": Route(path="/v1/images/generations", wire=image_base64("b64_json"))},
    "deepinfra": {
        "automatic-speech-recognition": Route(path="/v1/openai/audio/transcriptions", wire=FORM_TRANSCRIPT),
        "text-to-speech": Route(path="/v1/openai/audio/speech", wire=SPEECH),
        "feature-extraction": Route(path="/v1/openai/embeddings", wire=EMBEDDINGS),
    },
    "scaleway": {"feature-extraction": Route(path="/v1/embeddings", wire=EMBEDDINGS)},
}
