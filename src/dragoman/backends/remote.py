"""The remote half of the experts: which backends the settings switch on, and which tasks a key would add."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from dragoman.backends.base import Backend
from dragoman.config import Settings
from dragoman.minds.base import Mind
from dragoman.minds.opening import OPENAI_URL

VENDORS = "vendors.toml"  # a person's own rows, in the home folder

__all__ = ["mind_tasks", "provider_tasks", "remote_backends", "what_would_help"]


def remote_backends(settings: Settings, mind: Mind | None) -> Sequence[Backend]:
    """The backends beyond the packaged experts. With no key and no mind there are none, and nothing is imported.

    Offline, and where experts may only run locally, no provider is asked anything.
    """
    found: list[Backend] = []
    if mind is not None:
        found += _of_mind(settings, mind)
    if settings.is_offline or settings.where == "local":
        return found
    if (settings.home / VENDORS).exists():
        found += _of_vendors(settings)
    if settings.hf_token:
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


def _of_mind(settings: Settings, mind: Mind) -> Sequence[Backend]:
    from dragoman.backends.mind.backend import MindBackend

    is_local = settings.mind.startswith(("gguf:", "scripted:")) or _is_loopback(settings.base_url)
    found: list[Backend] = [MindBackend(mind, is_local=is_local)]
    if not settings.mind.startswith(("gguf:", "scripted:")):
        from dragoman.backends.endpoints.backend import EndpointBackend

        found.append(
            EndpointBackend(
                base_url=settings.base_url or OPENAI_URL,
                api_key=settings.api_key,
                model=None if settings.mind == "auto" else settings.mind,
                is_local=is_local,
                memory=settings.home / "sight.json",
                allow_hosts=settings.allow_hosts,
            )
        )
    return found


def _of_vendors(settings: Settings) -> Sequence[Backend]:
    from dragoman.backends.endpoints.vendor_rows import read
    from dragoman.backends.endpoints.vendors import VendorsBackend

    return [VendorsBackend(read(settings.home / VENDORS), allow_hosts=settings.allow_hosts)]


def _is_loopback(url: str | None) -> bool:
    """Whether an endpoint stands on this machine."""
    try:
        host = urlsplit(url or "").hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def provider_tasks() -> frozenset[str]:
    """The tasks for which HF_TOKEN adds an expert at an inference provider."""
    from dragoman.backends.providers.cards import tasks

    return tasks()


def mind_tasks() -> frozenset[str]:
    """The tasks for which a language model is an expert."""
    from dragoman.backends.mind.questions import TEXT_TASKS

    return frozenset(TEXT_TASKS)


def what_would_help(task: str, *, has_token: bool, has_mind: bool) -> str:
    """What would add an expert for `task`, as the end of a sentence; nothing is named that would not."""
    ways: list[str] = []
    if task in provider_tasks() and not has_token:
        ways.append("an inference provider (HF_TOKEN)")
    from dragoman.backends.mind.questions import VISION_TASKS

    if task in mind_tasks() and not has_mind:
        ways.append("a language model (OPENAI_BASE_URL and DRAGOMAN_MODEL, or --mind gguf:PATH)")
    elif task in VISION_TASKS and not has_mind:
        ways.append("a language model that sees (OPENAI_BASE_URL and DRAGOMAN_MODEL)")
    if not ways:
        return "a row for a service that can (docs/providers.md) would add one"
    return f"{' or '.join(ways)} would add one"
