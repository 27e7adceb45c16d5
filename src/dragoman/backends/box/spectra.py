"""Short-time spectra: frames, overlap and add, the mel bands that sound classifiers look at, scores over time."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def frames(samples: Array, *, size: int, hop: int) -> Array:
    """Every frame of `size` samples, one each `hop`: (frames, size), a view. The rest at the end is left out."""
    return np.lib.stride_tricks.sliding_window_view(samples, size)[::hop]


def hann(size: int) -> Array:
    """The periodic Hann window, (size,) float64."""
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size) / size)


def overlap_add(pieces: Array, *, hop: int, window: Array) -> Array:
    """Frames that were cut with `window` and are weighted with it again, put together: what was cut comes back.

    pieces: (frames, size). Samples that no window covers are 0.
    """
    size = pieces.shape[1]
    length = hop * (len(pieces) - 1) + size
    total, weight = np.zeros(length), np.zeros(length)
    for at, piece in enumerate(pieces):
        total[at * hop : at * hop + size] += piece * window
        weight[at * hop : at * hop + size] += window**2
    return np.divide(total, weight, out=np.zeros(length), where=weight > 1e-8)


def mel_bands(*, bands: int, fft: int, rate_hz: int, low_hz: float, high_hz: float) -> Array:
    """Triangles that sum a magnitude spectrum into mel bands, (fft // 2 + 1, bands), on the HTK mel scale."""
    edges = _hz(np.linspace(_mel(low_hz), _mel(high_hz), bands + 2))
    bins = np.linspace(0, rate_hz / 2, fft // 2 + 1)[:, None]
    rising = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    return np.maximum(0.0, np.minimum(rising, falling))


def lasting(scores: Array, *, steps: int) -> Array:
    """For every class of (steps, classes), its mean over the `steps` steps in a row where that is highest."""
    if len(scores) <= steps:
        return scores.mean(axis=0)
    sums = np.cumsum(np.vstack([np.zeros(scores.shape[1]), scores]), axis=0)
    return (sums[steps:] - sums[:-steps]).max(axis=0) / steps


def _mel(frequency_hz: float) -> float:
    return float(2595.0 * np.log10(1.0 + frequency_hz / 700.0))


def _hz(mel: Array) -> Array:
    return 700.0 * (10.0 ** (mel / 2595.0) - 1.0)
