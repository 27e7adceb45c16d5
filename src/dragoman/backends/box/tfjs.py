"""TensorFlow.js graph models turned into ONNX: the operators of plain convolutional nets.

A model is a JSON file (the graph, and a manifest of its weights) and one file of raw numbers. TensorFlow keeps channels
last, ONNX first: each convolution stands between two transpositions, which onnxruntime cancels out when it loads.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dragoman.errors import ExpertError

Array = npt.NDArray[Any]
Node = dict[str, Any]

_FIRST, _LAST = [0, 3, 1, 2], [0, 2, 3, 1]
_SAME_NAME = {"Add": "Add", "AddV2": "Add", "Mul": "Mul", "Relu": "Relu", "Sigmoid": "Sigmoid", "Identity": "Identity"}


def to_onnx(graph: Path, weights: Path, *, outputs: Sequence[str]) -> Any:
    """The ONNX model whose outputs are these nodes, under their own names. Raises `ExpertError` where it can't."""
    from onnx import TensorProto, helper

    model = json.loads(graph.read_text(encoding="utf-8"))
    turning = _Turning(model["modelTopology"]["node"], _numbers(model["weightsManifest"], weights))
    for name in outputs:
        turning.node("Identity", [turning.value(name)], output=name)
    made = helper.make_graph(
        turning.nodes,
        graph.stem,
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in turning.inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", "y", "x", "c"]) for name in outputs],
        turning.constants,
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def _numbers(manifest: list[dict[str, Any]], path: Path) -> dict[str, Array]:
    raw, start, found = path.read_bytes(), 0, {}
    for weight in (weight for group in manifest for weight in group["weights"]):
        stored = np.dtype(weight.get("quantization", weight)["dtype"])
        count = int(np.prod(weight["shape"], dtype=np.int64))
        if stored.kind not in "fi" or start + count * stored.itemsize > len(raw):
            raise ExpertError(f"`{path.name}` does not hold what its graph says of `{weight['name']}`.")
        numbers = np.frombuffer(raw, stored, count, start).reshape(weight["shape"])
        found[weight["name"]] = numbers.astype(weight["dtype"])
        start += count * stored.itemsize
    return found


class _Turning:
    """A graph on its way: nodes are turned when an output needs them, each once."""

    def __init__(self, nodes: list[Node], numbers: dict[str, Array]) -> None:
        self._sources = {node["name"]: node for node in nodes}
        self._numbers = numbers
        self._turned: dict[str, str] = {}
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[tuple[str, list[int]]] = []
        self._turners: dict[str, Callable[[Node], str]] = {
            "Placeholder": self._input,
            "Conv2D": self._convolution,
            "_FusedConv2D": self._convolution,
            "DepthwiseConv2dNative": self._convolution,
            "FusedDepthwiseConv2dNative": self._convolution,
            "Relu6": lambda node: self._relu6(self.value(node["input"][0])),
            "Mean": self._mean,
            "ConcatV2": self._joined,
            "ResizeBilinear": self._resized,
        }

    def value(self, reference: str) -> str:
        """The ONNX name of a node's result."""
        name = reference.partition(":")[0]
        if name not in self._turned:
            self._turned[name] = self._turn(name)
        return self._turned[name]

    def node(self, operator: str, inputs: list[str], *, output: str = "", **attributes: Any) -> str:
        """A new ONNX node; the name of its result."""
        from onnx import helper

        output = output or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def _turn(self, name: str) -> str:
        if name in self._numbers:
            return self._constant(self._numbers[name])
        node = self._sources[name]
        operator = node["op"]
        if operator in _SAME_NAME:
            return self.node(_SAME_NAME[operator], [self.value(each) for each in node["input"]])
        if operator not in self._turners:
            raise ExpertError(f"the graph has the operator `{operator}` (`{name}`), which is not turned into ONNX.")
        return self._turners[operator](node)

    def _constant(self, numbers: Array) -> str:
        from onnx import numpy_helper

        kind = np.float32 if numbers.dtype.kind == "f" else np.int64
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(numbers, kind, order="C"), name))
        return name

    def _input(self, node: Node) -> str:
        shape = [int(side["size"]) for side in node["attr"]["shape"]["shape"]["dim"]]
        self.inputs.append((node["name"], shape))
        return node["name"]

    def _convolution(self, node: Node) -> str:
        attributes = node["attr"]
        kernel = self._numbers[node["input"][1]]
        is_depthwise = "Depthwise" in node["op"]
        # (h, w, in, out), of a depthwise one (h, w, channels, 1), to (out, in per group, h, w).
        weight = kernel.transpose(2, 3, 0, 1) if is_depthwise else kernel.transpose(3, 2, 0, 1)
        fused = [_word(each) for each in attributes.get("fused_ops", {}).get("list", {}).get("s", [])]
        inputs = [self.node("Transpose", [self.value(node["input"][0])], perm=_FIRST), self._constant(weight)]
        if "BiasAdd" in fused:
            inputs.append(self._constant(self._numbers[node["input"][2]]))
        y = self.node(
            "Conv",
            inputs,
            strides=[int(each) for each in attributes["strides"]["list"]["i"][1:3]],
            dilations=[int(each) for each in attributes["dilations"]["list"]["i"][1:3]],
            group=len(weight) if is_depthwise else 1,
            auto_pad="SAME_UPPER" if _word(attributes["padding"]["s"]) == "SAME" else "VALID",
        )
        return self.node("Transpose", [self._activated(y, fused)], perm=_LAST)

    def _activated(self, y: str, fused: list[str]) -> str:
        for name in fused:
            if name == "Relu6":
                y = self._relu6(y)
            elif name == "Relu":
                y = self.node("Relu", [y])
            elif name != "BiasAdd":
                raise ExpertError(f"a convolution is fused with `{name}`, which is not turned into ONNX.")
        return y

    def _relu6(self, x: str) -> str:
        return self.node("Clip", [x, self._constant(np.array(0.0)), self._constant(np.array(6.0))])

    def _mean(self, node: Node) -> str:
        x, axes = node["input"]
        axes = [int(axis) for axis in np.ravel(self._numbers[axes])]
        return self.node("ReduceMean", [self.value(x)], axes=axes, keepdims=int(_flag(node, "keep_dims")))

    def _joined(self, node: Node) -> str:
        *parts, axis = node["input"]
        return self.node("Concat", [self.value(part) for part in parts], axis=int(self._numbers[axis]))

    def _resized(self, node: Node) -> str:
        x = self.node("Transpose", [self.value(node["input"][0])], perm=_FIRST)
        channels = self.node("Slice", [self.node("Shape", [x]), *(self._constant(np.array([end])) for end in (0, 2))])
        size = self.node("Concat", [channels, self._constant(self._numbers[node["input"][1]])], axis=0)
        way = "half_pixel" if _flag(node, "half_pixel_centers") else "asymmetric"
        way = "align_corners" if _flag(node, "align_corners") else way
        y = self.node("Resize", [x, "", "", size], mode="linear", coordinate_transformation_mode=way)
        return self.node("Transpose", [y], perm=_LAST)


def _word(encoded: str) -> str:
    return base64.b64decode(encoded).decode()


def _flag(node: Node, name: str) -> bool:
    return bool(node["attr"].get(name, {}).get("b", False))
