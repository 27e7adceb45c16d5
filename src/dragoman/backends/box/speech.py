"""A Piper voice: text to speech, sentence by sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box import sentences
from dragoman.backends.box.english import require_english
from dragoman.backends.box.graphemes import Speller
from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.phonemes import Phonemizer
from dragoman.backends.box.pronunciations import Dictionaries
from dragoman.backends.box.reading import as_read
from dragoman.backends.box.sounds import Samples, sound_output
from dragoman.backends.box.texts import text_of
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg

MOST_CHARS = 20_000  # about 20 minutes of speech
MOST_IN_ALL = 30_000  # phonemes, the same; figures and letters take more of them than words
MOST_PHONEMES = 200  # of one call of the net, about 12 s of speech: its memory grows with them
LEAD_S = 0.15
PAUSE_S = 0.25
PARAGRAPH_PAUSE_S = 0.6
LEVEL = 0.9
START, END, BLANK = "^", "$", "_"


class PiperVoice:
    """A voice of the Piper family (VITS) over our own phonemes. English only."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        self._name = f"The voice `{card.id}`"
        config = json.loads(files["voice.json"].read_text(encoding="utf-8"))
        self._ids: dict[str, list[int]] = config["phoneme_id_map"]
        self._rate_hz = int(config["audio"]["sample_rate"])
        set_by_row = {**config["inference"], **card.options}
        scales = [set_by_row[name] for name in ("noise_scale", "length_scale", "noise_w")]
        self._scales = np.array(scales, dtype=np.float32)
        dictionaries = Dictionaries(files["us_gold.json"], files["us_silver.json"])
        self._phonemizer = Phonemizer(dictionaries, Speller(files["oov_bart_en_us.npz"]))
        onnxruntime.set_seed(0)  # the voice varies its sounds at random: the same after every start
        self._net = open_model(files["voice.onnx"], threads=threads, has_arena=False)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`speech`: a WAV file of `text` read aloud. Raises `ExpertError` for another language or far too much text."""
        del task
        text = text_of(args)
        self._check(text, target=args.get("target"))
        parts = [(part, pause_s) for sentence, pause_s in _sentences(text) for part in self._parts(sentence)]
        self._check_length(sum(len(part) for part, _ in parts), most=MOST_IN_ALL, what="sounds")
        pieces: list[Samples] = [self._silence(LEAD_S)]
        for number, (part, pause_s) in enumerate(parts):
            pieces += [self._spoken(part), self._silence(pause_s)]
            tell((number + 1) / len(parts), "reading aloud")
        return [self._speech(pieces)]

    def _check(self, text: str, *, target: Arg) -> None:
        if target and str(target).split("-")[0].lower() not in {"en", "english"}:
            raise ExpertError(f"{self._name} speaks English only, and `{target}` was asked for.")
        self._check_length(len(text), most=MOST_CHARS, what="characters")
        require_english(text, what=self._name)

    def _check_length(self, length: int, *, most: int, what: str) -> None:
        if length > most:
            raise ExpertError(
                f"{self._name} reads at most {most:,} {what} at a time, and {length:,} came.",
                helps="Hand over a part of the text, or have it summarized first.",
            )

    def _parts(self, sentence: str) -> list[str]:
        parts = in_parts(self._phonemizer.phonemes(as_read(sentence)), most=MOST_PHONEMES)
        return [part for part in parts if any(sign.isalpha() for sign in part)]

    def _spoken(self, phonemes: str) -> Samples:
        ids = list(self._ids[START])
        for phoneme in phonemes:
            if phoneme in self._ids:
                ids += self._ids[BLANK] + self._ids[phoneme]
        ids += self._ids[BLANK] + self._ids[END]
        inputs = {
            "input": np.array([ids], dtype=np.int64),
            "input_lengths": np.array([len(ids)], dtype=np.int64),
            "scales": self._scales,
        }
        return self._net.run(self._net.outputs, inputs)[0].reshape(-1)

    def _silence(self, duration_s: float) -> Samples:
        return np.zeros(round(duration_s * self._rate_hz), dtype=np.float32)

    def _speech(self, pieces: list[Samples]) -> Produced:
        samples = np.concatenate(pieces)
        peak = float(np.abs(samples).max(initial=0.0))
        if peak == 0.0:
            raise ExpertError("The text holds no word that can be read aloud; hand over one with letters or numbers.")
        return sound_output(samples * (LEVEL / peak), rate_hz=self._rate_hz, name="speech")


def _sentences(text: str) -> Iterator[tuple[str, float]]:
    """Every sentence, and how long to be silent behind it."""
    for paragraph in re.split(r"\n\s*\n", text):
        found = sentences.split(paragraph)
        yield from ((sentence, PAUSE_S) for sentence in found[:-1])
        yield from ((sentence, PARAGRAPH_PAUSE_S) for sentence in found[-1:])


def in_parts(phonemes: str, *, most: int) -> list[str]:
    """`phonemes` in parts of at most `most` signs, cut behind a mark where there is one, else between words."""
    parts: list[str] = []
    rest = phonemes.strip()
    while len(rest) > most:
        window = rest[:most]
        marks = [window.rfind(f"{mark} ") + 1 for mark in ",;:"]
        cut = max(marks) if max(marks) > most // 4 else window.rfind(" ")
        cut = cut if cut > 0 else most
        parts.append(rest[:cut].strip())
        rest = rest[cut:].strip()
    return [part for part in [*parts, rest] if part]
