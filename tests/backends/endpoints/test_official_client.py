"""The local endpoint is what OpenAI's own client takes for one."""

from __future__ import annotations

import base64
import sys
from pathlib import Path

from openai import OpenAI

sys.path.append(str(Path(__file__).parent))
import openai_server


def test_pictures_speech_transcripts_and_vectors():
    """Each by the client's own method, read into its own types."""
    with openai_server.running() as server, OpenAI(base_url=server.url, api_key=openai_server.KEY) as client:
        assert next(model.id for model in client.models.list()) == "tiny"
        picture = client.images.generate(model="gpt-image-2", prompt="a fox")
        assert picture.data
        assert base64.b64decode(picture.data[0].b64_json or "") == openai_server.png()
        speech = client.audio.speech.create(model="tts-1", input="Hello.", voice="alloy", response_format="wav")
        assert speech.read() == openai_server.wav()
        heard = client.audio.transcriptions.create(
            model="whisper-1", file=("a.wav", openai_server.wav()), response_format="verbose_json"
        )
        assert heard.segments
        assert heard.segments[0].end == 0.4
        vectors = client.embeddings.create(model="text-embedding-3-small", input=["a", "b"], encoding_format="float")
        assert len(vectors.data) == 2
        said = client.chat.completions.create(model="tiny", messages=[{"role": "user", "content": "Hi"}], max_tokens=5)
        assert said.choices[0].message.content == "A reply."
