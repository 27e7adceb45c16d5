"""The sounds of a word that no dictionary knows: a small sequence-to-sequence net, run in numpy.

The net is BART with one encoder layer, one decoder layer and one head (Lewis et al., arXiv 1910.13461), fitted by its
author on the dictionaries of `phonemes.py`.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float32]]
UNKNOWN_ID = 3
LONGEST_WORD = 40


class Speller:
    """Letters to phonemes, one word at a time; what was said once is kept."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as bundle:
            self._weights: dict[str, Array] = {name: bundle[name] for name in bundle.files if name != "meta_json"}
            facts = json.loads(str(bundle["meta_json"]))
        self._letters = {letter: index for index, letter in enumerate(facts["grapheme_chars"]) if index > UNKNOWN_ID}
        self._sounds: str = facts["phoneme_chars"]
        self._begin, self._end = int(facts["bos_token_id"]), int(facts["eos_token_id"])
        self._start, self._offset = int(facts["decoder_start_token_id"]), int(facts["position_offset"])
        self._epsilon = float(facts["layer_norm_eps"])
        self._longest = int(facts["max_position_embeddings"])
        self._said: dict[str, str] = {}

    def sounds(self, word: str) -> str:
        """The phonemes of `word` with their stress; empty if it is too long or the net says nothing."""
        if not word or len(word) > LONGEST_WORD:
            return ""
        if word not in self._said:
            self._said[word] = self._decode(self._encode(word))
        return self._said[word]

    def _encode(self, word: str) -> Array:
        ids = [self._begin, *(self._letters.get(letter, UNKNOWN_ID) for letter in word), self._end]
        embedded = self._embed("encoder", ids)
        return self._layer(embedded, "encoder", seen=embedded)

    def _decode(self, memory: Array) -> str:
        ids = [self._start]
        while len(ids) < self._longest:
            embedded = self._embed("decoder", ids)
            # With one layer, the newest position sees the others as embedded only: nothing earlier is computed again.
            state = self._layer(embedded[-1:], "decoder", seen=embedded, memory=memory)[0]
            scores = state @ self._weights["model.shared.weight"].T + self._weights["final_logits_bias"][0]
            ids.append(int(scores.argmax()))
            if ids[-1] == self._end:
                break
        return "".join(self._sounds[index] for index in ids if UNKNOWN_ID < index < len(self._sounds))

    def _embed(self, part: str, ids: list[int]) -> Array:
        places = self._weights[f"model.{part}.embed_positions.weight"][self._offset : self._offset + len(ids)]
        return self._norm(self._weights["model.shared.weight"][ids] + places, f"model.{part}.layernorm_embedding")

    def _layer(self, state: Array, part: str, *, seen: Array, memory: Array | None = None) -> Array:
        at = f"model.{part}.layers.0"
        state = self._norm(state + self._attend(state, seen, f"{at}.self_attn"), f"{at}.self_attn_layer_norm")
        if memory is not None:
            heard = self._attend(state, memory, f"{at}.encoder_attn")
            state = self._norm(state + heard, f"{at}.encoder_attn_layer_norm")
        inner = self._linear(_gelu(self._linear(state, f"{at}.fc1")), f"{at}.fc2")
        return self._norm(state + inner, f"{at}.final_layer_norm")

    def _attend(self, state: Array, seen: Array, at: str) -> Array:
        asked, keys = self._linear(state, f"{at}.q_proj"), self._linear(seen, f"{at}.k_proj")
        scores = asked @ keys.T / math.sqrt(keys.shape[-1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return self._linear(weights @ self._linear(seen, f"{at}.v_proj"), f"{at}.out_proj")

    def _linear(self, state: Array, at: str) -> Array:
        return state @ self._weights[f"{at}.weight"].T + self._weights[f"{at}.bias"]

    def _norm(self, state: Array, at: str) -> Array:
        centred = state - state.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self._epsilon)
        return centred / scale * self._weights[f"{at}.weight"] + self._weights[f"{at}.bias"]


_erf = np.vectorize(math.erf, otypes=[np.float32])


def _gelu(state: Array) -> Array:
    return 0.5 * state * (1.0 + _erf(state / math.sqrt(2.0)))
