"""Which mind the settings ask for."""

from __future__ import annotations

from pathlib import Path

from dragoman.config import Settings
from dragoman.errors import UsageError
from dragoman.minds.base import Mind

__all__ = ["open_mind"]

OPENAI_URL = "https://api.openai.com/v1"


def open_mind(settings: Settings) -> Mind | None:
    """The mind of these settings, or None: then the embedded planner, the rank and the templates do its work.

    Nothing is connected and nothing started yet: the first question does that.
    """
    kind, _, rest = settings.mind.partition(":")
    if settings.mind == "embedded" or (settings.mind == "auto" and settings.base_url is None):
        return None
    if kind == "scripted" and rest:
        from dragoman.minds.scripted import Scripted, read_script

        return Scripted(read_script(Path(rest).expanduser()), name=settings.mind)
    if kind == "gguf" and rest:
        from dragoman.minds.gguf import Gguf

        return Gguf(Path(rest).expanduser(), threads=settings.threads or 1, temperature=settings.temperature)
    return _endpoint(settings)


def _endpoint(settings: Settings) -> Mind:
    """A model behind an OpenAI-style endpoint. A bare key never sends anything anywhere: a model must be named too."""
    model = None if settings.mind == "auto" else settings.mind
    if settings.base_url is None and settings.api_key is None:
        raise UsageError(
            f"`{settings.mind}` would be a model at an endpoint, and no endpoint is set.",
            helps="set OPENAI_BASE_URL (and OPENAI_API_KEY where it wants one), or take another mind: "
            "`embedded`, `gguf:PATH` or `scripted:FILE`.",
        )
    from dragoman.minds.chat_api import ChatApi

    return ChatApi(
        base_url=settings.base_url or OPENAI_URL,
        model=model,
        api_key=settings.api_key,
        temperature=settings.temperature,
        format_bias=settings.format_bias,
    )
