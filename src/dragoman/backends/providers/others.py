"""The formats of providers behind the router that do not speak `hf-inference`'s.

Sources: huggingface_hub, `inference/_providers/{together,nscale,fal_ai,replicate,deepinfra,scaleway,wavespeed}.py`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence

from dragoman.backends.base import Call, Produced
from dragoman.backends.exchange import Received
from dragoman.backends.made import data_output, picture_output, sound_output, unit_vectors
from dragoman.backends.providers.sound import transcript
from dragoman.backends.providers.text import texts_of
from dragoman.backends.providers.wire import Body, Wire, naming
from dragoman.backends.sendable import picture_of, sounds_of, words_of
from dragoman.values import Json

__all__ = [
    "EDIT_BY_REFERENCE",
    "EMBEDDINGS",
    "FORM_TRANSCRIPT",
    "SPEECH",
    "form_pieces",
    "image_base64",
    "image_by_prompt",
    "predicted",
    "prompt_of",
    "prompted",
    "read_embeddings",
    "read_image",
    "read_speech",
    "read_transcript",
    "read_video",
    "spoken_url",
    "url_transcript",
    "with_chunks",
]  # fmt: skip


def prompt_of(call: Call) -> str | None:
    """The words that go with a picture, if there are any."""
    words = call.args.get("text")
    return words if isinstance(words, str) and words.strip() else None


def read_image(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    """The picture itself."""
    return [picture_output(received)]


def read_speech(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    """The sound itself."""
    return [sound_output(received, name="speech")]


def read_video(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    """The video itself; it is measured where it is kept."""
    if not received.media_type.startswith("video/") and b"ftyp" not in received.payload[:32]:
        raise received.unlike("a video")
    media_type = received.media_type if received.media_type.startswith("video/") else "video/mp4"
    return [Produced(name="video", kind="video", media_type=media_type, payload=received.payload)]


def _base64_image(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    """`{"data": [{"b64_json": …}]}`."""
    rows = received.object().get("data")
    text = rows[0].get("b64_json") if isinstance(rows, list) and rows and isinstance(rows[0], dict) else None
    try:
        payload = base64.b64decode(str(text), validate=True)
    except (binascii.Error, ValueError) as error:
        raise received.unlike("a picture in base64") from error
    return [picture_output(Received(payload=payload, media_type="image/png", says=received.says))]


def image_base64(response_format: str | None) -> Wire:
    """A picture from words by an images endpoint, in base64."""

    def body(call: Call, model: str) -> Body:
        held = {"response_format": response_format} if response_format else {}
        return Body(json={"prompt": words_of(call.args), **held, "model": model})

    return naming(body, _base64_image)


def _edit_body(call: Call, model: str) -> Body:
    """FLUX.1 Kontext takes `image_url`, every other model `reference_images`."""
    picture = picture_of(call.args)
    is_kontext = "kontext" in model.lower() and "flux.1" in model.lower()
    image = {"image_url": picture.url} if is_kontext else {"reference_images": [picture.url]}
    fields = {"prompt": prompt_of(call) or "", **image, "response_format": "base64", "model": model}
    return Body(json=fields, picture=picture)


EDIT_BY_REFERENCE = naming(_edit_body, _base64_image)


def _embeddings_body(call: Call, model: str) -> Body:
    return Body(json={"input": texts_of(call), "model": model})


def read_embeddings(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    """`{"data": [{"index": n, "embedding": […]}]}`, in any order."""
    rows = received.object().get("data")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise received.unlike("vectors")
    places = [row.get("index") for row in rows]
    if sorted(places, key=str) == sorted(range(len(rows)), key=str):
        rows = [rows[places.index(place)] for place in range(len(rows))]
    vectors = unit_vectors([row.get("embedding") for row in rows], received=received, count=len(texts_of(call)))
    return [data_output("vectors", vectors)]


EMBEDDINGS = naming(_embeddings_body, read_embeddings)


def _speech_body(call: Call, model: str) -> Body:
    voice = call.args.get("voice") or call.card.options.get("voice")
    return Body(json={"input": words_of(call.args), **({"voice": str(voice)} if voice else {}), "model": model})


SPEECH = naming(_speech_body, read_speech)


def prompted(read: Callable[[Received, Call, Body], Sequence[Produced]]) -> Wire:
    """`{"prompt": …}` in; the result lies at an address."""
    return naming(lambda call, model: Body(json={"prompt": words_of(call.args)}), read)  # noqa: ARG005


def spoken_url() -> Wire:
    """`{"text": …}` in; the speech lies at an address."""
    return naming(lambda call, model: Body(json={"text": words_of(call.args)}), read_speech)  # noqa: ARG005


def image_by_prompt(fields: Callable[[str], Mapping[str, Json]], *, inside: str | None = None) -> Wire:
    """A picture and words in, the picture under the names that `fields` gives its data URL; into `inside`, if named."""

    def body(call: Call, model: str) -> Body:
        picture = picture_of(call.args)
        prompt = prompt_of(call)
        found = {**fields(picture.url), **({"prompt": prompt} if prompt else {})}
        held = versioned({inside: found}, model=model) if inside else found
        return Body(json=held, picture=picture)

    return naming(body, read_image)


def versioned(fields: Mapping[str, Json], *, model: str) -> dict[str, Json]:
    """Replicate's body: a model id with a version names it apart."""
    _, _, version = model.partition(":")
    return {**fields, **({"version": version} if version else {})}


def predicted(name: str, read: Callable[[Received, Call, Body], Sequence[Produced]]) -> Wire:
    """Replicate's `{"input": {name: words}}`."""
    return naming(lambda call, model: Body(json=versioned({"input": {name: words_of(call.args)}}, model=model)), read)


def _url_pieces(call: Call, model: str) -> Sequence[Body]:
    return [Body(json={"audio_url": sound.url}, sound=sound) for sound in sounds_of(call.args)]


def read_transcript(received: Sequence[Received], call: Call, bodies: Sequence[Body]) -> Sequence[Produced]:
    """The outputs of speech recognition out of OpenAI's replies, one per piece."""
    return transcript(
        [(with_chunks(one.json()), one) for one in received], sounds=[body.sound for body in bodies if body.sound]
    )


def with_chunks(reply: Json) -> Json:
    """OpenAI's `segments` as `chunks`."""
    segments = reply.get("segments") if isinstance(reply, dict) else None
    if not isinstance(segments, list):
        return reply
    chunks = [
        {"text": one.get("text"), "timestamp": [one.get("start"), one.get("end")]}
        for one in segments
        if isinstance(one, dict)
    ]
    return {**reply, "chunks": chunks}


url_transcript = Wire(bodies=_url_pieces, read=read_transcript)


def form_pieces(call: Call, model: str, **fields: str) -> Sequence[Body]:
    """A form per piece of the recording: the model, further fields, the file."""
    return [
        Body(
            json={"model": model, **fields},
            files=("file", "audio.flac", sound.payload, sound.media_type),
            sound=sound,
        )
        for sound in sounds_of(call.args)
    ]


FORM_TRANSCRIPT = Wire(bodies=lambda call, model: form_pieces(call, model), read=read_transcript)
