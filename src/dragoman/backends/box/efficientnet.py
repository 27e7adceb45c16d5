"""EfficientNet-Lite: what a picture shows among 1000 classes, and where.

Source: the architecture of EfficientNet-Lite (M. Tan and others, Google, 2020): no squeeze-and-excite, ReLU6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.torch_pickle import read_tensors

Array = npt.NDArray[Any]

_STAGE_STRIDES = (1, 2, 2, 2, 1, 2, 1)
_LONG = 1.8  # sides in this ratio: the middle alone would leave out nearly half of the picture
_EPSILON = 1e-3  # of batch normalization; TensorFlow's, not PyTorch's


class EfficientNet:
    """A loaded net. `side_px`: of the square that it was trained on."""

    def __init__(self, net: Path, class_weights: Path, *, side_px: int, threads: int) -> None:
        self._model = open_model(net, threads=threads)
        self._class_weights: Array = np.load(class_weights)
        self.side_px = side_px

    def probabilities(self, pixels: Array) -> list[float]:
        """Of each class, 0..1: from the middle of the picture, of a long one from its whole too."""
        views = [_middle(pixels, self.side_px)]
        if max(pixels.shape[:2]) > _LONG * min(pixels.shape[:2]):
            views.append(_squeezed(pixels, self.side_px))
        (found,) = self._model.run(["probabilities"], {"pixels": np.stack([_planes(view) for view in views])})
        return found.mean(axis=0).tolist()

    def vector(self, pixels: Array) -> list[float]:
        """What the net makes of a picture before it names it: 1280 numbers, unit length, from its middle and whole."""
        views = np.stack([_planes(_middle(pixels, self.side_px)), _planes(_squeezed(pixels, self.side_px))])
        (pooled,) = self._model.run(["pooled"], {"pixels": views})
        mean = pooled.mean(axis=0, dtype=np.float64)
        return (mean / max(float(np.linalg.norm(mean)), 1e-12)).tolist()

    def maps(self, pixels: Array, classes: list[int]) -> Array:
        """How strongly each place speaks for each class: (classes, h, w), relative, from an enlarged view.

        Source: class activation maps, B. Zhou and others, CVPR 2016.
        """
        view = _planes(_squeezed(pixels, 2 * self.side_px))[None]
        (features,) = self._model.run(["features"], {"pixels": view})
        return np.tensordot(self._class_weights[classes], features[0], axes=1)


def _middle(pixels: Array, side_px: int) -> Image.Image:
    """The centre square that training used, at the net's size."""
    image = Image.fromarray(pixels)
    part = min(image.size) * side_px / (side_px + 32)
    left, top = (image.width - part) / 2, (image.height - part) / 2
    return image.resize((side_px, side_px), Image.Resampling.BICUBIC, (left, top, left + part, top + part))


def _squeezed(pixels: Array, side_px: int) -> Image.Image:
    return Image.fromarray(pixels).resize((side_px, side_px), Image.Resampling.BICUBIC)


def _planes(image: Image.Image) -> Array:
    return ((np.asarray(image, np.float32) - 127) / 128).transpose(2, 0, 1)


def to_onnx(files: dict[str, Path], out: Path) -> None:
    """Write `efficientnet.onnx` and `class-weights.npy` for the one `.pth` file among `files`."""
    import onnx

    (weights,) = (path for name, path in files.items() if name.endswith(".pth"))
    tensors = read_tensors(weights)
    np.save(out / "class-weights.npy", tensors["_fc.weight"])
    onnx.save(_Graph(tensors).model(), out / "efficientnet.onnx")


@dataclass(kw_only=False)
class _Graph:
    """Builds the graph; sizes come from the weights, so every width and depth of the family works."""

    tensors: Mapping[str, Array]
    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def model(self) -> Any:
        """The whole net as an ONNX model: pixels (N, 3, h, w) to probabilities, pooled and features."""
        from onnx import TensorProto, helper

        self._constant("zero", np.array(0, np.float32))
        self._constant("six", np.array(6, np.float32))
        self._ending(self._blocks(self._convolution("pixels", "_conv_stem", norm="_bn0", stride=2)))
        kind = TensorProto.FLOAT
        shapes = {"probabilities": ["n", "classes"], "pooled": ["n", "c"], "features": ["n", "c", "y", "x"]}
        graph = helper.make_graph(
            self.nodes,
            "efficientnet-lite",
            [helper.make_tensor_value_info("pixels", kind, ["n", 3, "h", "w"])],
            [helper.make_tensor_value_info(name, kind, shape) for name, shape in shapes.items()],
            self.constants,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)

    def _blocks(self, x: str) -> str:
        stage = -1
        for index in range(sum(name.endswith("._depthwise_conv.weight") for name in self.tensors)):
            block = f"_blocks.{index}."
            expand = self.tensors.get(f"{block}_expand_conv.weight")
            depthwise = self.tensors[f"{block}_depthwise_conv.weight"]
            width_in = len(depthwise) if expand is None else expand.shape[1]
            # A stage begins where the width changes; its first block may shrink the map, and can't be skipped.
            is_first = width_in != len(self.tensors[f"{block}_project_conv.weight"])
            stage += is_first
            y = self._block(x, block, stride=_STAGE_STRIDES[stage] if is_first else 1)
            x = y if is_first else self._node("Add", [y, x], f"{block}sum")
        return x

    def _block(self, x: str, block: str, *, stride: int) -> str:
        if f"{block}_expand_conv.weight" in self.tensors:
            x = self._convolution(x, f"{block}_expand_conv", norm=f"{block}_bn0")
        x = self._convolution(x, f"{block}_depthwise_conv", norm=f"{block}_bn1", stride=stride)
        return self._convolution(x, f"{block}_project_conv", norm=f"{block}_bn2", is_bent=False)

    def _convolution(self, x: str, name: str, *, norm: str, stride: int = 1, is_bent: bool = True) -> str:
        """A convolution with its batch normalization folded in, and ReLU6 where it `is_bent`."""
        weight = self.tensors[f"{name}.weight"]
        gain = self.tensors[f"{norm}.weight"] / np.sqrt(self.tensors[f"{norm}.running_var"] + _EPSILON)
        shift = self.tensors[f"{norm}.bias"] - self.tensors[f"{norm}.running_mean"] * gain
        inputs = [
            x,
            self._constant(f"{name}.weight", weight * gain[:, None, None, None]),
            self._constant(f"{name}.bias", shift),
        ]
        groups = len(weight) if weight.shape[1] == 1 else 1
        y = self._node("Conv", inputs, f"{name}.out", strides=[stride] * 2, group=groups, auto_pad="SAME_UPPER")
        return self._node("Clip", [y, "zero", "six"], f"{name}.bent") if is_bent else y

    def _ending(self, x: str) -> None:
        head = self._convolution(x, "_conv_head", norm="_bn1")
        features = self._node("Identity", [head], "features")
        pooled = self._node("Flatten", [self._node("GlobalAveragePool", [features], "average")], "pooled")
        weight = self._constant("classes.weight", self.tensors["_fc.weight"])
        bias = self._constant("classes.bias", self.tensors["_fc.bias"])
        logits = self._node("Gemm", [pooled, weight, bias], "logits", transB=1)
        self._node("Softmax", [logits], "probabilities", axis=1)

    def _node(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def _constant(self, name: str, numbers: Array) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(numbers, np.float32), name))
        return name
