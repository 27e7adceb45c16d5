"""A local Hub and providers' router, faithful to the formats that the official client speaks; it fails on demand.

Every body is checked against the fields of its task: an unknown one is refused, as real services refuse it.
"""

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
from urllib.parse import unquote

TOKEN = "hf_testtokentesttoken"
Fault = Callable[["Handler"], bool]  # True: the fault was the answer

LABELS = [{"label": "cat", "score": 0.2}, {"label": "dog", "score": 0.7}]
BOX = {"xmin": 10, "ymin": 20, "xmax": 30, "ymax": 40}


def png(width: int = 64, height: int = 48, *, mode: str = "RGB", colour: Any = (10, 200, 30)) -> bytes:
    from PIL import Image

    sink = io.BytesIO()
    Image.new(mode, (width, height), colour).save(sink, "PNG")
    return sink.getvalue()


def mask() -> str:
    """The left half of 64 x 48, in base64."""
    from PIL import Image

    image = Image.new("L", (64, 48), 0)
    image.paste(255, (0, 0, 32, 48))
    sink = io.BytesIO()
    image.save(sink, "PNG")
    return base64.b64encode(sink.getvalue()).decode()


def flac(seconds: float = 0.5) -> bytes:
    import numpy as np
    import soundfile

    sink = io.BytesIO()
    times = np.arange(round(16_000 * seconds)) / 16_000
    soundfile.write(sink, 0.3 * np.sin(times * 2764.0), 16_000, format="FLAC")
    return sink.getvalue()


# What hf-inference answers and which parameters it takes, per task.
# Source: huggingface_hub, `inference/_generated/types`, and huggingface.js' task specifications.
PARAMETERS: dict[str, set[str]] = {
    "text-classification": {"function_to_apply", "top_k"},
    "zero-shot-classification": {"candidate_labels", "multi_label", "hypothesis_template"},
    "token-classification": {"aggregation_strategy", "ignore_labels", "stride"},
    "fill-mask": {"targets", "top_k"},
    "sentence-similarity": set(),
    "question-answering": {"align_to_words", "doc_stride", "handle_impossible_answer", "max_answer_len", "top_k"},
    "summarization": {"clean_up_tokenization_spaces", "generate_parameters", "truncation"},
    "translation": {"src_lang", "tgt_lang", "clean_up_tokenization_spaces", "truncation", "generate_parameters"},
    "table-question-answering": {"padding", "sequential", "truncation", "model"},
    "image-classification": {"function_to_apply", "top_k"},
    "zero-shot-image-classification": {"candidate_labels", "hypothesis_template"},
    "object-detection": {"threshold"},
    "image-segmentation": {"mask_threshold", "overlap_mask_area_threshold", "subtask", "threshold"},
    "image-to-text": {"max_new_tokens", "generation_parameters"},
    "visual-question-answering": {"top_k"},
    "document-question-answering": {"doc_stride", "lang", "top_k", "word_boxes"},
    "text-to-image": {"guidance_scale", "height", "negative_prompt", "num_inference_steps", "seed", "width"},
    "image-to-image": {"guidance_scale", "negative_prompt", "num_inference_steps", "prompt", "target_size"},
    "automatic-speech-recognition": {"return_timestamps", "generation_parameters"},
    "audio-classification": {"function_to_apply", "top_k"},
    "audio-to-audio": set(),
    "text-to-speech": {"generation_parameters"},
}
PICTURES = {
    "image-classification", "zero-shot-image-classification", "object-detection", "image-segmentation", "image-to-text",
    "visual-question-answering", "image-to-image",
}  # fmt: skip
SOUNDS = {"automatic-speech-recognition", "audio-classification", "audio-to-audio"}
MAKES_FILES = {"text-to-image": "image/png", "image-to-image": "image/png", "text-to-speech": "audio/flac"}
EXTRA = {"visual-question-answering": {"question", "image"}}


def reply(task: str, inputs: Any, sent: dict[str, Any]) -> Any:
    """What the task's model says; fixed, but shaped by what came."""
    parameters = sent.get("parameters") or {}
    known: dict[str, Callable[[], Any]] = {
        "text-classification": lambda: [LABELS],
        "zero-shot-classification": lambda: [
            {"label": label, "score": 1 / (2 + place)} for place, label in enumerate(parameters["candidate_labels"])
        ],
        "token-classification": lambda: [
            {"entity_group": "PER", "score": 0.99, "word": "ada", "start": 0, "end": 3},
            {"entity_group": "LOC", "score": 0.9, "word": "london", "start": 13, "end": 19},
        ],
        "fill-mask": lambda: [
            {"score": 0.5, "token": 3, "token_str": " paris", "sequence": inputs.replace("[MASK]", "paris")}
        ],
        "sentence-similarity": lambda: [0.5 for _ in inputs["sentences"]],
        "feature-extraction": lambda: [[3.0, 4.0] for _ in inputs] if isinstance(inputs, list) else [3.0, 4.0],
        "question-answering": lambda: {"answer": "in 1815", "score": 0.8, "start": 13, "end": 20},
        "summarization": lambda: [{"summary_text": "Short."}],
        "translation": lambda: [{"translation_text": "Onde fica a estação?"}],
        "table-question-answering": lambda: {
            "answer": "3", "coordinates": [[1, 1]], "cells": ["3"], "aggregator": "NONE",
        },
        "image-classification": lambda: LABELS,
        "zero-shot-image-classification": lambda: [
            {"label": label, "score": 1 / (2 + place)} for place, label in enumerate(parameters["candidate_labels"])
        ],
        "object-detection": lambda: [{"label": "cat", "score": 0.9, "box": BOX}],
        "image-segmentation": lambda: [
            {"label": "sky", "score": 0.9, "mask": mask()}, {"label": "sea", "score": 0.8, "mask": mask()},
        ],
        "image-to-text": lambda: [{"generated_text": "a green field"}],
        "visual-question-answering": lambda: [{"answer": "no", "score": 0.1}, {"answer": "yes", "score": 0.8}],
        "document-question-answering": lambda: [{"answer": "12 May", "score": 0.8, "start": 3, "end": 4}],
        "automatic-speech-recognition": lambda: {
            "text": " Hello there.",
            **(
                {"chunks": [{"text": " Hello there.", "timestamp": [0.0, None]}]}
                if parameters.get("return_timestamps")
                else {}
            ),
        },
        "audio-classification": lambda: LABELS,
        "audio-to-audio": lambda: [
            {"blob": base64.b64encode(flac()).decode(), "content-type": "audio/flac", "label": "speech"}
        ],
    }  # fmt: skip
    return known[task]()


class Server(ThreadingHTTPServer):
    """mapping: per model its providers. faults: what goes wrong first, call by call. requests: what came."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.mapping: dict[str, Any] = {}
        self.faults: list[Fault] = []
        self.hub_faults: list[Fault] = []
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.hub_requests: list[str] = []
        self.polls = 0
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def serve_model(self, model: str, task: str, *, provider: str = "hf-inference", **more: Any) -> None:
        """Have the Hub say that `provider` serves `model` for `task`."""
        row = {"status": "live", "providerId": model, "task": task, **more}
        self.mapping.setdefault(model, {})[provider] = row

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no error here."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Silence."""

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path.startswith("/files/"):
            self._file(path)
        elif path.startswith("/api/models/"):
            self._model(unquote(path.removeprefix("/api/models/")), query)
        elif self._token_is_wrong():
            return
        elif path.startswith("/fal-ai/"):
            self._queue(path, query)
        elif path.startswith("/wavespeed/"):
            self.server.polls += 1
            done = {"status": "completed", "outputs": [f"{self.server.url}/files/made.{self._ending('wavespeed')}"]}
            self.send_json(200, {"data": done if self.server.polls > 1 else {"status": "processing"}})
        else:
            self.send_json(404, {"error": "Not Found"})

    def _file(self, path: str) -> None:
        assert "authorization" not in self.headers, "the token left for a host that is not the router"
        kinds = {"png": (png(), "image/png"), "flac": (flac(), "audio/flac"), "mp4": (MP4, "video/mp4")}
        payload, kind = kinds[path.rpartition(".")[2]]
        self.send_bytes(200, payload, kind)

    def _model(self, model: str, query: str) -> None:
        self.server.hub_requests.append(model)
        if self.server.hub_faults and self.server.hub_faults.pop(0)(self):
            return
        if "authorization" in self.headers and self._token_is_wrong():  # public models are shown to anybody
            return
        held = self.server.mapping.get(model)
        if held is None:
            self.send_json(404, {"error": "Repository not found"}, {"x-error-code": "RepoNotFound"})
            return
        task = next(iter(held.values()))["task"] if held else None
        found = {"_id": "1", "id": model, "tags": [task], "pipeline_tag": task}
        wants = "expand=inferenceProviderMapping" in query
        self.send_json(200, {**found, **({"inferenceProviderMapping": held} if wants else {})})

    def _queue(self, path: str, query: str) -> None:
        if query != "_subdomain=queue":
            self.send_json(404, {"detail": "no such path"})
        elif path.endswith("/status"):
            self.server.polls += 1
            self.send_json(200, {"status": "COMPLETED" if self.server.polls > 1 else "IN_PROGRESS"})
        else:
            url = self.server.url
            self.send_json(
                200, {"images": [{"url": f"{url}/files/made.png"}], "video": {"url": f"{url}/files/made.mp4"}}
            )

    def do_POST(self) -> None:
        payload = self.rfile.read(int(self.headers.get("content-length", 0)))
        kind = self.headers.get("content-type", "")
        sent = json.loads(payload) if kind == "application/json" else payload
        self.server.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, sent))
        if self.server.faults and self.server.faults.pop(0)(self):
            return
        if self._token_is_wrong():
            return
        provider, _, rest = self.path.lstrip("/").partition("/")
        answers = {
            "hf-inference": self._hf, "together": self._together, "nscale": self._nscale, "fal-ai": self._fal,
            "replicate": self._replicate, "deepinfra": self._deepinfra, "scaleway": self._scaleway,
            "wavespeed": self._wavespeed, "v1": self._chat,
        }  # fmt: skip
        answers.get(provider, lambda rest, sent: self.send_json(404, {"error": "Not Found"}))(rest, sent)

    def _token_is_wrong(self) -> bool:
        if self.headers.get("authorization") == f"Bearer {TOKEN}":
            return False
        self.send_json(401, {"error": f"Invalid credentials: {self.headers.get('authorization')}"})
        return True

    def refuse(self, says: str) -> None:
        self.send_json(422, {"error": says})

    def strict(self, sent: Any, needed: set[str], optional: frozenset[str] | set[str] = frozenset()) -> bool:
        """Whether the body has these fields and no others; else it is refused."""
        if isinstance(sent, dict) and needed <= set(sent) <= needed | optional:
            return True
        self.refuse(
            f"unexpected fields: {sorted(sent) if isinstance(sent, dict) else 'bytes'}, wanted {sorted(needed)}"
        )
        return False

    def _hf(self, rest: str, sent: Any) -> None:
        found = re.fullmatch(r"models/(.+?)(?:/pipeline/([a-z-]+))?", rest)
        model = unquote(found[1]) if found else ""
        rows = self.server.mapping.get(model, {})
        if "hf-inference" not in rows:
            self.send_json(404, {"error": f"Model {model} does not exist"})
            return
        task = found[2] if found and found[2] else rows["hf-inference"]["task"]
        if task == "feature-extraction":
            if self.strict(sent, {"inputs"}, {"normalize", "prompt_name", "truncate", "truncation_direction"}):
                self.send_json(200, reply(task, sent["inputs"], sent))
            return
        inputs, complaint = read_inputs(task, sent, self.headers.get("content-type", ""))
        if complaint:
            self.refuse(complaint)
            return
        if task in MAKES_FILES:
            made = flac() if task == "text-to-speech" else png()
            self.send_bytes(200, made, MAKES_FILES[task])
            return
        self.send_json(200, reply(task, inputs, sent if isinstance(sent, dict) else {}))

    def _together(self, rest: str, sent: Any) -> None:
        if rest == "v1/embeddings":
            if self.strict(sent, {"input", "model"}):
                self._embeddings(sent)
        elif rest == "v1/audio/speech":
            if self.strict(sent, {"input", "model", "voice"}, {"response_format"}):
                self.send_bytes(200, flac(), "audio/flac")
        elif rest == "v1/images/generations":
            if self.strict(sent, {"prompt", "model", "response_format"}, {"reference_images", "image_url", "steps"}):
                assert sent["response_format"] == "base64"
                self.send_json(200, {"data": [{"index": 0, "b64_json": base64.b64encode(png()).decode()}]})
        else:
            self.send_json(404, {"error": "Not Found"})

    def _embeddings(self, sent: dict[str, Any]) -> None:
        texts = sent["input"] if isinstance(sent["input"], list) else [sent["input"]]
        rows = [{"object": "embedding", "index": n, "embedding": [3.0, 4.0]} for n, _ in enumerate(texts)]
        self.send_json(200, {"object": "list", "data": rows[::-1], "model": sent["model"]})

    def _nscale(self, rest: str, sent: Any) -> None:
        if rest == "v1/images/generations" and self.strict(sent, {"prompt", "model", "response_format"}, {"size"}):
            assert sent["response_format"] == "b64_json"
            self.send_json(200, {"data": [{"b64_json": base64.b64encode(png()).decode()}]})

    def _fal(self, rest: str, sent: Any) -> None:
        url, path = self.server.url, rest.partition("?")[0]
        if "_subdomain=queue" in rest:
            if self.strict(sent, set(), {"prompt", "image_url", "image_urls"}):
                where = f"https://queue.fal.run/{path}/requests/abc"
                self.send_json(200, {"request_id": "abc", "status": "IN_QUEUE", "response_url": where})
        elif "audio_url" in sent:
            if self.strict(sent, {"audio_url"}):
                assert sent["audio_url"].startswith("data:audio/")
                self.send_json(200, {"text": "Hello there."})
        elif "text" in sent:
            if self.strict(sent, {"text"}):
                self.send_json(200, {"audio": {"url": f"{url}/files/made.flac"}})
        elif self.strict(sent, {"prompt"}, {"image_size", "num_inference_steps"}):
            self.send_json(200, {"images": [{"url": f"{url}/files/made.png", "content_type": "image/png"}]})

    def _replicate(self, rest: str, sent: Any) -> None:
        assert self.headers.get("prefer") == "wait"
        if not re.fullmatch(r"v1/models/[^/]+/[^/]+/predictions|v1/predictions", rest):
            self.send_json(404, {"detail": "Not Found"})
        elif self.strict(sent, {"input"}, {"version"}):
            ending = self._ending("replicate")
            self.send_json(201, {"status": "succeeded", "output": [f"{self.server.url}/files/made.{ending}"]})

    def _ending(self, provider: str) -> str:
        tasks = {rows[provider]["task"] for rows in self.server.mapping.values() if provider in rows}
        return "mp4" if "text-to-video" in tasks else "flac" if "text-to-speech" in tasks else "png"

    def _deepinfra(self, rest: str, sent: Any) -> None:
        if rest == "v1/openai/embeddings":
            if self.strict(sent, {"input", "model"}):
                self._embeddings(sent)
        elif rest == "v1/openai/audio/speech":
            if self.strict(sent, {"input", "model"}, {"voice"}):
                self.send_bytes(200, flac(), "audio/flac")
        elif rest == "v1/openai/audio/transcriptions":
            assert isinstance(sent, bytes)
            assert b'name="file"; filename="audio' in sent
            assert b'name="model"' in sent
            self.send_json(
                200, {"text": "Hello.", "segments": [{"id": 0, "start": 0.0, "end": 0.4, "text": " Hello."}]}
            )
        else:
            self.send_json(404, {"error": "Not Found"})

    def _scaleway(self, rest: str, sent: Any) -> None:
        if rest == "v1/embeddings" and self.strict(sent, {"input", "model"}):
            self._embeddings(sent)

    def _wavespeed(self, rest: str, sent: Any) -> None:
        if self.strict(sent, set(), {"prompt", "image"}):
            self.send_json(200, {"data": {"urls": {"get": "https://api.wavespeed.ai/api/v3/predictions/1/result"}}})

    def _chat(self, rest: str, sent: Any) -> None:
        if rest != "chat/completions":
            self.send_json(404, {"error": "Not Found"})
        elif self.strict(sent, {"model", "messages"}, {"max_tokens", "temperature", "response_format", "stream"}):
            message = {"role": "assistant", "content": "A reply."}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
            head = {"id": "1", "object": "chat.completion", "created": 1, "model": sent["model"]}
            self.send_json(200, {**head, "choices": [choice], "usage": usage, "system_fingerprint": ""})

    def send_json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self.send_bytes(status, json.dumps(body).encode(), "application/json", headers)

    def send_bytes(self, status: int, payload: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(payload)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)


MP4 = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom" + bytes(32)


def read_inputs(task: str, sent: Any, kind: str) -> tuple[Any, str]:
    """The inputs of an hf-inference call, and what is wrong with it."""
    if isinstance(sent, bytes):
        wanted = "image/" if task in PICTURES else "audio/" if task in SOUNDS else "application/json"
        return sent, "" if kind.startswith(wanted) else f"{task} can't take {kind}"
    allowed = {"inputs", "parameters", *EXTRA.get(task, ())}
    if not {"inputs"} <= set(sent) <= allowed:
        return None, f"unknown fields: {sorted(set(sent) - allowed)}"
    strange = set(sent.get("parameters") or {}) - PARAMETERS[task]
    if strange:
        return None, f"unknown parameters: {sorted(strange)}"
    if task in PICTURES | SOUNDS:
        return base64.b64decode(sent["inputs"], validate=True), ""
    return sent["inputs"], ""


def status(code: int, body: Any = None, headers: dict[str, str] | None = None) -> Fault:
    """A fault: this status, once."""

    def fault(handler: Handler) -> bool:
        handler.send_json(code, {"error": f"status {code}"} if body is None else body, headers)
        return True

    return fault


def reply_with(payload: bytes, kind: str) -> Fault:
    """A fault: these bytes in place of a result."""

    def fault(handler: Handler) -> bool:
        handler.send_bytes(200, payload, kind)
        return True

    return fault


def hang(handler: Handler) -> bool:
    """A fault: no answer until the server ends."""
    handler.server.closing.wait(30)
    handler.close_connection = True
    return True


def hang_up(handler: Handler) -> bool:
    """A fault: the connection closes without a word."""
    handler.close_connection = True
    return True


@contextmanager
def running() -> Iterator[Server]:
    """A server on a free port of this machine."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
