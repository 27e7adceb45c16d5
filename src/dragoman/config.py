"""Settings: from the environment and the caller, checked once, passed whole."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

__all__ = ["Settings", "Where"]

Where = Literal["local", "remote", "any"]
HF_ENDPOINT = "https://huggingface.co"
HF_ROUTER = "https://router.huggingface.co"


def _default_home(environ: Mapping[str, str]) -> Path:
    if "DRAGOMAN_HOME" in environ:
        return Path(environ["DRAGOMAN_HOME"]).expanduser()
    from platformdirs import user_data_path

    return user_data_path("dragoman")


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """How this Dragoman works.

    home: where everything is kept. mind: `auto`, `embedded`, a model name, `gguf:PATH` or `scripted:FILE`. base_url,
    api_key: an OpenAI-style endpoint. where: `local`, `remote` or `any`. max_fetch_bytes: what a run may download when
    nobody can be asked. is_fresh: don't take results of earlier runs. task_timeout_s, run_timeout_s: deadlines.
    allow_hosts: exempt from the network door's refusals. format_bias: logit bias on format words (the paper's 0.2; 0
    sends none). hf_token: turns Hugging Face's inference providers on; hf_endpoint, hf_router: where the Hub and the
    providers' router stand.
    """

    home: Path
    mind: str = "auto"
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    temperature: float = 0.0
    format_bias: float = 0.0
    where: Where = "any"
    is_offline: bool = False
    may_download: bool = False
    is_fresh: bool = False
    max_fetch_bytes: int = 200_000_000
    task_timeout_s: float = 300.0
    run_timeout_s: float = 3600.0
    allow_hosts: tuple[str, ...] = ()
    hf_token: str | None = field(default=None, repr=False)
    hf_endpoint: str = HF_ENDPOINT
    hf_router: str = HF_ROUTER
    threads: int = 0

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **overrides: object) -> Settings:
        """Settings from `environ` (default: the process's), with `overrides` on top; None overrides nothing."""
        env = os.environ if environ is None else environ
        found: dict[str, object] = {
            "home": _default_home(env),
            "mind": env.get("DRAGOMAN_MODEL") or "auto",
            "base_url": env.get("OPENAI_BASE_URL") or None,
            "api_key": env.get("OPENAI_API_KEY") or None,
            "is_offline": env.get("DRAGOMAN_OFFLINE", "") not in ("", "0"),
            "allow_hosts": tuple(h.strip() for h in env.get("DRAGOMAN_ALLOW_HOSTS", "").split(",") if h.strip()),
            "hf_token": env.get("HF_TOKEN", "").strip() or None,
            "hf_endpoint": (env.get("HF_ENDPOINT") or HF_ENDPOINT).rstrip("/"),
            "hf_router": (env.get("DRAGOMAN_HF_ROUTER") or HF_ROUTER).rstrip("/"),
        }
        # `auto` is what the environment says.
        found.update({key: value for key, value in overrides.items() if value not in (None, "auto")})
        return cls(**found)  # pyright: ignore[reportArgumentType]
