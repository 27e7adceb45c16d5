"""Moonshine on onnxruntime: what is said in a recording, one stretch of speech at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.silero import RATE_HZ, SpeechDetector
from dragoman.backends.box.sounds import Samples, read_sound
from dragoman.backends.box.spans import Rules, bounded, spans
from dragoman.backends.box.transcripts import Segment, transcript
from dragoman.models.card import ModelCard
from dragoman.values import Arg

START_ID, END_ID = 1, 2
HEADS, HEAD_SIZE = 8, 36
TOKENS_PER_S = 6.5  # more is a loop, says the model's card
LONGEST_S = 20.0
SHORTEST_S = 0.5  # of what the net hears at once; a shorter stretch is followed by silence
LEAST_LOG_CHANCE = -1.0
RULES = Rules(least_s=0.1, gap_s=0.5, pad_s=0.2)


class Moonshine:
    """Moonshine tiny, English: it hears whole stretches and knows no times, which the speech detector gives."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card
        self._detector = SpeechDetector(files["silero_vad.onnx"])
        self._encoder = open_model(files["encoder.ort"], threads=threads, has_arena=False)
        self._decoder = open_model(files["decoder.ort"], threads=threads, has_arena=False)
        self._tokens = list(read_tokens(files["tokenizer.bin"].read_bytes()))
        self._past = [name for name in self._decoder.inputs if name.startswith("past_key_values")]

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`text` and `segments`, one for every stretch of speech; both are empty where nobody speaks."""
        del task
        samples = read_sound(args, rate_hz=RATE_HZ)
        duration_s = len(samples) / RATE_HZ
        chances = self._detector.chances(samples)
        found = spans(chances, step_s=SpeechDetector.step_s, duration_s=duration_s, rules=RULES)
        segments: list[Segment] = []
        for start, end in bounded(found, chances, step_s=SpeechDetector.step_s, most_s=LONGEST_S):
            words = self._words(samples[int(start * RATE_HZ) : int(end * RATE_HZ)])
            if words:
                segments.append(Segment(start_s=start, end_s=end, text=words))
            tell(end / duration_s, "writing down")
        return transcript(segments, language="en", duration_s=duration_s)

    def _words(self, stretch: Samples) -> str:
        most = max(2, round(len(stretch) / RATE_HZ * TOKENS_PER_S) + 1)
        heard = np.pad(stretch, (0, max(0, round(SHORTEST_S * RATE_HZ) - len(stretch))))[None]
        ids, log_chance = self._decode(heard.astype(np.float32), most=most)
        return as_words(self._tokens[index] for index in ids) if log_chance > LEAST_LOG_CHANCE else ""

    def _decode(self, heard: Samples, *, most: int) -> tuple[list[int], float]:
        """The likeliest tokens, one after another, and the mean logarithm of their chances."""
        mask = np.ones(heard.shape, dtype=np.int64)
        state = self._encoder.run(self._encoder.outputs, {"input_values": heard, "attention_mask": mask})[0]
        # The decoder thins the mask out itself: it wants one sign a sample, as the encoder does.
        fixed = {"encoder_hidden_states": state, "encoder_attention_mask": mask}
        empty = np.zeros((1, HEADS, 0, HEAD_SIZE), dtype=np.float32)
        past: dict[str, Any] = dict.fromkeys(self._past, empty)
        ids, logs = [START_ID], []
        for at in range(most):
            told = {"input_ids": np.array([[ids[-1]]], dtype=np.int64), "use_cache_branch": np.array([at > 0])}
            made = self._decoder.run(self._decoder.outputs, fixed | told | past)
            outputs = dict(zip(self._decoder.outputs, made, strict=True))
            scores = outputs["logits"][0, -1]
            ids.append(int(scores.argmax()))
            logs.append(float(scores.max() - _log_sum(scores)))
            if ids[-1] == END_ID:
                break
            # What the decoder knows of the recording never changes: later calls give it back empty.
            past |= {
                name: outputs[name.replace("past_key_values", "present")]
                for name in self._past
                if at == 0 or ".decoder." in name
            }
        return [index for index in ids[1:] if index != END_ID], sum(logs) / len(logs)


def read_tokens(packed: bytes) -> Iterator[bytes]:
    """The tokens of a `tokenizer.bin`, by id: each its length, one byte or (from 128 on) two, then its bytes."""
    at = 0
    while at < len(packed):
        size, at = packed[at], at + 1
        if size >= 128:
            size, at = (size - 128) + 128 * packed[at], at + 1
        yield packed[at : at + size]
        at += size


def as_words(tokens: Iterator[bytes]) -> str:
    """The text of tokens; `▁` stands for a space, special tokens (`<s>`, `<<ST_1>>`) go."""
    joined = b"".join(token for token in tokens if not (token.startswith(b"<") and token.endswith(b">")))
    return joined.decode("utf-8", errors="ignore").replace("▁", " ").strip()


def _log_sum(scores: Samples) -> float:
    top = float(scores.max())
    return top + float(np.log(np.exp(scores - top).sum()))
