"""Nets as files: safetensors, numbers with a description. Nothing in such a file is ever executed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import Game
from evalsmith.net.shape import NetShape
from evalsmith.net.torch_import import need
from evalsmith.run import InputError, write_bytes

SUFFIX = ".safetensors"
Arrays = Mapping[str, npt.NDArray[Any]]


def write_checkpoint(path: Path, shape: NetShape, arrays: Arrays, facts: dict[str, Any]) -> None:
    """Write a net in one step."""
    save = need("safetensors.numpy", "a checkpoint").save
    ordered = {name: np.array(arrays[name], order="C") for name in sorted(arrays)}
    write_bytes(path, save(ordered, metadata=shape.to_metadata(facts)))


def read_checkpoint(
    path: Path, game: Game | None = None
) -> tuple[NetShape, dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """The shape, the numbers and the facts of a net; whatever is wrong with the file is named."""
    open_file = need("safetensors", "a checkpoint").safe_open
    try:
        with open_file(str(path), framework="numpy") as file:
            shape, facts = NetShape.from_metadata(file.metadata(), str(path))
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (no mapping)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except InputError:
        raise
    except Exception as error:  # the package has errors of its own, which are no common class
        raise InputError(f"{path} is not a checkpoint: {error}") from None
    if game is not None:
        shape.check(game, str(path))
    return shape, arrays, facts


def refuse_other_shape(path: Path, options: Mapping[str, Any]) -> None:
    """Refuse options that ask for another shape than that of the net that a training starts from."""
    shape = read_checkpoint(path)[0]
    for name in ("k", "f", "r", "l"):
        has = getattr(shape, name)
        if name in options and options[name] != has:
            raise InputError(
                f"{path} has {name}={has}, and a net that starts from it keeps that; leave out --{name} {options[name]}"
            )


def load_net(path: Path, game: Game | None = None) -> Any:
    """The net of a checkpoint, for PyTorch."""
    from evalsmith.net.model import Net, torch  # PyTorch comes with it

    shape, arrays, _ = read_checkpoint(path, game)
    net = Net(shape)
    wanted = {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()}
    for name in sorted(wanted.keys() | arrays.keys()):
        given = arrays[name].shape if name in arrays else None
        if name not in wanted or given != wanted[name]:
            expected = wanted.get(name, "nothing")
            raise InputError(f"{path} is of another shape: {name} should have {expected}, and has {given or 'nothing'}")
        if not np.isfinite(arrays[name]).all():
            raise InputError(f"{path} is damaged: {name} holds numbers that are not finite")
    net.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})
    return net.eval()


def save_net(path: Path, net: Any, facts: dict[str, Any]) -> None:
    """Write the net of PyTorch."""
    arrays = {name: tensor.detach().cpu().numpy() for name, tensor in net.state_dict().items()}
    write_checkpoint(path, net.shape, arrays, facts)


def file_digest(path: Path) -> str:
    """A hash of a file, by which runs know their nets."""
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
