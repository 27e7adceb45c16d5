"""TensorFlow.js graphs as ONNX: the same numbers as the same sums done by hand."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from dragoman.backends.box.onnx_session import open_model
from dragoman.backends.box.tfjs import to_onnx
from dragoman.errors import ExpertError


def word(text: str) -> dict[str, str]:
    return {"s": base64.b64encode(text.encode()).decode()}


def node(operator: str, name: str, inputs: list[str], **attributes: Any) -> dict[str, Any]:
    return {"op": operator, "name": name, "input": inputs, "attr": attributes}


def written(folder: Path, nodes: list[dict[str, Any]], numbers: dict[str, np.ndarray]) -> tuple[Path, Path]:
    """The two files of a model that takes (1, 4, 4, 2)."""
    shape = {"shape": {"dim": [{"size": str(side)} for side in (1, 4, 4, 2)]}}
    placeholder = {"op": "Placeholder", "name": "x", "attr": {"shape": shape}}
    weights = [{"name": k, "shape": list(v.shape), "dtype": str(v.dtype)} for k, v in numbers.items()]
    model = {"modelTopology": {"node": [placeholder, *nodes]}, "weightsManifest": [{"weights": weights}]}
    (folder / "m.json").write_text(json.dumps(model))
    (folder / "m.bin").write_bytes(b"".join(v.tobytes() for v in numbers.values()))
    return folder / "m.json", folder / "m.bin"


def ran(folder: Path, model: Any, x: np.ndarray) -> np.ndarray:
    onnx.save(model, folder / "m.onnx")
    return open_model(folder / "m.onnx", threads=1).run(["y"], {"x": x})[0]


def test_a_fused_convolution_is_the_same_sum(tmp_path: Path):
    """1 x 1, stride 1, bias, ReLU6: a matrix product at each place."""
    kernel, bias = np.array([[[[1, -2, 9], [3, 4, 9]]]], np.float32), np.array([0.5, 0, 0], np.float32)
    strides = {"list": {"i": ["1", "1", "1", "1"]}}
    conv = node(
        "_FusedConv2D", "y", ["x", "k", "b"], strides=strides, dilations=strides, padding=word("SAME"),
        fused_ops={"list": {"s": [word("BiasAdd")["s"], word("Relu6")["s"]]}},
    )  # fmt: skip
    model = to_onnx(*written(tmp_path, [conv], {"k": kernel, "b": bias}), outputs=["y"])
    x = np.linspace(-1, 1, 32, dtype=np.float32).reshape(1, 4, 4, 2)

    np.testing.assert_allclose(ran(tmp_path, model, x), np.clip(x @ kernel[0, 0] + bias, 0, 6), rtol=1e-5, atol=1e-6)


def test_only_what_an_output_needs_is_turned(tmp_path: Path):
    """A node beside the way may hold any operator."""
    nodes = [node("Sigmoid", "y", ["x"]), node("TopKV2", "beside", ["x"])]
    model = to_onnx(*written(tmp_path, nodes, {}), outputs=["y"])

    assert ran(tmp_path, model, np.zeros((1, 4, 4, 2), np.float32)).tolist() == np.full((1, 4, 4, 2), 0.5).tolist()


def test_an_unknown_operator_is_named(tmp_path: Path):
    """The refusal says which operator and where it stands."""
    with pytest.raises(ExpertError, match=r"`TopKV2` \(`y`\)"):
        to_onnx(*written(tmp_path, [node("TopKV2", "y", ["x"])], {}), outputs=["y"])


def test_weights_that_are_cut_off_are_refused(tmp_path: Path):
    """Fewer numbers than the graph speaks of."""
    graph, weights = written(tmp_path, [node("Add", "y", ["x", "k"])], {"k": np.ones(2, np.float32)})
    weights.write_bytes(b"1234")

    with pytest.raises(ExpertError, match="does not hold what its graph says of `k`"):
        to_onnx(graph, weights, outputs=["y"])
