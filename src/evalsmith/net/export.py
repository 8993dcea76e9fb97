"""Nets for programs without PyTorch: ONNX, written number by number from a checkpoint.

The graph has one input, ``planes`` (positions × channels × x × y, 0 or 1), and the outputs ``won``, ``cleared``,
``duration`` and ``moves``. Norms are folded into the convolutions before them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.net.checkpoint import Arrays, read_checkpoint
from evalsmith.net.inference import ONNX
from evalsmith.net.shape import VALUES, NetShape
from evalsmith.net.torch_import import need
from evalsmith.run import InputError, write_bytes

_OPSET, _IR = 17, 8
_EPSILON = 1e-5  # what batch norms add to variances
_THRESHOLD = 5.0  # from here on softplus is a straight line


def export_net(net: Path | str, output: Path | str) -> Path:
    """Write the net of a checkpoint as ONNX; the path of the file."""
    path, target = Path(net), Path(output)
    if target.suffix != ONNX:
        raise InputError(f"a net is exported to a file with the suffix {ONNX}, not {target}")
    shape, arrays, facts = read_checkpoint(path)
    onnx = need("onnx", "the export of a net")
    graph = _Graph(onnx, shape, arrays)
    model = onnx.helper.make_model(
        graph.make(), opset_imports=[onnx.helper.make_opsetid("", _OPSET)], ir_version=_IR, producer_name="evalsmith"
    )
    for key, value in shape.to_metadata(facts).items():
        model.metadata_props.add(key=key, value=value)
    onnx.checker.check_model(model)
    write_bytes(target, model.SerializeToString())
    return target


class _Graph:
    """Collects the nodes and numbers of a net."""

    def __init__(self, onnx: Any, shape: NetShape, arrays: Arrays) -> None:
        self.onnx, self.shape, self.arrays = onnx, shape, arrays
        self.nodes: list[Any] = []
        self.numbers: list[Any] = []

    def make(self) -> Any:
        """The graph from planes to outputs."""
        shape, helper = self.shape, self.onnx.helper
        x = self._relu(self._conv("planes", "conv", "norm"))
        for layer in range(shape.r):
            place = f"layers.{layer}"
            inner = self._relu(self._conv(x, f"{place}.conv1", f"{place}.norm1"))
            inner = self._conv(inner, f"{place}.conv2", f"{place}.norm2")
            x = self._relu(self._node("Add", [x, inner]))
        flat = self._node("Flatten", [x], axis=1)
        names = [
            self._number("full.weight", self.arrays["full.weight"]),
            self._number("full.bias", self.arrays["full.bias"]),
        ]
        out = self._node("Gemm", [flat, *names], transB=1)
        self._node("Tanh", [self._column(out, 0)], output="won")
        self._softplus(self._column(out, 1), "cleared")
        self._softplus(self._column(out, 2), "duration")
        self._node("Softmax", [self._columns(out, VALUES, shape.outputs)], output="moves", axis=1)
        kind = self.onnx.TensorProto.FLOAT
        planes = helper.make_tensor_value_info("planes", kind, ["n", shape.channels, shape.width, shape.height])
        outputs = [helper.make_tensor_value_info(name, kind, ["n"]) for name in ("won", "cleared", "duration")]
        outputs.append(helper.make_tensor_value_info("moves", kind, ["n", shape.slots]))
        return helper.make_graph(self.nodes, f"evalsmith-{shape.game}", [planes], outputs, self.numbers)

    def _node(self, kind: str, inputs: list[str], output: str = "", **options: Any) -> str:
        name = output or f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, inputs, [name], **options))
        return name

    def _number(self, name: str, value: npt.NDArray[Any]) -> str:
        self.numbers.append(self.onnx.numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def _conv(self, x: str, conv: str, norm: str) -> str:
        """A convolution with the norm after it."""
        numbers = {name: self.arrays[name].astype(np.float64) for name in self.arrays if name.startswith((conv, norm))}
        scale = numbers[f"{norm}.weight"] / np.sqrt(numbers[f"{norm}.running_var"] + _EPSILON)
        weight = (numbers[f"{conv}.weight"] * scale[:, None, None, None]).astype(np.float32)
        bias = (numbers[f"{conv}.bias"] - numbers[f"{norm}.running_mean"]) * scale + numbers[f"{norm}.bias"]
        names = [self._number(f"{conv}.weight", weight), self._number(f"{conv}.bias", bias.astype(np.float32))]
        return self._node("Conv", [x, *names], pads=[self.shape.k // 2] * 4, kernel_shape=[self.shape.k] * 2)

    def _relu(self, x: str) -> str:
        return self._node("LeakyRelu", [x], alpha=self.shape.l)

    def _columns(self, x: str, begin: int, end: int) -> str:
        places = [np.array([place], dtype=np.int64) for place in (begin, end, 1)]
        names = [
            self._number(f"{role}{len(self.nodes)}", place)
            for role, place in zip(("from", "to", "axis"), places, strict=True)
        ]
        return self._node("Slice", [x, *names])

    def _column(self, x: str, place: int) -> str:
        axis = self._number(f"squeezed{len(self.nodes)}", np.array([1], dtype=np.int64))
        return self._node("Squeeze", [self._columns(x, place, place + 1), axis])

    def _softplus(self, x: str, output: str) -> None:
        """Softplus, and a straight line from the threshold on."""
        limit = self._number(f"threshold.{output}", np.array(_THRESHOLD, dtype=np.float32))
        steep = self._node("Greater", [x, limit])
        self._node("Where", [steep, x, self._node("Softplus", [x])], output=output)
