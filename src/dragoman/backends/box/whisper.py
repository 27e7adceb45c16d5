"""Whisper on CTranslate2: what is said in a recording, with times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from faster_whisper import BatchedInferencePipeline, WhisperModel
from faster_whisper.vad import VadOptions, get_speech_timestamps

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box import sentences
from dragoman.backends.box.sounds import Samples, read_sound
from dragoman.backends.box.spans import Span, grouped
from dragoman.backends.box.transcripts import Segment, transcript
from dragoman.models.card import ModelCard
from dragoman.values import Arg

RATE_HZ = 16_000
BEAM = 5
WINDOW_S = 28.0  # Whisper hears 30 seconds at once
GAP_S = 3.0  # a longer silence ends a window
TOKENS_PER_S, MOST_TOKENS = 15, 256  # more than anybody says in any language: what is longer goes round in circles
SPEECH = VadOptions(min_silence_duration_ms=500, max_speech_duration_s=WINDOW_S, speech_pad_ms=200)
UNKNOWN = "und"  # BCP 47: nobody has said in what language
# Whisper makes words up where nobody speaks. Its own doubts tell: Radford et al., arXiv 2212.04356, section 4.5.
MOST_SILENCE = 0.6
LEAST_LOG_CHANCE = -1.0
MOST_REPETITION = 3.0  # real speech that repeats itself (`It was the age of …`) comes to 2.4
LOOP_WORDS, LOOP_SHARE = 8, 0.25


class Whisper:
    """Any Whisper model that CTranslate2 can load; English only where the weights are.

    Each window is heard on its own and its words are timed afterwards. Whisper's own marks of time are not asked for:
    where they are wrong at a window's end, words are lost (measured: the last sentence of 15 seconds).
    """

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        folder = files["model.bin"].parent
        self._model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads)
        self._pipeline = BatchedInferencePipeline(self._model)
        self._language = "en" if card.languages == ("en",) else None

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`text` and `segments`; both are empty where nobody speaks."""
        del task
        samples = read_sound(args, rate_hz=RATE_HZ)
        duration_s = len(samples) / RATE_HZ
        windows = windows_of(samples)
        language = self._language or self._heard_language(samples, windows)
        segments: list[Segment] = []
        for window in windows:
            segments += self._heard(samples, window, language=language)
            tell(min(window[1] / duration_s, 1.0), "writing down")
        return transcript(segments, language=language, duration_s=duration_s)

    def _heard_language(self, samples: Samples, windows: Sequence[Span]) -> str:
        """The language of the longest window."""
        if not windows:
            return UNKNOWN
        start, end = max(windows, key=lambda window: window[1] - window[0])
        language, *_ = self._model.detect_language(samples[int(start * RATE_HZ) : int(end * RATE_HZ)])
        return str(language)

    def _heard(self, samples: Samples, window: Span, *, language: str) -> list[Segment]:
        start, end = window
        found, _ = self._pipeline.transcribe(
            samples,
            language=language,
            beam_size=BEAM,
            batch_size=1,
            clip_timestamps=[{"start": start, "end": end}],
            word_timestamps=True,
            max_new_tokens=min(MOST_TOKENS, round(TOKENS_PER_S * (end - start + 1))),
        )
        heard = [one for one in found if is_said(one)]
        return [segment for one in heard for segment in sentences_of(one.words or (), end_s=end)]


def windows_of(samples: Samples) -> list[Span]:
    """The stretches with speech, in seconds, each short enough to be heard at once; none where nobody speaks."""
    found = [(part["start"] / RATE_HZ, part["end"] / RATE_HZ) for part in get_speech_timestamps(samples, SPEECH)]
    return grouped(found, most_s=WINDOW_S, gap_s=GAP_S)


def sentences_of(words: Sequence[Any], *, end_s: float) -> list[Segment]:
    """Whisper's words (`word` with the space before it, `start`, `end`) as one segment a sentence."""
    text = "".join(word.word for word in words)
    begins = list(accumulate((len(word.word) for word in words), initial=0))[:-1]
    segments: list[Segment] = []
    for first, last in sentences.spans(text):
        # A word belongs where its last sign does: it begins with the space behind the sentence before.
        inside = [word for at, word in zip(begins, words, strict=True) if first < at + len(word.word) <= last]
        if inside:
            said_s = (float(inside[0].start), min(float(inside[-1].end), end_s))
            segments.append(Segment(start_s=said_s[0], end_s=said_s[1], text=text[first:last]))
    return segments


def is_said(segment: Any) -> bool:
    """Whether Whisper itself believes that somebody said this."""
    is_doubtful = segment.no_speech_prob > MOST_SILENCE or segment.avg_logprob < LEAST_LOG_CHANCE
    return not is_doubtful and segment.compression_ratio <= MOST_REPETITION and not is_loop(segment.text)


def is_loop(text: str) -> bool:
    """Whether the same few words go round and round, too short a text for its compression to tell."""
    words = re.findall(r"\w+", text.lower())
    return len(words) >= LOOP_WORDS and len(set(words)) < LOOP_SHARE * len(words)
