"""The programs in `examples/` run as their docstrings say."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PLAN = [{"task": "summarization", "id": 0, "dep": [-1], "args": {"text": "article.txt", "sentences": 1}}]
Shell = Callable[..., subprocess.CompletedProcess[str]]


def test_every_example_is_run_here():
    """A new one needs a test of its own."""
    tests = Path(__file__).read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES.glob("*.py") if f"/{path.name}" not in tests] == []


def test_your_own_expert_needs_nothing_but_the_core(shell: Shell):
    """Two functions serve a request."""
    ran = shell(f"python {EXAMPLES}/your_own_expert.py")

    assert ran.returncode == 0, ran.stderr
    assert "Nobody minded." in ran.stdout
    assert "positive" in ran.stdout
    assert "summarization by shortest-sentence" in ran.stdout


@pytest.mark.box
@pytest.mark.timeout(300)
def test_ask_a_photo_shows_what_the_answer_rests_on(furnished: Shell):
    """A cat, and one claim."""
    ran = furnished(f'python {EXAMPLES}/ask_a_photo.py cat.png "What animal is in this picture?"')

    assert ran.returncode == 0, ran.stderr
    assert "a cat" in ran.stdout.splitlines()[0]
    assert "rests on task 0" in ran.stdout
    assert "task 0: efficientnet-lite0" in ran.stdout


@pytest.mark.box
@pytest.mark.timeout(300)
def test_stream_events_shows_a_run_as_it_goes(furnished: Shell):
    """Plan, beginnings, results, answer, in this order."""
    ran = furnished(f'python {EXAMPLES}/stream_events.py "What is the sentiment of article.txt?" article.txt')

    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[:2] == ["plan:", "  0 text-classification"]
    assert lines[2].startswith("task 0 began on ")
    assert lines[3] == "task 0 made labels (data)"
    assert "sentiment" in lines[4]


@pytest.mark.box
@pytest.mark.timeout(300)
def test_own_endpoint_lets_a_language_model_plan(furnished: Shell):
    """A server on this machine that plans a summary and writes the answer."""
    with endpoint() as url:
        ran = furnished(f'python {EXAMPLES}/own_endpoint.py {url} tiny "What is it about?" article.txt')

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("It is about an engine.")
    assert "calls of tiny" in ran.stdout


@contextmanager
def endpoint() -> Iterator[str]:
    """An OpenAI-style endpoint: it plans where a schema is asked for, and streams an answer where a stream is."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Completions)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Completions(BaseHTTPRequestHandler):
    """What an endpoint says."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if asked.get("stream"):
            chunk = {
                "choices": [{"index": 0, "delta": {"content": "It is about an engine. [0]"}, "finish_reason": "stop"}]
            }
            self._send(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n", media_type="text/event-stream")
            return
        named = asked["response_format"]["json_schema"]["name"]
        reply = {"tasks": PLAN, "reply": None} if named == "plan" else {}
        message = {"role": "assistant", "content": json.dumps(reply)}
        usage = {"prompt_tokens": 900, "completion_tokens": 30}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        self._send(json.dumps({"model": "tiny", "choices": [choice], "usage": usage}), media_type="application/json")

    def _send(self, body: str, *, media_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args: object) -> None:
        """Say nothing."""
