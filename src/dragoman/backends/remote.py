"""The remote half of the experts: which backends the settings switch on, and which tasks a key would add."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.backends.base import Backend
from dragoman.config import Settings
from dragoman.minds.base import Mind

__all__ = ["provider_tasks", "remote_backends", "what_would_help"]


def remote_backends(settings: Settings, mind: Mind | None) -> Sequence[Backend]:
    """The backends beyond the packaged experts. With no key and no mind there are none, and nothing is imported.

    Offline, and where experts may only run locally, no provider is asked anything.
    """
    del mind
    found: list[Backend] = []
    if settings.hf_token and not settings.is_offline and settings.where != "local":
        from dragoman.backends.providers.backend import ProvidersBackend

        found.append(
            ProvidersBackend(
                settings.hf_token,
                endpoint=settings.hf_endpoint,
                router=settings.hf_router,
                allow_hosts=settings.allow_hosts,
            )
        )
    return found


def provider_tasks() -> frozenset[str]:
    """The tasks for which HF_TOKEN adds an expert at an inference provider."""
    from dragoman.backends.providers.cards import tasks

    return tasks()


def what_would_help(task: str, *, has_token: bool) -> str:
    """What would add an expert for `task`, as the end of a sentence; nothing is named that would not."""
    ways: list[str] = []
    if task in provider_tasks() and not has_token:
        ways.append("an account at Hugging Face (HF_TOKEN), whose inference providers serve it")
    if not ways:
        return "nothing that can be switched on here would add one"
    return f"{', or '.join(ways)}, would add one"
