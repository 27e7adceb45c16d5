"""The local server is what Hugging Face's own client takes for a Hub and a router, task by task."""

from __future__ import annotations

from typing import Any

import hf_server
import numpy as np
import pytest
from huggingface_hub import InferenceClient, constants

ENGLISH = "Ada lived in London."


@pytest.fixture
def client(server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The official client, aimed at the local server by its own constants."""
    monkeypatch.setattr(constants, "INFERENCE_PROXY_TEMPLATE", f"{server.url}/{{provider}}")
    monkeypatch.setattr(constants, "ENDPOINT", server.url)

    def make(task: str, provider: str = "hf-inference") -> InferenceClient:
        model = f"org/{provider}-{task}"
        server.mapping.clear()
        server.serve_model(model, task, provider=provider)
        if provider != "hf-inference":
            return InferenceClient(provider=provider, model=model, token=hf_server.TOKEN)  # type: ignore[arg-type]
        ending = f"/pipeline/{task}" if task in ("feature-extraction", "sentence-similarity") else ""
        # Its helpers for hf-inference keep the address that they were made with: here the model is an address.
        return InferenceClient(f"{server.url}/hf-inference/models/{model}{ending}", token=hf_server.TOKEN)

    return make


def test_text_tasks(client: Any):
    """Every text task of `hf-inference`."""
    assert client("text-classification").text_classification(ENGLISH)[0].label == "cat"
    assert client("token-classification").token_classification(ENGLISH, aggregation_strategy="simple")[0].start == 0
    assert client("fill-mask").fill_mask("In [MASK].")[0].token_str == " paris"
    assert client("question-answering").question_answering(question="When?", context=ENGLISH).answer == "in 1815"
    assert client("summarization").summarization(ENGLISH).summary_text == "Short."
    assert client("translation").translation(ENGLISH).translation_text
    assert client("sentence-similarity").sentence_similarity("One.", other_sentences=["Two."]) == [0.5]
    assert np.allclose(client("feature-extraction").feature_extraction("One."), [3.0, 4.0])
    labels = client("zero-shot-classification").zero_shot_classification(ENGLISH, candidate_labels=["a", "b"])
    assert labels[0].label == "a"
    table = client("table-question-answering").table_question_answering({"name": ["Ada"]}, query="Who?")
    assert table.coordinates == [[1, 1]]


def test_picture_tasks(client: Any, tmp_path: Any):
    """Raw bytes and base64; a file's name tells its type."""
    picture = tmp_path / "picture.png"
    picture.write_bytes(hf_server.png())
    assert client("image-classification").image_classification(picture)[0].label == "cat"
    assert client("object-detection").object_detection(picture)[0].box.xmin == 10
    assert client("image-segmentation").image_segmentation(picture)[0].label == "sky"
    assert client("image-to-text").image_to_text(picture).generated_text == "a green field"
    found = client("zero-shot-image-classification").zero_shot_image_classification(picture, ["cat", "dog"])
    assert found[0].label == "cat"
    assert client("visual-question-answering").visual_question_answering(picture, "Is it?")[1].answer == "yes"
    assert client("document-question-answering").document_question_answering(picture, "When?")[0].answer == "12 May"
    assert client("image-to-image").image_to_image(picture, prompt="red").size == (64, 48)
    assert client("text-to-image").text_to_image("a fox").size == (64, 48)


def test_sound_tasks(client: Any, tmp_path: Any):
    """Sound goes from a file, whose name tells its type."""
    path = tmp_path / "sound.flac"
    path.write_bytes(hf_server.flac())
    assert client("automatic-speech-recognition").automatic_speech_recognition(path).text == " Hello there."
    assert client("audio-classification").audio_classification(path)[0].label == "cat"
    assert client("audio-to-audio").audio_to_audio(path)[0].label == "speech"
    assert client("text-to-speech").text_to_speech("Hello.") == hf_server.flac()


def test_the_other_providers_by_the_hubs_mapping(client: Any):
    """Each in its own format, through the router."""
    # Not wavespeed and the queues of fal: there the client knows its router by name and by nothing else.
    for provider in ("together", "nscale", "fal-ai", "replicate"):
        assert client("text-to-image", provider).text_to_image("a fox").size == (64, 48), provider
    for provider in ("together", "deepinfra", "scaleway"):
        assert np.allclose(client("feature-extraction", provider).feature_extraction("One."), [[3.0, 4.0]])
    for provider in ("fal-ai", "replicate", "deepinfra"):
        assert client("text-to-speech", provider).text_to_speech("Hello.") == hf_server.flac(), provider
    for provider in ("fal-ai", "deepinfra"):
        heard = client("automatic-speech-recognition", provider).automatic_speech_recognition(hf_server.flac())
        assert heard.text.startswith("Hello"), provider
    assert client("image-to-image", "together").image_to_image(hf_server.png(), prompt="red").size == (64, 48)
    assert client("image-to-image", "replicate").image_to_image(hf_server.png(), prompt="red").size == (64, 48)


def test_chat_completions(client: Any):
    """By the router's own choice of a provider."""
    made = InferenceClient(base_url=client("conversational") and constants.ENDPOINT, api_key=hf_server.TOKEN)

    assert made.chat_completion([{"role": "user", "content": "Hi"}], model="org/chat").choices[0].message.content
