"""Classes by meaning: the shares, without weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.backends.box.minilm import softmax


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_shares_sum_to_one_and_keep_the_order(logits: list[float]):
    """Plain floats, no NaN, whatever comes in."""
    shares = softmax(np.array(logits))

    assert all(type(share) is float for share in shares)
    assert sum(shares) == pytest.approx(1.0)
    assert shares[int(np.argmax(logits))] == max(shares)
