"""Whisper on CTranslate2: what is said in a recording, with times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from faster_whisper import WhisperModel
from faster_whisper.vad import VadOptions, get_speech_timestamps

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box import sentences
from dragoman.backends.box.sounds import read_sound
from dragoman.backends.box.transcripts import Segment, transcript
from dragoman.models.card import ModelCard
from dragoman.values import Arg

RATE_HZ = 16_000
BEAM = 5
TEMPERATURES = (0.0, 0.4)  # the second where the first makes no sense; more only cost time where nobody speaks
TOKENS_PER_S = 15  # more than anybody says in any language: what is longer goes round in circles
MOST_TOKENS = 256  # of a window of 30 seconds
PAUSES = VadOptions(min_silence_duration_ms=500)
UNKNOWN = "und"  # BCP 47: nobody has said in what language
# Whisper makes words up where nobody speaks. Its own doubts tell: Radford et al., arXiv 2212.04356, section 4.5.
MOST_SILENCE = 0.6
LEAST_LOG_CHANCE = -1.0
MOST_REPETITION = 2.4
LOOP_WORDS, LOOP_SHARE = 8, 0.25


class Whisper:
    """Any Whisper model that CTranslate2 can load; English only where the weights are."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._languages = card.languages
        folder = files["model.bin"].parent
        self._model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`text` and `segments`; both are empty where nobody speaks."""
        del task
        samples = read_sound(args, rate_hz=RATE_HZ)
        duration_s = len(samples) / RATE_HZ
        language = "en" if self._languages == ("en",) else None
        spoken_s = sum(part["end"] - part["start"] for part in get_speech_timestamps(samples, PAUSES)) / RATE_HZ
        if not spoken_s:
            return transcript([], language=language or UNKNOWN, duration_s=duration_s)
        found, info = self._model.transcribe(
            samples,
            language=language,
            beam_size=BEAM,
            vad_filter=True,
            vad_parameters=PAUSES,
            temperature=TEMPERATURES,
            max_new_tokens=min(MOST_TOKENS, round(TOKENS_PER_S * (spoken_s + 1))),
            word_timestamps=True,
            condition_on_previous_text=False,
            no_speech_threshold=MOST_SILENCE,
            log_prob_threshold=LEAST_LOG_CHANCE,
            compression_ratio_threshold=MOST_REPETITION,
        )
        segments: list[Segment] = []
        for one in found:
            if is_said(one):
                segments += sentences_of(one.words or (), duration_s=duration_s)
            tell(min(one.end / duration_s, 1.0), "writing down")
        return transcript(segments, language=info.language, duration_s=duration_s)


def sentences_of(words: Sequence[Any], *, duration_s: float) -> list[Segment]:
    """Whisper's words (`word` with the space before it, `start`, `end`) as one segment a sentence."""
    text = "".join(word.word for word in words)
    begins = list(accumulate((len(word.word) for word in words), initial=0))[:-1]
    segments: list[Segment] = []
    for first, last in sentences.spans(text):
        # A word belongs where its last sign does: it begins with the space behind the sentence before.
        inside = [word for at, word in zip(begins, words, strict=True) if first < at + len(word.word) <= last]
        if inside:
            start_s, end_s = float(inside[0].start), min(float(inside[-1].end), duration_s)
            segments.append(Segment(start_s=start_s, end_s=end_s, text=text[first:last]))
    return segments


def is_said(segment: Any) -> bool:
    """Whether Whisper itself believes that somebody said this."""
    is_doubtful = segment.no_speech_prob > MOST_SILENCE or segment.avg_logprob < LEAST_LOG_CHANCE
    return not is_doubtful and segment.compression_ratio <= MOST_REPETITION and not is_loop(segment.text)


def is_loop(text: str) -> bool:
    """Whether the same few words go round and round, too short a text for its compression to tell."""
    words = re.findall(r"\w+", text.lower())
    return len(words) >= LOOP_WORDS and len(set(words)) < LOOP_SHARE * len(words)
