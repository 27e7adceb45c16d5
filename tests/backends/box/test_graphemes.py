"""The net for unknown words, with random weights, against a plain forward pass over the whole prefix."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from dragoman.backends.box.graphemes import Speller

SIZE, INNER, SIGNS, PLACES = 8, 12, 11, 10
PARTS = ("q_proj", "k_proj", "v_proj", "out_proj")
FACTS = {
    "grapheme_chars": "____abcd",
    "phoneme_chars": "____æbkdˈ",
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 1,
    "position_offset": 2,
    "layer_norm_eps": 1e-5,
    "max_position_embeddings": PLACES,
}


def random_weights(seed: int) -> dict[str, np.ndarray]:
    """A net of the same shape, much smaller."""
    rng = np.random.default_rng(seed)
    weights = {"final_logits_bias": rng.normal(size=(1, SIGNS)), "model.shared.weight": rng.normal(size=(SIGNS, SIZE))}
    for part, attentions in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "encoder_attn"])):
        weights[f"model.{part}.embed_positions.weight"] = rng.normal(size=(PLACES + 2, SIZE))
        linear = [(f"layers.0.{attention}.{name}", SIZE, SIZE) for attention in attentions for name in PARTS]
        linear += [("layers.0.fc1", INNER, SIZE), ("layers.0.fc2", SIZE, INNER)]
        norms = ["layernorm_embedding", "layers.0.final_layer_norm"]
        norms += [f"layers.0.{attention}_layer_norm" for attention in attentions]
        for name, rows, columns in linear:
            weights[f"model.{part}.{name}.weight"] = rng.normal(size=(rows, columns))
            weights[f"model.{part}.{name}.bias"] = rng.normal(size=rows)
        for name in norms:
            weights[f"model.{part}.{name}.weight"] = rng.normal(size=SIZE)
            weights[f"model.{part}.{name}.bias"] = rng.normal(size=SIZE)
    return {name: value.astype(np.float32) for name, value in weights.items()}


class Plain:
    """The same net as the paper draws it: every position of the prefix, masked, each time."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.weights = {name: value.astype(np.float64) for name, value in weights.items()}

    def linear(self, x: np.ndarray, at: str) -> np.ndarray:
        return x @ self.weights[f"{at}.weight"].T + self.weights[f"{at}.bias"]

    def norm(self, x: np.ndarray, at: str) -> np.ndarray:
        scaled = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + FACTS["layer_norm_eps"])
        return scaled * self.weights[f"{at}.weight"] + self.weights[f"{at}.bias"]

    def attend(self, x: np.ndarray, memory: np.ndarray, at: str, *, is_causal: bool) -> np.ndarray:
        q = self.linear(x, f"{at}.q_proj")
        k, v = (self.linear(memory, f"{at}.{name}") for name in ("k_proj", "v_proj"))
        rows = []
        for index in range(len(x)):
            seen = index + 1 if is_causal else len(memory)
            weights = np.exp(k[:seen] @ q[index] / math.sqrt(SIZE))
            rows.append(weights / weights.sum() @ v[:seen])
        return self.linear(np.stack(rows), f"{at}.out_proj")

    def part(self, name: str, ids: list[int], memory: np.ndarray | None = None) -> np.ndarray:
        at = f"model.{name}"
        places = self.weights[f"{at}.embed_positions.weight"][2 : 2 + len(ids)]
        x = self.norm(self.weights["model.shared.weight"][ids] + places, f"{at}.layernorm_embedding")
        at = f"{at}.layers.0"
        seen = self.attend(x, x, f"{at}.self_attn", is_causal=memory is not None)
        x = self.norm(x + seen, f"{at}.self_attn_layer_norm")
        if memory is not None:
            seen = self.attend(x, memory, f"{at}.encoder_attn", is_causal=False)
            x = self.norm(x + seen, f"{at}.encoder_attn_layer_norm")
        inner = self.linear(x, f"{at}.fc1")
        gelu = inner * np.vectorize(lambda value: 0.5 * (1 + math.erf(value / math.sqrt(2))))(inner)
        return self.norm(x + self.linear(gelu, f"{at}.fc2"), f"{at}.final_layer_norm")

    def sounds(self, letters: list[int]) -> str:
        memory = self.part("encoder", [1, *letters, 2])
        ids = [1]
        while len(ids) < PLACES and (len(ids) == 1 or ids[-1] != 2):
            state = self.part("decoder", ids, memory)[-1]
            scores = state @ self.weights["model.shared.weight"].T + self.weights["final_logits_bias"][0]
            ids.append(int(scores.argmax()))
        return "".join(FACTS["phoneme_chars"][index] for index in ids if 3 < index < len(FACTS["phoneme_chars"]))


@pytest.mark.parametrize("seed", range(6))
def test_it_says_what_a_plain_forward_pass_says(seed: int, tmp_path: Path):
    """Six random nets, three words each."""
    weights = random_weights(seed)
    np.savez(tmp_path / "net.npz", meta_json=np.array(json.dumps(FACTS)), **weights)

    speller = Speller(tmp_path / "net.npz")

    for word in ("abc", "d", "bad"):
        assert speller.sounds(word) == Plain(weights).sounds([FACTS["grapheme_chars"].index(sign) for sign in word])


def test_a_word_that_is_too_long_says_nothing(tmp_path: Path):
    """The caller spells it then."""
    np.savez(tmp_path / "net.npz", meta_json=np.array(json.dumps(FACTS)), **random_weights(0))

    assert Speller(tmp_path / "net.npz").sounds("a" * 41) == ""
