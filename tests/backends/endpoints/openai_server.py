"""A local OpenAI-style endpoint for pictures, speech, transcripts and vectors; strict about fields, seeing or blind."""

from __future__ import annotations

import base64
import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-testtesttest"
FIELDS = {
    "/v1/chat/completions": (
        {"model", "messages"},
        {"max_tokens", "max_completion_tokens", "temperature", "stream", "stream_options"},
    ),
    "/v1/images/generations": ({"model", "prompt"}, {"n", "size", "quality", "output_format", "user"}),
    "/v1/audio/speech": ({"model", "input", "voice"}, {"response_format", "speed", "instructions"}),
    "/v1/embeddings": ({"model", "input"}, {"dimensions", "encoding_format", "user"}),
    "/v1/audio/transcriptions": ({"model", "file"}, {"response_format", "language", "prompt", "temperature"}),
}
Fault = Callable[["Handler"], bool]


def png() -> bytes:
    from PIL import Image

    sink = io.BytesIO()
    Image.new("RGB", (64, 48), (10, 200, 30)).save(sink, "PNG")
    return sink.getvalue()


def wav() -> bytes:
    import numpy as np
    import soundfile

    sink = io.BytesIO()
    soundfile.write(sink, np.zeros(8000, dtype=np.float32), 16_000, format="WAV")
    return sink.getvalue()


class Server(ThreadingHTTPServer):
    """models: what it lists. sees: whether its model does. refuses: fields it does not take. as_url: pictures so.

    says: replies to words alone, in turn.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.models = ["tiny", "gpt-image-2", "tts-1", "whisper-1", "text-embedding-3-small"]
        self.sees = True
        self.says: list[str] = []
        self.refuses: set[str] = set()
        self.as_url = False
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no error here."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Silence."""

    def do_GET(self) -> None:
        if self.path == "/files/made.png":
            assert "authorization" not in self.headers
            self.send_bytes(200, png(), "image/png")
        elif not self._key_is_wrong():
            rows = [{"id": name, "object": "model", "created": 1, "owned_by": "x"} for name in self.server.models]
            self.send_json(200, {"object": "list", "data": rows})

    def do_POST(self) -> None:
        payload = self.rfile.read(int(self.headers["content-length"]))
        kind = self.headers.get("content-type", "")
        sent = form(payload, kind) if kind.startswith("multipart/") else json.loads(payload)
        self.server.requests.append((self.path, sent))
        if self.server.faults and self.server.faults.pop(0)(self):
            return
        if self._key_is_wrong():
            return
        if self.path not in FIELDS:
            self.error(404, f"Invalid URL (POST {self.path})")
            return
        needed, optional = FIELDS[self.path]
        strange = sorted((set(sent) - needed - optional) | (set(sent) & self.server.refuses)) or sorted(
            needed - set(sent)
        )
        if strange:
            self.error(400, f"Unknown or missing parameter: '{strange[0]}'.", param=strange[0])
        elif sent["model"] not in self.server.models:
            self.error(404, f"The model `{sent['model']}` does not exist", code="model_not_found")
        else:
            getattr(self, "_" + self.path.rpartition("/")[2])(sent)

    def _key_is_wrong(self) -> bool:
        if self.headers.get("authorization") == f"Bearer {KEY}":
            return False
        self.error(401, f"Incorrect API key provided: {self.headers.get('authorization')}", code="invalid_api_key")
        return True

    def _completions(self, sent: Any) -> None:
        parts = sent["messages"][-1]["content"]
        shown = isinstance(parts, list) and any(part["type"] == "image_url" for part in parts)
        text = self.server.says.pop(0) if self.server.says and not shown else "A reply."
        if shown and not self.server.sees:
            text = "Sorry, I can not see pictures."
        elif shown and "two halves" in str(parts):
            url = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
            text = colours(base64.b64decode(url.partition(",")[2]))
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        head = {"id": "c", "object": "chat.completion", "created": 1, "model": sent["model"]}
        self.send_json(200, {**head, "choices": [choice], "usage": usage})

    def _generations(self, sent: Any) -> None:
        host = f"http://127.0.0.1:{self.server.server_address[1]}"
        row = {"b64_json": base64.b64encode(png()).decode()}
        self.send_json(200, {"created": 1, "data": [{"url": f"{host}/files/made.png"} if self.server.as_url else row]})

    def _speech(self, sent: Any) -> None:
        self.send_bytes(200, wav(), "audio/wav")

    def _embeddings(self, sent: Any) -> None:
        texts = sent["input"] if isinstance(sent["input"], list) else [sent["input"]]
        rows = [{"object": "embedding", "index": n, "embedding": [1.0, float(n)]} for n, _ in enumerate(texts)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self.send_json(200, {"object": "list", "data": rows[::-1], "model": sent["model"], "usage": usage})

    def _transcriptions(self, sent: Any) -> None:
        if sent.get("response_format") == "verbose_json":
            if "verbose_json" in self.server.refuses:
                self.error(400, "response_format 'verbose_json' is not compatible", param="response_format")
                return
            segment = {
                "id": 0, "start": 0.0, "end": 0.4, "text": " Hello.", "seek": 0, "tokens": [], "temperature": 0.0,
                "avg_logprob": 0.0, "compression_ratio": 1.0, "no_speech_prob": 0.0,
            }  # fmt: skip
            self.send_json(200, {"text": "Hello.", "language": "english", "duration": 0.5, "segments": [segment]})
        else:
            self.send_json(200, {"text": "Hello."})

    def error(self, status: int, says: str, *, code: Any = None, param: str | None = None) -> None:
        error = {"message": says, "type": "invalid_request_error", "param": param, "code": code}
        self.send_json(status, {"error": error})

    def send_json(self, status: int, body: Any) -> None:
        self.send_bytes(status, json.dumps(body).encode(), "application/json")

    def send_bytes(self, status: int, payload: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


def colours(payload: bytes) -> str:
    """What a model that sees says of the trial picture: it looks at the pixels."""
    from PIL import Image

    names = {(0, 0, 255): "Blue", (255, 255, 0): "yellow"}
    image = Image.open(io.BytesIO(payload)).convert("RGB")
    return " ".join(names[image.getpixel((x, 30))] for x in (10, 50))  # type: ignore[index]


def form(payload: bytes, kind: str) -> dict[str, Any]:
    """The fields of a multipart form; of a file its bytes."""
    boundary = kind.partition("boundary=")[2].strip('"').encode()
    found: dict[str, Any] = {}
    for part in payload.split(b"--" + boundary)[1:-1]:
        head, _, body = part.strip(b"\r\n").partition(b"\r\n\r\n")
        name = re.search(rb'name="([^"]+)"', head)
        assert name is not None
        found[name[1].decode()] = body if b"filename=" in head else body.decode()
    return found


def status(code: int) -> Fault:
    """A fault: this status, once."""

    def fault(handler: Handler) -> bool:
        handler.error(code, f"status {code}")
        return True

    return fault


@contextmanager
def running() -> Iterator[Server]:
    """A server on a free port of this machine."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
