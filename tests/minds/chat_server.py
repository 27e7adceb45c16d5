"""A local endpoint for chat completions, faithful to OpenAI's (the official client checks it), that fails on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FIELDS = {
    *("model", "messages", "temperature", "max_tokens", "max_completion_tokens", "response_format", "logit_bias"),
    *("stream", "stream_options", "top_p", "n", "stop", "seed", "user", "presence_penalty", "frequency_penalty"),
    *("logprobs", "top_logprobs", "tools", "tool_choice", "parallel_tool_calls", "metadata", "store"),
}
ROLES = {"system", "developer", "user", "assistant", "tool"}
Fault = Callable[["Handler", dict[str, Any]], bool]  # True: the fault was the answer


class Endpoint(ThreadingHTTPServer):
    """The server. `replies`: what it says, call by call, the last again and again. `faults`: what goes wrong first.

    requests: every body as it came. refuses: fields that this endpoint does not take. models: what it lists.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[str | None] = ["Hello."]
        self.faults: list[Fault] = []
        self.requests: list[dict[str, Any]] = []
        self.headers_seen: list[dict[str, str]] = []
        self.refuses: dict[str, str] = {}
        self.models: list[dict[str, Any]] = [{"id": "tiny", "object": "model", "created": 1, "owned_by": "test"}]
        self.key: str | None = None
        self.has_usage = True
        self.extra: dict[str, Any] = {}
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def next_reply(self) -> str | None:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no error here."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Silence."""

    def do_GET(self) -> None:
        if self._key_is_wrong():
            return
        if self.path == "/v1/models":
            self.send_json(200, {"object": "list", "data": self.server.models})
        else:
            self.send_error_json(404, f"Invalid URL (GET {self.path})")

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(sent)
        self.server.headers_seen.append({key.lower(): value for key, value in self.headers.items()})
        if self.server.faults and self.server.faults.pop(0)(self, sent):
            return
        if self._key_is_wrong():
            return
        if self.path != "/v1/chat/completions":
            self.send_error_json(404, f"Invalid URL (POST {self.path})")
        elif not self._is_refused(sent):
            self._answer(sent)

    def _key_is_wrong(self) -> bool:
        key = self.server.key
        if key is None or self.headers.get("authorization") == f"Bearer {key}":
            return False
        given = self.headers.get("authorization", "")
        self.send_error_json(401, f"Incorrect API key provided: {given}.", code="invalid_api_key")
        return True

    def _is_refused(self, sent: dict[str, Any]) -> bool:
        found = complaint(sent) or next(
            ((name, says) for name, says in self.server.refuses.items() if name in sent), None
        )
        if found is None and "system" in self.server.refuses and any(m["role"] == "system" for m in sent["messages"]):
            found = ("messages[0].role", self.server.refuses["system"])
        if found is None and not any(model["id"] == sent["model"] for model in self.server.models):
            self.send_error_json(404, f"The model `{sent['model']}` does not exist", code="model_not_found")
            return True
        if found is not None:
            self.send_error_json(400, found[1], param=found[0])
            return True
        return False

    def _answer(self, sent: dict[str, Any]) -> None:
        text = self.server.next_reply()
        if sent.get("stream"):
            self.send_stream(text or "", has_usage=bool((sent.get("stream_options") or {}).get("include_usage")))
            return
        message = {"role": "assistant", "content": text, "refusal": None, **self.server.extra}
        self.send_json(200, self.completion({"message": message, "finish_reason": "stop", "logprobs": None}))

    def completion(self, choice: dict[str, Any], *, kind: str = "chat.completion") -> dict[str, Any]:
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        head = {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "tiny-2024"}
        body = {**head, "choices": [{"index": 0, **choice}]}
        return {**body, "usage": usage} if self.server.has_usage and kind == "chat.completion" else body

    def send_stream(self, text: str, *, has_usage: bool, stop_after: int | None = None, error: Any = None) -> None:
        """The text in chunks of three letters; cut off after `stop_after` of them, with `error` as the last event."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
        self._event({"delta": {"role": "assistant", "content": "", **self.server.extra}})
        for piece in pieces[:stop_after]:
            self._event({"delta": {"content": piece}})
        if error is not None:
            self._send_data(json.dumps(error))
        if stop_after is None:
            self._event({"delta": {}, "finish_reason": "stop"})
            if has_usage and self.server.has_usage:
                usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
                self._send_data(
                    json.dumps({**self.completion({}, kind="chat.completion.chunk"), "choices": [], "usage": usage})
                )
            self._send_data("[DONE]")

    def _event(self, choice: dict[str, Any]) -> None:
        whole = {"finish_reason": None, "logprobs": None, **choice}
        self._send_data(json.dumps(self.completion(whole, kind="chat.completion.chunk")))

    def _send_data(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())

    def send_json(self, status: int, body: Any, *, headers: dict[str, str] | None = None) -> None:
        self.send_bytes(status, json.dumps(body).encode(), "application/json", headers=headers)

    def send_bytes(self, status: int, payload: bytes, kind: str, *, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(payload)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def send_error_json(
        self,
        status: int,
        says: str,
        *,
        code: Any = None,
        param: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        error = {"message": says, "type": "invalid_request_error", "param": param, "code": code}
        self.send_json(status, {"error": error}, headers=headers)


def complaint(sent: dict[str, Any]) -> tuple[str, str] | None:
    """What is wrong with a body: the field and the words. Unknown fields are."""
    for name in sent:
        if name not in FIELDS:
            return name, f"Unrecognized request argument supplied: {name}"
    messages = sent.get("messages")
    if not isinstance(messages, list) or not messages:
        return "messages", "Missing required parameter: 'messages'."
    for at, message in enumerate(messages):
        if message.get("role") not in ROLES or not isinstance(message.get("content"), str):
            return f"messages[{at}]", f"Invalid value for messages[{at}]."
    if not 0 <= sent.get("temperature", 1) <= 2:
        return "temperature", "Invalid 'temperature'."
    if "stream_options" in sent and not sent.get("stream"):
        return "stream_options", "'stream_options' is only allowed when 'stream' is true."
    held = sent.get("response_format")
    if held and held.get("type") == "json_schema":
        return strict_complaint(held["json_schema"])
    return None


def strict_complaint(held: dict[str, Any]) -> tuple[str, str] | None:
    """What a strict schema may not do: leave properties optional, allow others, use words that are not taken."""
    waiting = [held["schema"]]
    taken = {
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "enum",
        "$defs",
        "$ref",
        "description",
    }
    while waiting:
        schema = waiting.pop()
        is_object = schema.get("type") == "object"
        if is_object and (
            set(schema.get("required", [])) != set(schema.get("properties", {}))
            or schema.get("additionalProperties") is not False
        ):
            return (
                "response_format",
                f"Invalid schema for response_format '{held['name']}': 'required' must hold every key.",
            )
        if set(schema) - taken:
            return (
                "response_format",
                f"Invalid schema for response_format '{held['name']}': {set(schema) - taken} not permitted.",
            )
        waiting += [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", [])]
        waiting += [schema["items"]] if "items" in schema else []
    return None


def status(code: int, says: str = "", *, headers: dict[str, str] | None = None, name: Any = None) -> Fault:
    """A fault: this status, once."""

    def fault(handler: Handler, sent: dict[str, Any]) -> bool:
        handler.send_error_json(code, says or f"status {code}", code=name, headers=headers)
        return True

    return fault


def reply_with(payload: bytes, kind: str, *, code: int = 200) -> Fault:
    """A fault: these bytes instead of a completion."""

    def fault(handler: Handler, sent: dict[str, Any]) -> bool:
        handler.send_bytes(code, payload, kind)
        return True

    return fault


def broken_stream(text: str, *, after: int, error: Any = None) -> Fault:
    """A fault: a stream that ends after some chunks, maybe with an error event."""

    def fault(handler: Handler, sent: dict[str, Any]) -> bool:
        handler.send_stream(text, has_usage=True, stop_after=after, error=error)
        return True

    return fault


def stalled_stream(text: str, *, after: int) -> Fault:
    """A fault: a stream that says no more after some chunks, and does not end."""

    def fault(handler: Handler, sent: dict[str, Any]) -> bool:
        handler.send_stream(text, has_usage=True, stop_after=after)
        return hang(handler, sent)

    return fault


def hang_up(handler: Handler, sent: dict[str, Any]) -> bool:
    """A fault: the connection closes without a word."""
    handler.close_connection = True
    return True


def hang(handler: Handler, sent: dict[str, Any]) -> bool:
    """A fault: no answer until the server ends."""
    handler.server.closing.wait(30)
    handler.close_connection = True
    return True


@contextmanager
def running() -> Iterator[Endpoint]:
    """An endpoint on a free port of this machine."""
    endpoint = Endpoint()
    thread = threading.Thread(target=endpoint.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.closing.set()
        endpoint.shutdown()
        thread.join()
        endpoint.server_close()
