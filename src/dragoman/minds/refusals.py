"""What an endpoint's error means, in a sentence that says what to do. No key ever stands in one."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

from dragoman.errors import MindError, MindRefused, MindUnavailable
from dragoman.values import Json

__all__ = ["EndpointError", "error_of", "hidden", "read_error", "shown_url"]

_PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)
# Errors that come inside a reply which had begun well carry no status of their own.
_STATUS_OF = {
    "invalid_api_key": 401,
    "model_not_found": 404,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "invalid_request_error": 400,
}
_SECRET = re.compile(r"\b(?:sk|hf|gsk|xai|key|pk|rk)[-_][\w*.-]{6,}|(?<=Bearer )\S+")


@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointError:
    """An error as an endpoint said it: status, code, the field it names, its words, and the wait it asks for."""

    status: int
    says: str
    code: str = ""
    param: str | None = None
    retry_after_s: float | None = None

    @property
    def is_passing(self) -> bool:
        """Whether the same call may succeed a moment later."""
        return self.status in _PASSING and self.code not in ("insufficient_quota", "billing_hard_limit_reached")

    @property
    def is_about_fields(self) -> bool:
        """Whether another form of the call may be taken."""
        return self.status in (400, 404, 415, 422, 501) and not self.is_too_long and self.code != "model_not_found"

    @property
    def is_too_long(self) -> bool:
        """Whether the messages don't fit into the model's context."""
        words = r"context[ _](?:length|window|size)|maximum context|too long|exceed\w* the (?:available )?context"
        return self.code == "context_length_exceeded" or re.search(words, self.says, re.IGNORECASE) is not None


def read_error(status: int, text: str, *, key: str | None, retry_after_s: float | None = None) -> EndpointError:
    """The error in an endpoint's reply, whatever its shape: OpenAI's, FastAPI's, plain text, a page."""
    try:
        parsed: Json = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    return error_of(parsed, status=status, text=text, key=key, retry_after_s=retry_after_s)


def error_of(
    parsed: Json, *, status: int, text: str = "", key: str | None, retry_after_s: float | None = None
) -> EndpointError:
    """The error in parsed JSON. Its own status, where it has one, counts more than that of the HTTP reply.

    A reply that had begun well (200) and tells of an error counts as what its code says, else as an overload.
    """
    held = parsed.get("error", parsed) if isinstance(parsed, dict) else None
    fields = cast("dict[str, Json]", held) if isinstance(held, dict) else {}
    words = held if isinstance(held, str) else fields.get("message") or fields.get("detail") or fields or text
    says = words if isinstance(words, str) else json.dumps(words, ensure_ascii=False)
    code, param = fields.get("code") or fields.get("type") or "", fields.get("param")
    if isinstance(code, int) and 400 <= code < 600:
        status = code
    elif status == 200:
        status = _STATUS_OF.get(str(code), 502)
    return EndpointError(
        status=status,
        says=hidden(" ".join(re.sub(r"<[^>]*>", " ", says[:4000]).split())[:300], key=key),
        code=str(code)[:60],
        param=param if isinstance(param, str) else None,
        retry_after_s=retry_after_s,
    )


def as_mind_error(error: EndpointError, *, url: str, model: str) -> MindError:
    """The exception for an error that no other form of the call and no waiting has cured."""
    said = f" It says: {error.says}" if error.says else ""
    if error.is_too_long:
        return MindRefused(f"the request is too long for `{model}`.{said}", helps="shorten it, or use a larger model.")
    match error.status:
        case 401:
            return MindRefused(f"{url} refused the key (401).{said}", helps="set OPENAI_API_KEY to a valid key.")
        case 402:
            return MindRefused(f"{url} wants payment (402).{said}", helps="add credit there, or use another endpoint.")
        case 403:
            return MindRefused(f"the key has no right to `{model}` at {url} (403).{said}", helps="ask for access.")
        case 404:
            return MindRefused(
                f"{url} has no model `{model}`, or no chat completions (404).{said}",
                helps="set DRAGOMAN_MODEL to a model that it has; OPENAI_BASE_URL usually ends in /v1.",
            )
        case 429 if not error.is_passing:
            return MindRefused(f"the quota at {url} is used up (429).{said}", helps="add credit there, or wait.")
        case 429:
            wait = f" It asks to wait {error.retry_after_s:.0f} s." if error.retry_after_s else ""
            return MindUnavailable(f"{url} has too many calls (429).{wait}{said}", helps="try again later.")
        case status if status >= 500:
            return MindUnavailable(f"{url} is not working ({status}).{said}", helps="try again later.")
        case status if 300 <= status < 400:
            return MindRefused(f"{url} has moved ({status}).{said}", helps="set OPENAI_BASE_URL to its new address.")
        case status:
            return MindRefused(
                f"{url} refused the call ({status}).{said}", helps="check OPENAI_BASE_URL and DRAGOMAN_MODEL."
            )


def hidden(text: str, *, key: str | None) -> str:
    """The text without the key, and without what looks like one."""
    if key and len(key) > 3:
        text = text.replace(key, "…")
    return _SECRET.sub("…", text)


def shown_url(url: str) -> str:
    """The address without user, password and query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.split("?")[0][:80]
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}".rstrip("/") if host else url.split("?")[0][:80]
