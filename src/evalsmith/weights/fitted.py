"""Weights that a game ships: fitted ones, packed into a file beside its rules.

    8 bytes    FITTED01
    4 bytes    length of the header, little endian
    header     JSON: game, rules version, digest of the layout, quantum, provenance, digest of all this and the weights
    rest       the weights, zlib

Weights are whole multiples of ``quantum``. Each column is stored as its difference from the one before it of the same
parity, because neighbouring stages are alike; as 16 bits, low bytes before high ones, because the high ones are almost
all zero.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import numpy as np

from evalsmith.games import Game
from evalsmith.run import InputError, MismatchError, write_bytes
from evalsmith.weights.file import Weights, linear_only
from evalsmith.weights.layout import Layout
from evalsmith.weights.probcut import layout_digest, read_probcut

NAME = "fitted.weights"
MAGIC = b"FITTED01"
QUANTUM = 4  # a sum of 67 weights is then off by a tenth of a disc
_LENGTH = struct.Struct("<I")
_LONGEST_HEADER = 1 << 20
_STEP = 2  # columns; neighbours of the same parity


def _file(game: Game) -> tuple[str, Traversable]:
    """The package of a game, and where its fitted weights would be; imports none of its modules."""
    package = resolve_name(game.rules, game.package).rpartition(".")[0]
    return package, resources.files(package) / NAME


def ships_fitted(game: Game) -> bool:
    """Whether a game ships fitted weights."""
    return _file(game)[1].is_file()


def fitted_weights(game: Game) -> Weights | None:
    """The fitted weights that a game ships, or None where it ships none."""
    package, file = _file(game)
    return unpack(file.read_bytes(), game, f"{package}/{NAME}") if file.is_file() else None


def write_fitted(weights: Weights, path: Path, quantum: int = QUANTUM) -> int:
    """Pack weights into a file, in one step; its bytes."""
    content = pack(weights, quantum)
    write_bytes(path, content)
    return len(content)


def pack(weights: Weights, quantum: int = QUANTUM) -> bytes:
    """The file's content; weights are rounded to multiples of the quantum."""
    linear_only(weights, "packed files hold")
    units = np.rint(weights.values / quantum).astype(np.int64)
    steps = units.copy()
    steps[_STEP:] -= units[:-_STEP]
    if np.abs(steps).max(initial=0) > np.iinfo(np.int16).max:
        largest = np.abs(weights.values).max()
        raise InputError(
            f"weights of up to {largest} in steps of {quantum} do not fit into 16 bits; use a larger quantum"
        )
    planes = np.ascontiguousarray(steps.astype("<i2")).view(np.uint8).reshape(-1, 2).T
    raw = np.ascontiguousarray(planes).tobytes()
    header = {
        "game": weights.game.name,
        "rules_version": weights.game.rules_version,
        "layout": layout_digest(weights.layout),
        "quantum": quantum,
        "name": weights.name,
        "provenance": weights.provenance,
    }
    if weights.probcut is not None:
        header["probcut"] = weights.probcut.to_json()
    header["digest"] = _file_digest(header, raw)
    head = json.dumps(header, sort_keys=True).encode()
    return MAGIC + _LENGTH.pack(len(head)) + head + zlib.compress(raw, 9)


def unpack(content: bytes, game: Game, where: str) -> Weights:
    """The weights of a file's content; what is damaged or made for something else is refused by name."""
    header, body = _header(content, where)
    if header.get("game") != game.name:
        raise MismatchError(f"{where} holds weights of {header.get('game')}, not of {game.name}")
    if header.get("rules_version") != game.rules_version:
        raise MismatchError(
            f"{where} was made for rules version {header.get('rules_version')} of {game.name}; "
            f"this is version {game.rules_version}"
        )
    layout = Layout.of(game)
    if header.get("layout") != layout_digest(layout):
        raise MismatchError(f"{where} was made for other features or columns than {game.name} has now")
    quantum = header.get("quantum")
    if not isinstance(quantum, int) or isinstance(quantum, bool) or not 0 < quantum < 1 << 15:
        raise InputError(f"{where}: the quantum is {quantum!r}, not a whole number above 0")
    shape = (len(layout.columns), layout.size)
    raw = _raw(body, 2 * shape[0] * shape[1], where)
    if _file_digest(header, raw) != header.get("digest"):
        raise InputError(f"{where} is damaged: the checksum of its weights is wrong")
    planes = np.frombuffer(raw, dtype=np.uint8).reshape(2, -1)
    units = (planes[1].view(np.int8).astype(np.int32) * 256 + planes[0]).reshape(shape)
    for parity in range(_STEP):
        np.cumsum(units[parity::_STEP], axis=0, out=units[parity::_STEP])
    units *= quantum
    name, provenance = header.get("name"), header.get("provenance")
    return Weights(
        game,
        units,
        name if isinstance(name, str) else "fitted",
        provenance if isinstance(provenance, dict) else {},
        read_probcut(header.get("probcut"), layout, where),
    )


def _header(content: bytes, where: str) -> tuple[dict[str, Any], bytes]:
    if not content.startswith(MAGIC):
        raise InputError(f"{where} is not a file of fitted weights: it does not begin with {MAGIC.decode()}")
    begin = len(MAGIC) + _LENGTH.size
    if len(content) < begin:
        raise InputError(f"{where} is cut off in its header")
    length = _LENGTH.unpack_from(content, len(MAGIC))[0]
    if length > _LONGEST_HEADER or len(content) < begin + length:
        raise InputError(f"{where} is cut off in its header")
    try:
        header = json.loads(content[begin : begin + length])
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} has a damaged header: {error}") from None
    if not isinstance(header, dict):
        raise InputError(f"{where} has a damaged header: it is not an object")
    return header, content[begin + length :]


def _raw(body: bytes, wanted: int, where: str) -> bytes:
    """The bytes of the weights; one more than wanted tells a file that is too long, and bounds what it can fill."""
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(body, wanted + 1)
    except zlib.error as error:
        raise InputError(f"{where} is damaged: {error}") from None
    if len(raw) != wanted or not stream.eof:
        raise InputError(f"{where} does not hold the expected {wanted // 2:,} weights")
    return raw


def _file_digest(header: dict[str, Any], raw: bytes) -> str:
    """Of all that the file says."""
    rest = {name: value for name, value in header.items() if name != "digest"}
    return _digest(json.dumps(rest, sort_keys=True).encode() + raw)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()
