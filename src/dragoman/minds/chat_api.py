"""A mind behind any OpenAI-style endpoint. Whatever the endpoint refuses by name is left out, once and for all."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, cast

from dragoman.errors import MindError, MindRefused, MindUnavailable
from dragoman.minds.backoff import delay_s
from dragoman.minds.base import Ask, Reply
from dragoman.minds.bias import token_bias
from dragoman.minds.refusals import EndpointError, error_of, hidden
from dragoman.minds.sse import Gathered, events
from dragoman.minds.transport import Endpoint, Passing, lines, received
from dragoman.minds.wire import Completion, Dialect, body, raise_empty, read_completion
from dragoman.values import Json

if TYPE_CHECKING:
    import httpx

__all__ = ["ChatApi"]

MAX_TRIES = 4
MAX_FORMS = 8
_CHAT = "/chat/completions"


@dataclass(kw_only=True, slots=True)
class _Call:
    """One question on its way: when it must be over, what was tried, what was mended."""

    question: Ask
    ends_at: float
    tries: int = 0
    forms: int = 0
    repairs: list[str] = field(default_factory=list[str])


class ChatApi:
    """A `Mind` that posts to `{base_url}/chat/completions`.

    model: None asks the endpoint, which must then have exactly one. context_tokens: what the model takes; learnt
    from the endpoint's list of models where that says so. Sleep, clock and randomness can be passed in.
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str | None = None,
        api_key: str | None = None,
        temperature: float = 0.0,
        format_bias: float = 0.0,
        context_tokens: int = 128_000,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: Random | None = None,
    ) -> None:
        self._endpoint = Endpoint(base_url, key=api_key)
        self._model = model
        self.name = model or self._endpoint.url
        self.context_tokens = context_tokens
        self._temperature, self._format_bias = temperature, format_bias
        self._sleep, self._clock, self._rng = sleep, clock, rng or Random()  # noqa: S311  jitter, no secret
        self._dialect = Dialect()

    def __repr__(self) -> str:
        return f"ChatApi({self._endpoint.url}, model={self._model!r})"

    async def ask(self, question: Ask) -> Reply:
        """The whole reply. Raises `MindUnavailable`, `MindRefused` or `MindUnreadable`."""
        call = self._call(question)
        try:
            async with asyncio.timeout(question.timeout_s):
                completion = await self._with_retries(call, self._completed)
        except TimeoutError as error:
            raise self._too_slow(question) from error
        return Reply(
            text=completion.text, model=completion.model, tokens_in=completion.tokens_in,
            tokens_out=completion.tokens_out, money_usd=completion.money_usd,
            repairs=(*call.repairs, *completion.repairs),
        )  # fmt: skip

    async def stream(self, question: Ask) -> AsyncIterator[str | Reply]:
        """The reply as it comes, then whole. What came before a stream broke off is kept, and `repairs` says so."""
        call, gathered = self._call(question), Gathered(model=self._model or self.name)
        while True:
            try:
                async for words in self._streamed(call, gathered):
                    yield words
                break
            except (Passing, MindError) as failure:
                if gathered.text:
                    says = failure.becomes.says if isinstance(failure, Passing) else failure.says
                    call.repairs.append(f"the stream broke off ({says}): kept what had come")
                    break
                if not isinstance(failure, Passing):
                    raise
                await self._wait_or_raise(call, failure)
            except TimeoutError as error:
                if not gathered.text:
                    raise self._too_slow(question) from error
                call.repairs.append(f"no more came within {question.timeout_s:g} s: kept what had come")
                break
        if not gathered.text.strip():
            raise_empty(gathered.refusal, gathered.finish, model=self.name)
        yield Reply(
            text=gathered.text, model=gathered.model, tokens_in=gathered.tokens_in, tokens_out=gathered.tokens_out,
            money_usd=gathered.money_usd, repairs=(*call.repairs, *gathered.strange[:3]),
        )  # fmt: skip

    async def aclose(self) -> None:
        """Close the connections."""
        await self._endpoint.aclose()

    def _call(self, question: Ask) -> _Call:
        return _Call(question=question, ends_at=self._clock() + question.timeout_s)

    async def _with_retries(self, call: _Call, attempt: Callable[[_Call], Awaitable[Completion]]) -> Completion:
        while True:
            try:
                return await attempt(call)
            except Passing as failure:
                await self._wait_or_raise(call, failure)

    async def _wait_or_raise(self, call: _Call, failure: Passing) -> None:
        """Sleep before the next try; raise what the failure means where there is no try or no time left."""
        wait_s = delay_s(call.tries, rng=self._rng)
        if failure.wait_s is not None:
            wait_s += failure.wait_s
        call.tries += 1
        if call.tries >= MAX_TRIES or self._clock() + wait_s >= call.ends_at:
            raise failure.becomes
        await self._sleep(wait_s)

    async def _completed(self, call: _Call) -> Completion:
        """One try, in as many forms as it takes until the endpoint takes one."""
        while True:
            sent = await self._body(call, is_stream=False)
            async with self._endpoint.sent("POST", _CHAT, json=sent, timeout_s=self._left_s(call)) as response:
                text = await received(response)
                if response.status_code != 200:
                    self._adapt_or_raise(call, self._endpoint.error(response, text), sent)
                    continue
            return self._read(text)

    def _read(self, text: str) -> Completion:
        try:
            answer: Json = json.loads(text)
        except (ValueError, RecursionError) as error:
            start = hidden(text[:80], key=self._endpoint.key)
            raise MindRefused(
                f"{self._endpoint.url} answered with something that is no JSON: {start!r}.",
                helps="check OPENAI_BASE_URL; it usually ends in /v1.",
            ) from error
        if isinstance(answer, dict) and answer.get("error") and not answer.get("choices"):
            raise self._raised(error_of(answer, status=200, key=self._endpoint.key))
        return read_completion(answer, model=self._model or self.name)

    async def _streamed(self, call: _Call, gathered: Gathered) -> AsyncIterator[str]:
        """The words of one try. An endpoint that does not stream is taken as it is."""
        while True:
            sent = await self._body(call, is_stream=True)
            async with self._endpoint.sent("POST", _CHAT, json=sent, timeout_s=self._left_s(call)) as response:
                if response.status_code != 200:
                    error = self._endpoint.error(response, await received(response))
                    self._adapt_or_raise(call, error, sent)
                    continue
                if "event-stream" not in response.headers.get("content-type", ""):
                    completion = self._read(await received(response))
                    _take_whole(gathered, completion, call)
                    yield completion.text
                    return
                async for words in self._chunks(response, gathered, call=call):
                    yield words
                return

    async def _chunks(self, response: httpx.Response, gathered: Gathered, *, call: _Call) -> AsyncIterator[str]:
        incoming = events(lines(response))
        try:
            while not gathered.is_done:
                # Not one timeout around the loop: the time that the reader of the words takes is not the endpoint's.
                try:
                    event = await asyncio.wait_for(anext(incoming), self._left_s(call))
                except StopAsyncIteration:
                    break
                words = gathered.take(event)
                if gathered.error is not None:
                    raise self._raised(error_of(gathered.error, status=200, key=self._endpoint.key))
                if words:
                    yield words
        finally:
            await cast("AsyncGenerator[Json]", incoming).aclose()
        if not gathered.is_whole:
            raise Passing(MindUnavailable(f"the stream from {self._endpoint.url} ended in the middle."))

    def _adapt_or_raise(self, call: _Call, error: EndpointError, sent: Json) -> None:
        """Return where another form of the call is to be tried."""
        if error.is_about_fields and call.forms < MAX_FORMS:
            done = self._dialect.give_up(error.says, param=error.param, sent=sent)
            if done:
                call.forms += 1
                call.repairs.append(done)
                return
        raise self._raised(error)

    def _raised(self, error: EndpointError) -> Exception:
        return self._endpoint.raised(error, model=self._model or self.name)

    def _left_s(self, call: _Call) -> float:
        return max(0.01, call.ends_at - self._clock())

    async def _body(self, call: _Call, *, is_stream: bool) -> Json:
        if self._model is None:
            await self._find_model(call)
        bias, why_not = {}, None
        if self._format_bias and call.question.bias_words and "logit_bias" not in self._dialect.left_out:
            bias, why_not = token_bias(call.question.bias_words, model=self._model or "", strength=self._format_bias)
        if why_not and why_not not in call.repairs:
            call.repairs.append(why_not)
        return body(
            call.question, model=self._model or "", dialect=self._dialect, temperature=self._temperature,
            bias=bias, is_stream=is_stream,
        )  # fmt: skip

    async def _find_model(self, call: _Call) -> None:
        """Take the one model that the endpoint lists. `MindRefused` names DRAGOMAN_MODEL for any other number."""
        async with self._endpoint.sent("GET", "/models", timeout_s=self._left_s(call)) as response:
            text = await received(response)
            if response.status_code != 200:
                raise self._raised(self._endpoint.error(response, text))
        listed = _models(text)
        if len(listed) != 1:
            names = ", ".join(f"`{entry['id']}`" for entry in listed[:8]) or "none"
            raise MindRefused(
                f"{self._endpoint.url} lists {len(listed)} models ({names}); one must be chosen.",
                helps="set DRAGOMAN_MODEL to the one to use.",
            )
        self._model = self.name = str(listed[0]["id"])
        self.context_tokens = _context_of(listed[0]) or self.context_tokens

    def _too_slow(self, question: Ask) -> MindUnavailable:
        return MindUnavailable(f"`{self.name}` at {self._endpoint.url} did not answer within {question.timeout_s:g} s.")


def _take_whole(gathered: Gathered, completion: Completion, call: _Call) -> None:
    gathered.text, gathered.model, gathered.finish = completion.text, completion.model, "stop"
    gathered.tokens_in, gathered.tokens_out = completion.tokens_in, completion.tokens_out
    gathered.money_usd = completion.money_usd
    call.repairs.extend(completion.repairs)


def _models(text: str) -> list[dict[str, Json]]:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return []
    entries = parsed.get("data") if isinstance(parsed, dict) else parsed
    found = cast("list[Json]", entries) if isinstance(entries, list) else []
    return [entry for entry in found if isinstance(entry, dict) and entry.get("id")]


def _context_of(entry: dict[str, Json]) -> int | None:
    """The model's context, under the names that servers give it (vLLM, llama.cpp, OpenRouter and others)."""
    meta = entry.get("meta")
    places = (entry, cast("dict[str, Json]", meta) if isinstance(meta, dict) else {})
    names = ("max_model_len", "context_length", "context_window", "n_ctx", "max_context_length", "n_ctx_train")
    sizes = (place.get(name) for place in places for name in names)
    return next((size for size in sizes if isinstance(size, int) and size > 0), None)
