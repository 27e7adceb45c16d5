"""Sound tasks in the wire format of `hf-inference`. Long recordings go in pieces, and their times are put together."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence

from dragoman.backends.base import Call, Produced
from dragoman.backends.exchange import Received
from dragoman.backends.made import data_output, labels_output, rows_of, sound_output, text_output
from dragoman.backends.providers.wire import Body, Wire, single
from dragoman.backends.sendable import Sound, as_base64, sounds_of, words_of
from dragoman.errors import ExpertError
from dragoman.values import Json

__all__ = ["SOUND_WIRES", "transcript"]

_FIRST_S = 60.0  # what a recording is classified by
_LONGEST_S = 1e6


def _raw(call: Call) -> Body:
    sound = sounds_of(call.args, piece_s=_FIRST_S)[0]
    return Body(content=sound.payload, media_type=sound.media_type, sound=sound)


def _whole(call: Call) -> Body:
    sound = sounds_of(call.args, piece_s=_LONGEST_S)[0]
    return Body(content=sound.payload, media_type=sound.media_type, sound=sound)


def _labels(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    return [labels_output(rows_of(received.json(), received=received), received=received)]


def _pieces(call: Call, model: str) -> Sequence[Body]:
    """With times where the model's card says that it gives some; then as base64, since a parameter goes along."""
    pieces = sounds_of(call.args)
    if not call.card.options.get("timestamps"):
        return [Body(content=one.payload, media_type=one.media_type, sound=one) for one in pieces]
    parameters = {"return_timestamps": True}
    return [Body(json={"inputs": as_base64(one.payload), "parameters": parameters}, sound=one) for one in pieces]


def _transcript(received: Sequence[Received], call: Call, bodies: Sequence[Body]) -> Sequence[Produced]:
    found = [(one.json(), one) for one in received]
    return transcript(found, sounds=[body.sound for body in bodies if body.sound])


def transcript(replies: Sequence[tuple[Json, Received]], *, sounds: Sequence[Sound]) -> Sequence[Produced]:
    """The outputs of speech recognition, out of `{text, chunks?}` per piece."""
    texts: list[str] = []
    segments: list[dict[str, Json]] = []
    for (reply, received), sound in zip(replies, sounds, strict=True):
        if not isinstance(reply, dict) or not isinstance(reply.get("text"), str):
            raise received.unlike("a transcript")
        text = reply["text"].strip()
        texts += [text] if text else []
        segments += _segments(reply, sound=sound, text=text)
    if not texts:
        raise ExpertError("no speech was heard in the recording.")
    whole_s = round(sounds[-1].whole_s, 3)
    language = next((reply.get("language") for reply, _ in replies if reply.get("language")), None)
    data = {"language": language, "duration_s": whole_s, "segments": segments}
    return [text_output(" ".join(texts), received=replies[0][1]), data_output("segments", data)]


def _segments(reply: Mapping[str, Json], *, sound: Sound, text: str) -> list[dict[str, Json]]:
    """The chunks with their times in the whole recording; without chunks the piece as one."""
    chunks = [chunk for chunk in reply.get("chunks") or () if isinstance(chunk, dict) and chunk.get("text")]
    if not chunks:
        end_s = round(sound.start_s + sound.duration_s, 2)
        return [{"start_s": round(sound.start_s, 2), "end_s": end_s, "text": text}] if text else []
    return [
        {"start_s": _time(chunk, 0, sound=sound), "end_s": _time(chunk, 1, sound=sound), "text": chunk["text"].strip()}
        for chunk in chunks
    ]


def _time(chunk: Mapping[str, Json], place: int, *, sound: Sound) -> float:
    """A chunk's start (0) or end (1). The last end is missing where the recording is cut off in a word."""
    stamp = chunk.get("timestamp")
    value = stamp[place] if isinstance(stamp, list) and len(stamp) == 2 else None
    at_s = float(value) if isinstance(value, (int, float)) else sound.duration_s * place
    return round(sound.start_s + min(max(at_s, 0.0), sound.duration_s), 2)


def _speech_body(call: Call) -> Body:
    return Body(json={"inputs": words_of(call.args), "parameters": {}})


def _speech(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    return [sound_output(received, name="speech")]


def _changed(received: Received, call: Call, body: Body) -> Sequence[Produced]:
    """The first sound of `[{blob, content-type, label}]`, or the sound itself."""
    if received.media_type.startswith("audio/"):
        return [sound_output(received, name="audio")]
    row = rows_of(received.json(), received=received)[0]
    try:
        payload = base64.b64decode(str(row.get("blob")), validate=True)
    except (binascii.Error, ValueError) as error:
        raise received.unlike("a sound") from error
    kind = str(row.get("content-type") or "audio/flac")
    return [sound_output(Received(payload=payload, media_type=kind, says=received.says), name="audio")]


SOUND_WIRES: Mapping[str, Wire] = {
    "automatic-speech-recognition": Wire(bodies=_pieces, read=_transcript),
    "audio-classification": single(_raw, _labels),
    "audio-to-audio": single(_whole, _changed),
    "text-to-speech": single(_speech_body, _speech),
}
