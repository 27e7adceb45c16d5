"""The shapes that pictures and sounds have in memory. For type checkers: importing this loads no numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Pixels: TypeAlias = NDArray[np.uint8]  # (H, W, 3) uint8, sRGB, upright
    Samples: TypeAlias = NDArray[np.float32]  # (samples,) float32, mono, -1..1
else:
    Pixels = Any
    Samples = Any

__all__ = ["Pixels", "Samples"]
