"""What a remote expert's refusal means: a sentence that says what to do, whether it passes, how long to wait."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from dragoman.errors import ExpertError
from dragoman.minds.backoff import retry_after_s
from dragoman.minds.refusals import read_error
from dragoman.values import Json

__all__ = ["Refusal", "Service", "refusal"]

_SENTENCES = {
    400: "{name} can't take this input (400); change the input or take another expert.",
    401: "{name} refused the key (401); set {key} to a valid one from {keys}.",
    402: "{name} wants payment (402); add credit at {billing}, or run local experts.",
    403: "{name} does not let this key use the model (403); ask for access at {access}.",
    404: "{name} has no such model or task (404); take another expert.",
    410: "{name} no longer serves this model (410); take another expert.",
    413: "the input is too large for {name} (413); hand over a smaller or shorter one.",
    415: "{name} does not take this kind of file (415); convert it or take another expert.",
    422: "{name} can't take this input (422); change the input or take another expert.",
    429: "{name} has too many calls (429){wait}; try again later.",
    503: "{name} is loading the model or overloaded (503){wait}; try again later.",
}
_PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """Who is called. name: as messages say it. key_name, address_name: the variables that hold its key and address.

    keys, billing, access: where a person makes a key, adds credit, asks for access.
    """

    name: str
    key_name: str
    address_name: str = "its address"
    secret: str | None = field(default=None, repr=False)
    keys: str = "its settings"
    billing: str = "its settings"
    access: str = "its owner"


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A refusal as it is raised. wait_s: how long the service itself asks to wait, if it says."""

    error: ExpertError
    wait_s: float | None = None


def refusal(status: int, headers: Mapping[str, str], payload: bytes, *, service: Service) -> Refusal:
    """What a reply with a `status` beyond 299 means."""
    text = payload[:20_000].decode("utf-8", "replace")
    wait_s = retry_after_s(headers.get("retry-after"))
    if wait_s is None:
        wait_s = _loading_s(text)
    error = read_error(status, text, key=service.secret, retry_after_s=wait_s)
    said = f" It says: {error.says.rstrip('.')}." if error.says else ""
    passing = status in _PASSING and not (status == 429 and not error.is_passing)
    sentence = _sentence(status, service=service, wait_s=wait_s, is_passing=passing)
    return Refusal(error=ExpertError(f"{sentence}{said}", is_passing=passing), wait_s=wait_s)


def _sentence(status: int, *, service: Service, wait_s: float | None, is_passing: bool) -> str:
    name = service.name
    known = _SENTENCES.get(status)
    if status == 429 and not is_passing:
        known = "the quota at {name} is used up (429); add credit at {billing}, or wait."
    if known is None and status >= 500:
        known = "{name} is not working ({status}){wait}; try again later."
    if known is None and status < 400:
        known = "{name} has moved ({status}), and a key is not sent after it; check {address}."
    return (known or "{name} refused the call ({status}); take another expert.").format(
        name=name,
        status=status,
        wait=f"; it asks to wait {wait_s:.0f} s" if wait_s else "",
        key=service.key_name,
        keys=service.keys,
        billing=service.billing,
        access=service.access,
        address=service.address_name,
    )


def _loading_s(text: str) -> float | None:
    """Seconds until a model is loaded, where the reply says so (`estimated_time`)."""
    try:
        parsed: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    seconds = parsed.get("estimated_time") if isinstance(parsed, dict) else None
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    return min(float(seconds), 3600.0) if 0 <= seconds < math.inf else None
