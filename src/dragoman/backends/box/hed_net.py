"""HED's net: turned from its HDF5 weights into ONNX.

Source: "Holistically-Nested Edge Detection", S. Xie and Z. Tu, 2015: the five blocks of VGG16, a side output after
each, all of them scaled to the size of the picture and fused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dragoman.errors import ExpertError

Array = npt.NDArray[Any]

PICTURE, EDGES = "picture", "edges"
_LAYERS = (2, 2, 3, 3, 3)  # convolutions a block


def to_onnx(files: dict[str, Path], out: Path) -> None:
    """Write `hed.onnx` for `hed.weights.h5`. Raises `ExpertError` if the file does not hold HED's weights."""
    import h5py
    import onnx

    try:
        with h5py.File(files["hed.weights.h5"]) as weights:
            model = _Building(weights).model()
    except (KeyError, OSError) as error:
        raise ExpertError(f"`hed.weights.h5` does not hold the weights of HED: {error}.") from error
    onnx.save(model, out / "hed.onnx")


class _Building:
    """The graph as it grows, layer by layer."""

    def __init__(self, weights: Any) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def model(self) -> Any:
        """The whole net, for one picture of any size: (1, 3, h, w) in, (1, 1, h, w) edges 0..1 out."""
        from onnx import TensorProto, helper

        shape = self._node("Shape", [PICTURE])
        size = self._node("Slice", [shape, self._constant(np.array([2])), self._constant(np.array([4]))])
        x, sides = PICTURE, list[str]()
        for number, layers in enumerate(_LAYERS, 1):
            x = self._block(x, number, layers)
            side = self._convolution(x, f"dsn{number}", side_px=1)
            sides.append(self._enlarged(side, size) if number > 1 else side)
        fused = self._convolution(self._node("Concat", sides, axis=1), "fuse", side_px=1)
        self._node("Sigmoid", [fused], output=EDGES)
        float32 = TensorProto.FLOAT
        graph = helper.make_graph(
            self._nodes,
            "hed",
            [helper.make_tensor_value_info(PICTURE, float32, [1, 3, "h", "w"])],
            [helper.make_tensor_value_info(EDGES, float32, [1, 1, "h", "w"])],
            self._constants,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)

    def _block(self, x: str, number: int, layers: int) -> str:
        if number > 1:
            x = self._node("MaxPool", [x], kernel_shape=[2, 2], strides=[2, 2], auto_pad="SAME_UPPER")
        for layer in range(layers):
            name = f"block{number}/layers/conv2d" + (f"_{layer}" if layer else "")
            x = self._node("Relu", [self._convolution(x, name, side_px=3)])
        return x

    def _convolution(self, x: str, name: str, *, side_px: int) -> str:
        kernel = self._weights[f"{name}/vars/0"][()].transpose(3, 2, 0, 1)  # (h, w, in, out) to (out, in, h, w)
        bias = self._weights[f"{name}/vars/1"][()]
        inputs = [x, self._constant(kernel.astype(np.float32)), self._constant(bias.astype(np.float32))]
        return self._node("Conv", inputs, kernel_shape=[side_px, side_px], pads=[side_px // 2] * 4)

    def _enlarged(self, x: str, size: str) -> str:
        whole = self._node("Concat", [self._constant(np.array([1, 1])), size], axis=0)
        return self._node("Resize", [x, "", "", whole], mode="linear", coordinate_transformation_mode="half_pixel")

    def _node(self, operator: str, inputs: list[str], *, output: str = "", **attributes: Any) -> str:
        from onnx import helper

        output = output or f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def _constant(self, numbers: Array) -> str:
        from onnx import numpy_helper

        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(numbers), name))
        return name
