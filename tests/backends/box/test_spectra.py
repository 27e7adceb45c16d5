"""Frames, overlap and add, mel bands, scores over time."""

import math

import numpy as np
import pytest

from dragoman.backends.box.spectra import frames, hann, lasting, mel_bands, overlap_add
from dragoman.backends.box.yamnet import BLOCK, HOP, centred, log_mel

RATE_HZ, FFT = 16_000, 512


def test_what_was_cut_comes_back_when_added():
    """A window of 960 with a hop of 480, and one that is no half of it; all but the first and last frame's edges."""
    signal = np.random.default_rng(0).standard_normal(9_600)
    for hop in (480, 512):
        window = np.sqrt(hann(960))
        pieces = frames(signal, size=960, hop=hop) * window

        back = overlap_add(pieces, hop=hop, window=window)

        assert np.allclose(back[1 : len(back) - 1], signal[1 : len(back) - 1], atol=1e-9)


def naive_band(spectrum: np.ndarray, number: int) -> float:
    """The sum in mel band `number` of 64 between 125 and 7500 Hz, written out bin by bin."""
    mel = [1127.0 * math.log(1 + hz / 700.0) for hz in (125.0, 7500.0)]
    step = (mel[1] - mel[0]) / 65
    low, middle, high = (700.0 * (math.exp((mel[0] + step * (number + k)) / 1127.0) - 1) for k in range(3))
    total = 0.0
    for index, magnitude in enumerate(spectrum):
        hz = index * RATE_HZ / FFT
        if low < hz <= middle:
            total += magnitude * (hz - low) / (middle - low)
        elif middle < hz < high:
            total += magnitude * (high - hz) / (high - middle)
    return total


def test_log_mel_agrees_with_a_plain_fourier_sum():
    """One frame of a tone with noise, its spectrum summed by definition."""
    time = np.arange(400) / RATE_HZ
    signal = np.sin(2 * np.pi * 440 * time) + 0.1 * np.random.default_rng(1).standard_normal(400)
    window = [0.5 - 0.5 * math.cos(2 * math.pi * n / 400) for n in range(400)]
    turns = np.exp(-2j * np.pi * np.outer(np.arange(FFT // 2 + 1), np.arange(400)) / FFT)
    spectrum = np.abs(turns @ (signal * window))
    bands = mel_bands(bands=64, fft=FFT, rate_hz=RATE_HZ, low_hz=125.0, high_hz=7500.0)

    levels = log_mel(signal, bands)

    assert levels.shape == (1, 64)
    assert levels[0] == pytest.approx([math.log(naive_band(spectrum, band) + 0.001) for band in range(64)], abs=2e-3)


def test_log_mel_in_blocks_is_log_mel_at_once():
    """A little more than one block."""
    signal = np.random.default_rng(2).standard_normal(HOP * (BLOCK + 20)).astype(np.float32)
    bands = mel_bands(bands=64, fft=FFT, rate_hz=RATE_HZ, low_hz=125.0, high_hz=7500.0)

    levels = log_mel(signal, bands)
    tail = log_mel(signal[HOP * BLOCK :], bands)

    assert np.allclose(levels[BLOCK:], tail)


def test_a_class_counts_where_it_lasts():
    """Three steps in a row beat a louder single one; a short recording is averaged."""
    scores = np.array([[0.9, 0.0], [0.0, 0.6], [0.0, 0.6], [0.0, 0.6]])

    assert lasting(scores, steps=3) == pytest.approx([0.3, 0.6])
    assert lasting(scores[:2], steps=3) == pytest.approx([0.45, 0.3])


def test_a_short_clip_is_centred_in_silence():
    """Three samples in eight."""
    assert centred(np.ones(3), least=8).tolist() == [0, 0, 1, 1, 1, 0, 0, 0]
