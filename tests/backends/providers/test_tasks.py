"""Every task that a provider serves here: what is sent is taken, and what comes back has the shape of its spec."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import hf_server
import numpy as np
import pytest
import soundfile
from PIL import Image

from dragoman.backends.base import Call, Item, Produced
from dragoman.backends.mind.questions import TEXT_TASKS, VISION_TASKS
from dragoman.backends.providers.backend import ProvidersBackend
from dragoman.backends.providers.routes import HF_INFERENCE, ROUTES
from dragoman.errors import ExpertError
from dragoman.tasks import SPECS

Made = Callable[..., Any]
ENGLISH = "Ada lived in London."


def args_of(task: str, item: Made) -> dict[str, Any]:
    """Arguments for any task that providers serve."""
    picture = item(hf_server.png(), name="picture.png")
    sound = item(hf_server.flac(), kind="audio", media_type="audio/flac", name="sound.flac")
    table = item(b"name,apples\nAda,2\nBob,3\n", kind="table", media_type="text/csv", name="t.csv")
    known: dict[str, dict[str, Any]] = {
        "zero-shot-classification": {"text": ENGLISH, "labels": ["sport", "life"]},
        "zero-shot-image-classification": {"image": picture, "labels": ["cat", "dog"]},
        "fill-mask": {"text": "The capital of France is <mask>."},
        "sentence-similarity": {"text": ["One.", "Two.", "Three."]},
        "question-answering": {"text": "When?", "context": "She was born in 1815. He was not."},
        "translation": {"text": ENGLISH, "target": "pt"},
        "table-question-answering": {"text": "How many has Bob?", "table": table},
        "visual-question-answering": {"image": picture, "text": "Is it green?"},
        "document-question-answering": {"image": picture, "text": "Which day?"},
        "image-to-image": {"image": picture, "text": "make it red"},
    }
    spec = SPECS[task]
    plain = {slot.name: {"text": ENGLISH, "image": picture, "audio": sound}.get(slot.name) for slot in spec.slots}
    return known.get(task) or {name: value for name, value in plain.items() if value is not None}


def backend(server: Any, **more: Any) -> ProvidersBackend:
    async def no_sleep(seconds: float) -> None:
        server.slept = [*getattr(server, "slept", []), seconds]

    return ProvidersBackend(
        hf_server.TOKEN, endpoint=server.url, router=server.url, allow_hosts=(server.host,), sleep=no_sleep, **more
    )


async def run(server: Any, call: Call, *, provider: str = HF_INFERENCE, **more: Any) -> dict[str, Produced]:
    server.serve_model(call.card.id, call.task, provider=provider, **more)
    return {one.name: one for one in await backend(server).run(call)}


EVERY = [(provider, task) for provider, tasks in ROUTES.items() for task in tasks]
CHATS = [task for task in (*TEXT_TASKS, *VISION_TASKS) if not task.endswith("classification")]


@pytest.mark.parametrize(("provider", "task"), EVERY)
async def test_every_provider_serves_every_task_it_claims(
    provider: str, task: str, server: Any, call: Made, item: Made
):
    """The server refuses unknown fields; the outputs bear the names and kinds of the spec."""
    options = {"voice": "a"} if task == "text-to-speech" else None

    made = await run(server, call(task, options=options, **args_of(task, item)), provider=provider)

    kinds = {out.name: out.kind for out in SPECS[task].outputs}
    assert made
    assert {one.name: one.kind for one in made.values()}.items() <= kinds.items()
    first = SPECS[task].outputs[0].name if task != "image-feature-extraction" else "vectors"
    assert first in made


ODD = (
    b"null", b"[]", b"{}", b"[1]", b'"x"', b"[[]]", b"[{}]", b'{"data": 3}', b'{"data": [{}]}', b'{"error": "no"}',
    b'[{"label": 1, "score": "x", "box": 3, "mask": "?", "answer": [], "blob": 1}]', b'{"text": 3, "output": {}}',
    b'{"response_url": 3, "data": {"urls": []}}', b"not JSON", b"\xff\xfe",
    b'{"coordinates": [1], "answer": "a", "cells": 3}',
)  # fmt: skip


@pytest.mark.parametrize(("provider", "task"), EVERY)
async def test_a_reply_of_any_other_shape_is_a_failed_expert(
    provider: str, task: str, server: Any, call: Made, item: Made
):
    """Sixteen odd replies: none is a result that its spec does not know, none breaks the program."""
    wanted = call(task, options={"voice": "a"}, **args_of(task, item))
    server.serve_model(wanted.card.id, task, provider=provider)
    kinds = {out.name: out.kind for out in SPECS[task].outputs}
    for odd in ODD:
        server.faults = [hf_server.reply_with(odd, "application/json")]
        made: tuple[Produced, ...] = ()
        with contextlib.suppress(ExpertError):
            made = await backend(server).run(wanted)
        assert {one.name: one.kind for one in made}.items() <= kinds.items()


@pytest.mark.parametrize("task", CHATS)
async def test_a_model_that_chats_serves_text_and_pictures(task: str, server: Any, call: Made, item: Made):
    """Through the router, under the Hub's id; a picture goes along as a data URL."""
    wanted = call(task, options={"wire": "conversational"}, **args_of(task, item))
    server.serve_model(wanted.card.id, "conversational", provider="some-cloud", providerId="other/name")

    made = {one.name: one for one in await backend(server).run(wanted)}

    path, _, sent = server.requests[0]
    assert made["text"].text == "A reply."
    assert (path, sent["model"]) == ("/v1/chat/completions", "org/model")
    assert ("data:image/png;base64," in str(sent)) is (task in VISION_TASKS)


async def test_labels_come_best_first(server: Any, call: Made):
    """A list in a list, worst first."""
    made = await run(server, call("text-classification", text=ENGLISH))

    assert made["labels"].data == [{"label": "dog", "score": 0.7}, {"label": "cat", "score": 0.2}]


async def test_entities_are_the_words_of_the_text(server: Any, call: Made):
    """The model gives them in lower case."""
    made = await run(server, call("token-classification", text=ENGLISH))

    assert [(row["entity_group"], row["word"]) for row in made["entities"].data] == [
        ("PERSON", "Ada"),
        ("LOC", "London"),
    ]


async def test_vectors_have_unit_length_one_per_text(server: Any, call: Made):
    """Two texts; [3, 4] becomes [0.6, 0.8]."""
    made = await run(server, call("feature-extraction", text=["One.", "Two."]))

    assert made["vectors"].data == [[0.6, 0.8], [0.6, 0.8]]


async def test_similar_models_serve_both_kinds_of_vectors(server: Any, call: Made):
    """The Hub lists the model under sentence-similarity; vectors are asked for by the address."""
    wanted = call("feature-extraction", text="One.")
    server.serve_model(wanted.card.id, "sentence-similarity")

    made = await backend(server).run(wanted)

    assert made[0].data == [[0.6, 0.8]]
    assert server.requests[0][0] == "/hf-inference/models/org/model/pipeline/feature-extraction"


async def test_an_answer_brings_its_sentence(server: Any, call: Made):
    """The span's place is in the context."""
    context = "She was born in 1815. He was not."
    made = await run(server, call("question-answering", text="When?", context=context))

    assert made["text"].text == "in 1815"
    assert made["span"].data["sentence"] == "She was born in 1815."
    assert context[made["span"].data["start"] : made["span"].data["end"]] == "in 1815"


async def test_the_cells_of_an_answer_are_named_by_their_column(server: Any, call: Made, item: Made):
    """TAPAS gives coordinates."""
    made = await run(server, call("table-question-answering", **args_of("table-question-answering", item)))

    assert made["cells"].data == [{"row": 1, "column": "apples", "value": "3"}]
    assert server.requests[0][2]["inputs"]["table"] == {"name": ["Ada", "Bob"], "apples": ["2", "3"]}


async def test_a_mask_in_any_spelling_is_the_models_own(server: Any, call: Made):
    """RoBERTa's `<mask>` for a model that wants `[MASK]`; without one the call is refused here."""
    made = await run(server, call("fill-mask", text="Paris is in <mask>."))

    assert made["labels"].data == [{"label": "paris", "score": 0.5}]
    assert server.requests[0][2]["inputs"] == "Paris is in [MASK]."
    with pytest.raises(ExpertError, match=r"put \[MASK\] where the word is missing"):
        await run(server, call("fill-mask", text="Paris is in France."))


async def test_a_translator_of_one_pair_refuses_another_source(server: Any, call: Made):
    """German text for an English-French model; then a model with codes of its own."""
    pair = call("translation", text="Hallo", source="de", target="fr", options={"source": "en"})
    many = call("translation", model="m/many", text="Olá", source="pt", target="de",
                options={"codes": {"pt": "pt_XX", "de": "de_DE"}})  # fmt: skip

    with pytest.raises(ExpertError, match="translates from `en`, not from `de`"):
        await run(server, pair)
    await run(server, many)

    assert server.requests[0][2]["parameters"] == {"src_lang": "pt_XX", "tgt_lang": "de_DE"}


async def test_boxes_are_in_pixels_of_the_picture_however_it_was_sent(server: Any, call: Made, item: Made):
    """4096 pixels wide, sent at half that."""
    wide = item(hf_server.png(4096, 100), name="wide.png")

    made = await run(server, call("object-detection", image=wide))

    sent = Image.open(io.BytesIO(server.requests[0][2]))
    assert sent.size == (2048, 50)
    assert made["boxes"].data["boxes"][0]["box"] == [20, 40, 60, 80]
    assert made["boxes"].data["counts"] == {"cat": 1}


async def test_segments_have_box_and_area_and_one_mask(server: Any, call: Made, item: Made):
    """The left half; of two labels only the wanted one."""
    picture = item(hf_server.png(), name="p.png")

    made = await run(server, call("image-segmentation", image=picture, labels=["Sky"]))

    assert made["segments"].data == [{"label": "sky", "score": 0.9, "box": [0, 0, 32, 48], "area": 32 * 48}]
    mask = np.asarray(Image.open(io.BytesIO(made["mask"].payload or b"")).convert("L"))
    assert (int(mask[:, :32].min()), int(mask[:, 32:].max())) == (255, 0)


async def test_the_surest_answer_about_a_picture_is_taken(server: Any, call: Made, item: Made):
    """The worse one comes first."""
    made = await run(server, call("visual-question-answering", **args_of("visual-question-answering", item)))

    assert made["text"].text == "yes"


async def test_speech_comes_with_times_where_the_model_gives_them(server: Any, call: Made, item: Made):
    """A last word without an end ends with the recording."""
    options = {"timestamps": True}
    made = await run(
        server, call("automatic-speech-recognition", options=options, **args_of("automatic-speech-recognition", item))
    )

    assert made["text"].text == "Hello there."
    assert made["segments"].data == {
        "language": None,
        "duration_s": 0.5,
        "segments": [{"start_s": 0.0, "end_s": 0.5, "text": "Hello there."}],
    }


async def test_half_an_hour_of_speech_goes_in_pieces(server: Any, call: Made, item: Made):
    """25 minutes of near silence: three pieces, whose times follow one another."""
    sink = io.BytesIO()
    soundfile.write(sink, np.zeros(8000 * 1500, dtype=np.float32), 8000, format="FLAC")
    long = item(sink.getvalue(), kind="audio", media_type="audio/flac", name="long.flac")

    made = await run(server, call("automatic-speech-recognition", audio=long))

    segments = made["segments"].data["segments"]
    assert len(segments) == len(server.requests) == 3
    assert [segment["start_s"] for segment in segments[1:]] == [segment["end_s"] for segment in segments[:-1]]
    assert (segments[0]["start_s"], segments[-1]["end_s"]) == (0.0, 1500.0)


async def test_what_was_made_is_returned_as_it_came(server: Any, call: Made):
    """A picture, with its size."""
    made = await run(server, call("text-to-image", text="a green field"))

    assert made["image"].payload == hf_server.png()
    assert made["image"].facts["width_px"] == 64
    assert server.requests[0][1]["accept"] == "image/png"


async def test_place_time_and_camera_of_a_picture_stay_here(server: Any, call: Made, item: Made):
    """A JPEG with EXIF and GPS, lying on its side: it is sent upright and bare."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "SecretCam"
    exif.get_ifd(0x8825)[1] = "N"
    sink = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(sink, "JPEG", exif=exif, comment=b"at home")
    photo: Item = item(sink.getvalue(), media_type="image/jpeg", name="photo.jpg")

    await run(server, call("image-classification", image=photo))

    sent = server.requests[0][2]
    assert b"SecretCam" in sink.getvalue()
    assert b"SecretCam" not in sent
    assert b"at home" not in sent
    image = Image.open(io.BytesIO(sent))
    assert (image.size, dict(image.getexif())) == ((40, 60), {})
