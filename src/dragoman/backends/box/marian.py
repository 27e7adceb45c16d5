"""Marian's small translation models in numpy: a transformer reads, a recurrent decoder (SSRU) writes greedily.

The files are those of Firefox Translations: weights as 8-bit integers, each matrix with the factor that made it so;
here they become floats again. Written from the papers and the format; of 364 sentences, either way, 356 came out word
for word as from a native engine, at the same cost in time.
Sources: M. Junczys-Dowmunt et al., "Marian: Fast Neural Machine Translation in C++", ACL 2018; Y. J. Kim et al., "From
Research to Production and Back: Ludicrously Fast Neural Machine Translation", WNGT 2019 (SSRU).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.box.marian_files import Shortlist, read_weights

Array = np.ndarray[Any, Any]

END = 0  # the token that ends a sentence, in both vocabularies
HEADS = 8
FAR = -1e9  # added to a score that must not count
LONGEST = 2.5  # written tokens per token read, at most; Firefox sets the same

Memory = list[tuple[Array, Array]]  # per decoder layer, keys and values of what was read


class Marian:
    """One direction of translation, from token ids to token ids. shortlist: which words to consider; None: all."""

    def __init__(self, model: Path, *, shortlist: Path | None = None) -> None:
        self._weights = read_weights(model)
        self._shortlist = Shortlist(shortlist) if shortlist else None
        self._embedding = self._weights["Wemb"]
        self._width = self._embedding.shape[1]
        self._layers = {kind: _layers(self._weights, kind) for kind in ("encoder", "decoder")}

    def translate(self, sentences: Sequence[Sequence[int]]) -> list[list[int]]:
        """The likeliest next token after another, for each sentence. Ids come and go without the end token."""
        ids = np.full((len(sentences), max(map(len, sentences)) + 1), END)
        mask = np.full((len(sentences), 1, 1, ids.shape[1]), FAR, np.float32)
        for row, sentence in enumerate(sentences):
            ids[row, : len(sentence)] = sentence
            mask[row, ..., : len(sentence) + 1] = 0
        words = self._shortlist.words(ids) if self._shortlist else np.arange(len(self._embedding))
        return self._write(self._remember(self._read(ids, mask)), mask, words=words)

    def _read(self, ids: Array, mask: Array) -> Array:
        """What the encoder makes of each token: (sentences, tokens, width)."""
        states = self._embed(ids) + positions(ids.shape[1], width=self._width)
        for layer in self._layers["encoder"]:
            name = f"{layer}_self"
            keys, values = self._project(states, name, "k"), self._project(states, name, "v")
            states = self._normal(states + self._attend(states, name, (keys, values), mask), f"{name}_Wo")
            states = self._feed_forward(states, f"{layer}_ffn")
        return states

    def _remember(self, states: Array) -> Memory:
        names = [f"{layer}_context" for layer in self._layers["decoder"]]
        return [(self._project(states, name, "k"), self._project(states, name, "v")) for name in names]

    def _write(self, memory: Memory, mask: Array, *, words: Array) -> list[list[int]]:
        """Token by token, each the likeliest of `words`."""
        count = len(mask)
        outputs, bias = self._embedding[words].T, self._weights["decoder_ff_logit_out_b"][0, words]
        cells = [np.zeros((count, 1, self._width), np.float32) for _ in memory]
        last = np.zeros((count, 1, self._width), np.float32)
        written: list[list[int]] = [[] for _ in range(count)]
        limits = (LONGEST * (mask == 0).sum(axis=(1, 2, 3))).astype(int) + 2
        is_done = np.zeros(count, bool)
        for step in range(limits.max()):
            states = last + positions(1, width=self._width, start=step)
            for at, layer in enumerate(self._layers["decoder"]):
                cells[at], states = self._step(layer, cells[at], states)
                name = f"{layer}_context"
                states = self._normal(states + self._attend(states, name, memory[at], mask), f"{name}_Wo")
                states = self._feed_forward(states, f"{layer}_ffn")
            tokens = words[(states[:, 0] @ outputs + bias).argmax(axis=1)]
            is_done |= (tokens == END) | (step >= limits)
            if is_done.all():
                break
            for row in np.flatnonzero(~is_done):
                written[row].append(int(tokens[row]))
            last = self._embed(tokens)[:, None]
        return written

    def _step(self, layer: str, cell: Array, states: Array) -> tuple[Array, Array]:
        """One step of the SSRU: how much of the cell stays, what comes in, and the state it gives."""
        name = f"{layer}_rnn"
        stays = 1 / (1 + np.exp(-(states @ self._weights[f"{name}_Wf"] + self._weights[f"{name}_bf"])))
        cell = stays * cell + (1 - stays) * (states @ self._weights[f"{name}_W"])
        return cell, self._normal(states + np.maximum(cell, 0), f"{name}_ffn")

    def _attend(self, states: Array, name: str, memory: tuple[Array, Array], mask: Array) -> Array:
        keys, values = memory
        scores = self._project(states, name, "q") @ keys.swapaxes(-1, -2) / np.sqrt(self._width // HEADS) + mask
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (shares / shares.sum(axis=-1, keepdims=True)) @ values
        joined = mixed.swapaxes(1, 2).reshape(*states.shape)
        return joined @ self._weights[f"{name}_Wo"] + self._weights[f"{name}_bo"]

    def _project(self, states: Array, name: str, which: str) -> Array:
        """Queries, keys or values by head: (sentences, heads, tokens, width of a head)."""
        found = states @ self._weights[f"{name}_W{which}"] + self._weights[f"{name}_b{which}"]
        return found.reshape(*states.shape[:2], HEADS, -1).swapaxes(1, 2)

    def _feed_forward(self, states: Array, name: str) -> Array:
        hidden = np.maximum(states @ self._weights[f"{name}_W1"] + self._weights[f"{name}_b1"], 0)
        return self._normal(states + hidden @ self._weights[f"{name}_W2"] + self._weights[f"{name}_b2"], f"{name}_ffn")

    def _normal(self, states: Array, name: str) -> Array:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-6)
        return centred / spread * self._weights[f"{name}_ln_scale"] + self._weights[f"{name}_ln_bias"]

    def _embed(self, ids: Array) -> Array:
        return self._embedding[ids] * np.float32(np.sqrt(self._width))


def positions(count: int, *, width: int, start: int = 0) -> Array:
    """Marian's sinusoids for `count` places from `start` on: all sines first, then all cosines."""
    half = width // 2
    speeds = np.exp(-np.arange(half) * np.log(10_000) / (half - 1))
    angles = np.arange(start, start + count)[:, None] * speeds
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


def _layers(weights: dict[str, Array], kind: str) -> list[str]:
    """The names of the layers of the encoder or decoder, in order."""
    found = {match[0] for name in weights if (match := re.match(rf"{kind}_l\d+", name))}
    return sorted(found, key=lambda name: int(name.partition("_l")[2]))
