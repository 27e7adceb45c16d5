"""Sound comes as mono float32 at the rate that is asked for, whatever it was stored as."""

from __future__ import annotations

import io
import struct
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import MediaError
from dragoman.media import facts, read_audio, sniff, wav_bytes
from dragoman.media.sounds import mono_of


def tone(rate_hz: int, *, length_s: float = 1.0, hz: float = 440.0) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * hz * np.arange(round(rate_hz * length_s)) / rate_hz)).astype(np.float32)


def loudest_hz(samples: np.ndarray, rate_hz: int) -> float:
    return float(np.abs(np.fft.rfft(samples * np.hanning(len(samples)))).argmax() * rate_hz / len(samples))


def sound_facts(path: Path) -> dict:
    return facts(path, kind="audio", media_type="audio/wav")


@given(st.integers(1, 3000), st.sampled_from([8000, 11025, 16000, 44100]), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_wav_bytes_are_read_back(tmp_path_factory, count, rate_hz, seed):
    """Any sound in -1..1 survives to within one step of 16 bits."""
    samples = np.random.default_rng(seed).uniform(-1, 1, count).astype(np.float32)
    path = tmp_path_factory.mktemp("wav") / "x"
    path.write_bytes(wav_bytes(samples, rate_hz=rate_hz))

    heard = read_audio(path, rate_hz=rate_hz)
    assert heard.dtype == np.float32
    assert np.abs(heard - samples).max() <= 1.01 / 32768
    assert sound_facts(path)["rate_hz"] == rate_hz


@given(st.sampled_from([8000, 11025, 22050, 44100, 48000, 96000]), st.sampled_from([8000, 16000, 24000, 48000]))
@settings(max_examples=20, deadline=None)
def test_a_tone_keeps_its_pitch_and_length_at_any_rate(tmp_path_factory, source_hz, rate_hz):
    """440 Hz of one second stay 440 Hz of one second, as loud as before."""
    path = tmp_path_factory.mktemp("rate") / "x.wav"
    soundfile.write(path, tone(source_hz), source_hz, subtype="FLOAT")

    heard = read_audio(path, rate_hz=rate_hz)
    assert abs(len(heard) - rate_hz) <= 1
    assert loudest_hz(heard, rate_hz) == pytest.approx(440, abs=2)
    assert np.abs(heard).max() == pytest.approx(0.5, abs=0.02)


def test_long_sound_is_resampled_as_one(tmp_path):
    """In pieces and at once give the same samples."""
    import soxr

    samples = np.random.default_rng(1).uniform(-0.5, 0.5, 44100 * 20).astype(np.float32)
    soundfile.write(tmp_path / "x.wav", samples, 44100, subtype="FLOAT")

    heard = read_audio(tmp_path / "x.wav", rate_hz=16000)
    at_once = soxr.resample(samples, 44100, 16000, quality="HQ")
    assert len(heard) == len(at_once)
    assert np.abs(heard - at_once).max() < 1e-5


def test_channels_are_mixed_not_strung_together(tmp_path):
    """A tone left and silence right: one second at half the loudness. Six channels likewise."""
    for channels in (2, 6):
        stacked = np.zeros((16000, channels), np.float32)
        stacked[:, 0] = tone(16000)
        soundfile.write(tmp_path / "x.wav", stacked, 16000, subtype="FLOAT")
        heard = read_audio(tmp_path / "x.wav", rate_hz=16000)
        assert heard.shape == (16000,)
        assert np.abs(heard).max() == pytest.approx(0.5 / channels, rel=0.01)
        assert sound_facts(tmp_path / "x.wav") == {"duration_s": 1.0, "rate_hz": 16000, "channels": channels}


@pytest.mark.parametrize(
    ("suffix", "subtype"),
    [("wav", "PCM_U8"), ("wav", "PCM_24"), ("wav", "DOUBLE"), ("flac", "PCM_16"), ("ogg", "VORBIS"), ("ogg", "OPUS"),
     ("mp3", None), ("aiff", "PCM_16"), ("au", "ULAW"), ("caf", "PCM_16")],
)  # fmt: skip
def test_sound_formats_are_heard(tmp_path, suffix, subtype):
    """Each is told by its bytes, measured, and gives the tone back."""
    path = tmp_path / f"x.{suffix}"
    soundfile.write(path, tone(48000), 48000, subtype=subtype)

    kind, _ = sniff(path, name="sound without an extension")
    assert kind == "audio"
    assert sound_facts(path)["duration_s"] == pytest.approx(1.0, abs=0.1)
    assert loudest_hz(read_audio(path, rate_hz=16000)[2000:14000], 16000) == pytest.approx(440, abs=3)


@pytest.mark.parametrize(("suffix", "codec"), [("m4a", "aac"), ("mp4", "aac"), ("mka", "flac"), ("webm", "libopus")])
def test_containers_without_a_picture_are_sound(tmp_path, film, suffix, codec):
    """What soundfile doesn't know, FFmpeg reads."""
    path = film(tmp_path / f"x.{suffix}", is_filmed=False, sound=codec, length_s=2.0)

    kind, media_type = sniff(path, name="x.mp4")
    assert kind == "audio"
    assert media_type.startswith("audio/")
    assert sound_facts(path)["duration_s"] == pytest.approx(2.0, abs=0.15)
    heard = read_audio(path, rate_hz=16000)
    assert len(heard) / 16000 == pytest.approx(2.0, abs=0.15)
    assert loudest_hz(heard[4000:28000], 16000) == pytest.approx(440, abs=3)


def test_a_film_gives_its_sound_track_in_time(tmp_path, film):
    """Sound that starts a second late is led in by a second of silence."""
    heard = read_audio(film(tmp_path / "late.mp4", sound_late_s=1.0), rate_hz=16000)

    assert np.abs(heard[: int(0.9 * 16000)]).max() < 0.01
    assert np.abs(heard[int(1.1 * 16000) : int(1.5 * 16000)]).max() > 0.3
    assert len(heard) / 16000 == pytest.approx(4.0, abs=0.15)


def test_only_the_first_seconds_are_read_when_asked(tmp_path, film):
    """Half a second of a WAV and of an AAC track."""
    soundfile.write(tmp_path / "x.wav", tone(48000, length_s=3), 48000)

    for path in (tmp_path / "x.wav", film(tmp_path / "x.m4a", is_filmed=False)):
        assert len(read_audio(path, rate_hz=16000, max_s=0.5)) == pytest.approx(8000, abs=1)


def test_ten_milliseconds_are_sound(tmp_path):
    """The shortest thing that a tracker complains about."""
    soundfile.write(tmp_path / "x.wav", tone(8000, length_s=0.01), 8000)

    assert len(read_audio(tmp_path / "x.wav", rate_hz=16000)) == pytest.approx(160, abs=1)


def test_no_samples_are_no_sound(tmp_path):
    """A WAV header with nothing behind it."""
    (tmp_path / "x.wav").write_bytes(wav_bytes(np.zeros(0, np.float32), rate_hz=16000))

    for read in (sound_facts, lambda path: read_audio(path, rate_hz=16000)):
        with pytest.raises(MediaError, match=r"`x.wav` holds no sound: 0 samples"):
            read(tmp_path / "x.wav")


def test_a_film_without_sound_says_so(tmp_path, film):
    """The question was about its sound."""
    with pytest.raises(MediaError, match=r"`mute.mp4` has no sound"):
        read_audio(film(tmp_path / "mute.mp4", sound=None), rate_hz=16000)


def test_a_wav_from_a_pipe_is_as_long_as_its_bytes(tmp_path):
    """Its header states the largest size there is."""
    content = bytearray(wav_bytes(tone(16000), rate_hz=16000))
    content[4:8] = content[40:44] = struct.pack("<I", 0xFFFFFFFF)
    (tmp_path / "x.wav").write_bytes(content)

    assert sound_facts(tmp_path / "x.wav")["duration_s"] == pytest.approx(1.0, abs=0.01)
    assert len(read_audio(tmp_path / "x.wav", rate_hz=16000)) == 16000


def test_an_mp3_that_is_cut_is_heard_as_far_as_it_goes(tmp_path):
    """Its header promises three seconds; one is there, and nothing is made up behind it."""
    soundfile.write(tmp_path / "whole.mp3", tone(48000, length_s=3), 48000)
    content = (tmp_path / "whole.mp3").read_bytes()
    (tmp_path / "cut.mp3").write_bytes(content[: len(content) // 3])

    heard = read_audio(tmp_path / "cut.mp3", rate_hz=16000)
    assert 0.5 < len(heard) / 16000 < 1.2
    assert np.abs(heard).max() < 0.6


@pytest.mark.parametrize("suffix", ["wav", "flac", "ogg", "mp3", "m4a"])
def test_damage_never_escapes(tmp_path, film, suffix):
    """Cut anywhere or with bytes changed: some sound, or one line."""
    path = tmp_path / f"x.{suffix}"
    if suffix == "m4a":
        film(path, is_filmed=False, length_s=0.5)
    else:
        soundfile.write(path, tone(16000, length_s=0.5), 16000)
    content = path.read_bytes()
    rng = np.random.default_rng(5)
    for _ in range(40):
        broken = bytearray(content)
        if rng.random() < 0.5:
            del broken[rng.integers(1, len(broken)) :]
        for _ in range(rng.integers(0, 6)):
            broken[rng.integers(0, len(broken))] = rng.integers(0, 256)
        path.write_bytes(broken)
        for read in (sound_facts, lambda path: read_audio(path, rate_hz=16000)):
            try:
                read(path)
            except MediaError as error:
                assert "x." in str(error)  # noqa: PT017 (some sound is as good)


def test_a_playlist_in_disguise_opens_nothing(tmp_path):
    """FFmpeg would look behind an ID3 tag, find a playlist there, and open the file that it names."""
    secret = tmp_path / "secret.wav"
    soundfile.write(secret, tone(16000), 16000)
    tag = b"ID3\x03\x00\x00\x00\x00\x00\x0a" + bytes(10)
    for trick in (f"#EXTM3U\n#EXTINF:1,\n{secret}\n#EXT-X-ENDLIST\n", f"ffconcat version 1.0\nfile {secret}\n"):
        for start in (tag, b""):
            (tmp_path / "song.mp3").write_bytes(start + trick.encode())
            with pytest.raises(MediaError, match=r"song\.mp3"):
                read_audio(tmp_path / "song.mp3", rate_hz=16000)


def test_clipping_and_nonsense_stay_inside_the_file():
    """Beyond full scale is full scale, NaN is silence."""
    content = wav_bytes(np.array([2.0, -2.0, np.nan, np.inf], np.float32), rate_hz=8000)

    with wave.open(io.BytesIO(content)) as file:
        assert np.frombuffer(file.readframes(9), "<i2").tolist() == [32767, -32768, 0, 32767]


def test_arrays_of_sound_become_mono():
    """Integers by their range, columns mixed; anything else is refused."""
    assert mono_of(np.array([16384, -32768], np.int16)).tolist() == [0.5, -1.0]
    assert mono_of(np.array([[1.0, 0.0], [0.0, 0.0]])).tolist() == [0.5, 0.0]
    with pytest.raises(MediaError, match=r"A sound is \(samples,\)"):
        mono_of(np.zeros((0,), np.float32))
    with pytest.raises(MediaError, match="A sound is one row of samples"):
        wav_bytes(np.zeros((4, 2), np.float32), rate_hz=8000)
