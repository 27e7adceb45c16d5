"""Whisper on CTranslate2: what is said in a recording, with times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from faster_whisper import WhisperModel
from faster_whisper.vad import VadOptions

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.sounds import sound_of
from dragoman.backends.box.transcripts import Segment, transcript
from dragoman.media import read_audio
from dragoman.models.card import ModelCard
from dragoman.values import Arg

RATE_HZ = 16_000
BEAM = 5
# Whisper makes words up where nobody speaks. Its own doubts tell: Radford et al., arXiv 2212.04356, section 4.5.
MOST_SILENCE = 0.6
LEAST_LOG_CHANCE = -1.0
MOST_REPETITION = 2.4


class Whisper:
    """Any Whisper model that CTranslate2 can load; English only where the weights are."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._languages = card.languages
        folder = files["model.bin"].parent
        self._model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`text` and `segments`; both are empty where nobody speaks."""
        del task
        samples = read_audio(sound_of(args), rate_hz=RATE_HZ)
        duration_s = len(samples) / RATE_HZ
        language = "en" if self._languages == ("en",) else None
        found, info = self._model.transcribe(
            samples,
            language=language,
            beam_size=BEAM,
            vad_filter=True,
            vad_parameters=VadOptions(min_silence_duration_ms=500),
            condition_on_previous_text=False,
            no_speech_threshold=MOST_SILENCE,
            log_prob_threshold=LEAST_LOG_CHANCE,
            compression_ratio_threshold=MOST_REPETITION,
        )
        segments: list[Segment] = []
        for one in found:
            if is_said(one) and (words := one.text.strip()):
                segments.append(Segment(start_s=one.start, end_s=min(one.end, duration_s), text=words))
            tell(min(one.end / duration_s, 1.0), "writing down")
        return transcript(segments, language=info.language, duration_s=duration_s)


def is_said(segment: Any) -> bool:
    """Whether Whisper itself believes that somebody said this."""
    is_doubtful = segment.no_speech_prob > MOST_SILENCE or segment.avg_logprob < LEAST_LOG_CHANCE
    return not is_doubtful and segment.compression_ratio <= MOST_REPETITION
