"""Logit bias on the words of a format (HuggingGPT, section 4.1): only where a model's token ids are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["MAX_TOKENS", "token_bias"]

MAX_TOKENS = 300


def token_bias(words: Sequence[str], *, model: str, strength: float) -> tuple[Mapping[str, float], str | None]:
    """The bias by token id, and why there is none. Needs the optional package `tiktoken`, made for OpenAI's."""
    try:
        from tiktoken import encoding_for_model  # pyright: ignore
    except ImportError:
        return {}, "format bias needs token ids, and `tiktoken` is not installed: sent without"
    try:
        encoding = encoding_for_model(model)
        ids: list[int] = [token for word in words for token in encoding.encode(word)]
    except Exception:  # noqa: BLE001  an unknown model, or a vocabulary that it would have to download
        return {}, f"the token ids of `{model}` are not known: sent without format bias"
    return {str(token): strength for token in list(dict.fromkeys(ids))[:MAX_TOKENS]}, None
