"""What a net says of positions, by PyTorch or by onnxruntime, and what the search makes of it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from evalsmith.engine.mcts.together import Leaves
from evalsmith.engine.mcts.utility import HALF_LIFE, PACE
from evalsmith.games import Game
from evalsmith.games.planes import join_alike, planes_of
from evalsmith.net.checkpoint import SUFFIX, file_digest, load_net
from evalsmith.net.shape import NetShape
from evalsmith.net.torch_import import need
from evalsmith.run import InputError

Reals = npt.NDArray[np.float32]
ONNX = ".onnx"
_REMEMBERED = 50_000  # positions whose outputs an evaluator keeps, 2 KB each in Dr. Mario


class Said(NamedTuple):
    """What a net says of some positions, one a row: ``moves`` are distributions over the slots."""

    won: Reals
    cleared: Reals
    duration: Reals
    moves: Reals


class Inference(Protocol):
    """A net that answers; it may be asked by several threads."""

    shape: NetShape

    def say(self, planes: npt.NDArray[np.uint8]) -> Said:
        """Its outputs for positions × channels × x × y of 0 and 1."""


class TorchInference:
    """A net of PyTorch; each thread that asks uses one core. With ``bfloat16`` its layers of cells use 16 bits."""

    def __init__(self, net: Any, bfloat16: bool = False) -> None:
        from evalsmith.net.model import folded, torch  # PyTorch comes with it

        self._torch, self.shape, self._net = torch, net.shape, folded(net)
        self._net.bfloat16 = bfloat16

    def say(self, planes: npt.NDArray[np.uint8]) -> Said:
        """Its outputs."""
        torch = self._torch
        torch.set_num_threads(1)  # of this thread; several threads, each with its batch, use all cores
        with torch.inference_mode():
            given = torch.from_numpy(planes).float().contiguous(memory_format=torch.channels_last)
            out = self._net(given)
            return Said(out.won.numpy(), out.cleared.numpy(), out.duration.numpy(), out.moves.numpy())


class OnnxInference:
    """An exported net; it takes onnxruntime and no PyTorch."""

    def __init__(self, path: Path, game: Game | None = None) -> None:
        runtime = need("onnxruntime", f"the net {path}")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the package has errors of its own, which are no common class
            raise InputError(f"{path} is not an ONNX net: {str(error).splitlines()[0]}") from None
        metadata = self._session.get_modelmeta().custom_metadata_map
        self.shape, _ = NetShape.from_metadata(metadata, str(path))
        if game is not None:
            self.shape.check(game, str(path))

    def say(self, planes: npt.NDArray[np.uint8]) -> Said:
        """Its outputs."""
        return Said(*self._session.run(None, {"planes": np.ascontiguousarray(planes, dtype=np.float32)}))


def open_net(path: Path | str, game: Game | None = None, bfloat16: bool = False) -> Inference:
    """The net of a file: a checkpoint (safetensors, by PyTorch) or an export (ONNX, by onnxruntime)."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path} does not exist" if not path.exists() else f"{path} is not a file")
    if path.suffix == ONNX:
        return OnnxInference(path, game)
    if path.suffix != SUFFIX:
        raise InputError(f"a net is a file with the suffix {SUFFIX} or {ONNX}, not {path}")
    return TorchInference(load_net(path, game), bfloat16)


def shared_net(path: Path, game: Game, bfloat16: bool = False) -> Inference:
    """The net of a file, opened once for all workers of a process."""
    return _open_once(path, file_digest(path) if path.is_file() else "", game, bfloat16)


@functools.lru_cache(maxsize=2)
def _open_once(path: Path, digest: str, game: Game, bfloat16: bool) -> Inference:
    return open_net(path, game, bfloat16)


class NetEvaluator:
    """Evaluates leaves of trees by a net.

    The value of a game for two is ``won``. In a game for one it says how much quicker the game is than the net expected
    at the root, where it is won, and what it clears where it is lost (`evalsmith.engine.mcts.utility`). Positions that
    look alike (those that differ in what planes leave out) are asked once: what was said is remembered.
    """

    def __init__(self, game: Game, net: Inference) -> None:
        net.shape.check(game, "the net")
        self.game, self.net = game, net
        self.planes = planes_of(game)
        self._known: dict[bytes, int] = {}
        self._outputs: list[tuple[float, float, float, npt.NDArray[np.float64]]] = []
        self.asked = self.answered = 0

    def __call__(self, leaves: Leaves) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Values for the side to move, and distributions over slots."""
        won, cleared, duration, policy = self._ask(leaves.positions)
        if self.planes.left is None:
            return won, policy
        left = self.planes.count_left(leaves.positions)
        gone = leaves.base_left - left + np.minimum(cleared, left)
        moves, chances = leaves.moves + duration, (1 + won) / 2
        if leaves.expected.any():
            return paces(leaves.expected, leaves.base_left, gone, moves, chances), policy
        return utilities(leaves.base_left, gone, moves, chances), policy

    def expect(self, positions: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """Moves to the end of games for one, as the net expects them; 0 in games for two."""
        if self.planes.left is None:
            return np.zeros(len(positions))
        return np.maximum(self._ask(positions)[2], 1.0)

    def _ask(self, positions: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.float64], ...]:
        """The four outputs for each position."""
        packed = self.planes.look(positions)
        self._learn(positions, packed)
        outputs = [self._outputs[self._known[row.tobytes()]] for row in packed]
        return (*(np.array([one[i] for one in outputs]) for i in range(3)), np.stack([one[3] for one in outputs]))

    def _learn(self, rows: npt.NDArray[np.uint64], packed: npt.NDArray[np.uint64]) -> None:
        """Ask the net about the positions that are not known."""
        if len(self._known) > _REMEMBERED:
            self._known, self._outputs = {}, []
        wanted: dict[bytes, int] = {}
        for number, row in enumerate(packed):
            key = row.tobytes()
            if key not in self._known and key not in wanted:
                wanted[key] = number
        self.asked, self.answered = self.asked + len(rows), self.answered + len(wanted)
        if not wanted:
            return
        chosen = np.fromiter(wanted.values(), dtype=np.intp)
        said = self.net.say(self.planes.unpack(packed[chosen]))
        moves = join_alike(self.game, rows[chosen], said.moves.astype(np.float64))
        for number, key in enumerate(wanted):
            self._known[key] = len(self._outputs)
            self._outputs.append(
                (float(said.won[number]), float(said.cleared[number]), float(said.duration[number]), moves[number])
            )


def utilities(left: Any, cleared: Any, moves: Any, won: Any) -> npt.NDArray[np.float64]:
    """`evalsmith.engine.mcts.utility.utility` of many."""
    late = moves / (moves + HALF_LIFE)
    ending = won * (1 - late) + (1 - won) * late
    found: npt.NDArray[np.float64] = np.clip(2 * (cleared + ending) / (left + 1) - 1, -1.0, 1.0)
    return found


def paces(expected: Any, left: Any, cleared: Any, moves: Any, won: Any) -> npt.NDArray[np.float64]:
    """`evalsmith.engine.mcts.utility.pace` of many."""
    quick = 0.5 + 0.5 * np.tanh((expected - moves) / PACE)
    found: npt.NDArray[np.float64] = won * quick + (1 - won) * (np.minimum(cleared / np.maximum(left, 1), 1.0) - 1)
    return found
