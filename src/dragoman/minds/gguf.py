"""A mind in a GGUF file, run by llama.cpp in a child process of its own: `python -m dragoman.minds.gguf FILE …`.

The child serves chat completions on this machine's loopback, under a key made for it, and ends when its standard input
does: a parent that dies leaves no orphan. What hangs or crashes is killed, and started anew at the next question.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from dragoman.errors import MindRefused, MindUnavailable, MindUnreadable, UsageError
from dragoman.minds.base import Ask, Reply
from dragoman.minds.chat_api import ChatApi
from dragoman.values import Json

__all__ = ["Gguf"]

MAX_CONTEXT_TOKENS = 8192
MAX_LISTED = 12
START_S = 300.0
_KEY = "DRAGOMAN_GGUF_KEY"
_SAID_CHARS = 400


class Gguf:
    """A `Mind` that reads its weights from `path`. The first question loads them.

    threads: one by default, since more collapse when the machine has other work (1.6 tokens a second in place of 17,
    measured with Qwen2.5-Coder-1.5B on two cores). context_tokens: at most this many, and the model's own at most.
    patience: how many times a question's deadline it may take, since deadlines are meant for faster machines.
    """

    def __init__(
        self,
        path: Path,
        *,
        threads: int = 1,
        temperature: float = 0.0,
        context_tokens: int = MAX_CONTEXT_TOKENS,
        patience: float = 5.0,
    ) -> None:
        self.name = f"gguf:{path.name}"
        self.context_tokens = context_tokens
        self._path, self._threads, self._temperature = path, threads, temperature
        self._child: asyncio.subprocess.Process | None = None
        self._chat: ChatApi | None = None
        self._patience = patience
        self._starting = asyncio.Lock()
        self._listening: asyncio.Task[None] | None = None
        _look_at(path)

    async def ask(self, question: Ask) -> Reply:
        """The whole reply. Raises `MindUnavailable`, `MindRefused` or `MindUnreadable`."""
        chat = await self._started()
        try:
            reply = await chat.ask(self._for_here(question))
        except (MindRefused, MindUnreadable):
            raise
        except BaseException:  # Whatever stopped the wait, the child may still be at it.
            await self.aclose()
            raise
        return replace(reply, model=self.name)

    async def stream(self, question: Ask) -> AsyncIterator[str | Reply]:
        """The reply as it comes, then whole."""
        chat = await self._started()
        try:
            async for piece in chat.stream(self._for_here(question)):
                yield piece if isinstance(piece, str) else replace(piece, model=self.name)
        except (MindRefused, MindUnreadable):
            raise
        except BaseException:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        """End the child and everything it holds."""
        child, chat, listening = self._child, self._chat, self._listening
        self._child = self._chat = self._listening = None
        if chat is not None:
            await chat.aclose()
        if child is not None:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()
        if listening is not None:
            await listening

    def _for_here(self, question: Ask) -> Ask:
        """The question with time for a slow machine, and with lists that a small model can't go on with for ever."""
        schema = None if question.schema is None else _bounded(question.schema)
        return replace(question, timeout_s=question.timeout_s * self._patience, schema=schema)

    async def _started(self) -> ChatApi:
        async with self._starting:
            if self._chat is None or self._child is None or self._child.returncode is not None:
                await self.aclose()
                try:
                    self._chat = await self._start()
                except BaseException:
                    await self.aclose()
                    raise
            return self._chat

    async def _start(self) -> ChatApi:
        key = secrets.token_urlsafe(24)
        command = [
            sys.executable,
            "-m",
            "dragoman.minds.gguf",
            str(self._path),
            str(self._threads),
            str(self.context_tokens),
        ]
        self._child = child = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, _KEY: key},
            start_new_session=True,  # Ctrl-C is the parent's to deal with.
        )
        url = await self._url_from(child)
        self._listening = asyncio.create_task(_hear_out(child))
        return ChatApi(
            base_url=f"{url}/v1", model=self.name, api_key=key, temperature=self._temperature,
            context_tokens=self.context_tokens,
        )  # fmt: skip

    async def _url_from(self, child: asyncio.subprocess.Process) -> str:
        """Where the child serves. Raises `MindUnavailable` with its last words if it never does."""
        assert child.stdout is not None
        said = b""
        try:
            async with asyncio.timeout(START_S):
                async for line in child.stdout:
                    if line.startswith(b'{"url":'):
                        return str(json.loads(line)["url"])
                    said = (said + line)[-_SAID_CHARS:]
        except TimeoutError as error:
            raise MindUnavailable(f"`{self.name}` was not loaded within {START_S:g} s.") from error
        words = " ".join(said.decode("utf-8", errors="replace").split())
        raise MindUnavailable(
            f"`{self.name}` could not be loaded: {words or 'llama.cpp ended without a word'}.",
            helps="check that the file is whole, and that there is memory for it.",
        )


async def _hear_out(child: asyncio.subprocess.Process) -> None:
    """Read what the child says until it ends, so that it never waits for a reader."""
    assert child.stdout is not None
    while await child.stdout.read(65_536):
        pass


def _bounded(schema: Json) -> Json:
    """The schema with an end to every list; endpoints with strict schemas would refuse that word."""
    if isinstance(schema, list):
        return [_bounded(item) for item in cast("list[Json]", schema)]
    if not isinstance(schema, dict):
        return schema
    fields = {key: _bounded(value) for key, value in cast("dict[str, Json]", schema).items()}
    return {**fields, "maxItems": MAX_LISTED} if fields.get("type") == "array" else fields


def _look_at(path: Path) -> None:
    """Raise what keeps a GGUF file from being run, before anything is started."""
    if find_spec("xllamacpp") is None:
        raise MindRefused(
            f"`{path.name}` needs llama.cpp, which is not installed.", helps="pip install 'dragoman[gguf]'"
        )
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise UsageError(f"the model `{path}` can't be read: {error.strerror or error}.") from error
    if magic != b"GGUF":
        raise UsageError(f"`{path}` is no GGUF file: it begins with {magic!r}.")


def _serve(path: str, *, threads: int, context_tokens: int) -> None:
    """The child: load, serve, say where, and end with the parent."""
    llama: Any = import_module("xllamacpp")
    parameters = llama.CommonParams()
    parameters.model.path = path
    parameters.n_ctx = context_tokens
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.verbosity = -1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [os.environ.pop(_KEY)]
    server = llama.Server(parameters)
    print(json.dumps({"url": server.listening_address}), flush=True)  # noqa: T201  read by the parent
    sys.stdin.buffer.read()
    os._exit(0)  # Its threads don't end by themselves.


def main() -> None:
    """Run the child from the command line that `Gguf` gives it."""
    parser = argparse.ArgumentParser(prog="python -m dragoman.minds.gguf")
    parser.add_argument("path")
    parser.add_argument("threads", type=int)
    parser.add_argument("context_tokens", type=int)
    given = parser.parse_args()
    _serve(given.path, threads=given.threads, context_tokens=given.context_tokens)


if __name__ == "__main__":
    main()
