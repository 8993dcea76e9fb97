"""A small quantised net over linear weights: integers, their file, and what they come to.

    inputs     the cells of the game's planes, 0 or 1
    first      bias + the rows of all cells that are 1; held between 0 and 255
    second     bias + Σ first·weight, shifted by 8; held between 0 and 255
    value      (bias + Σ second·weight) shifted by ``shift``, in the game's unit, for the mover

Weights have 16 bits, sums 32. The last layer has several rows (``buckets``): which one counts depends on how many bits
the planes have, as the parts of a game differ. The value is added to the linear evaluation, or with ``alone`` stands in
its place. `value` is the definition; `evalsmith.weights.value_kernel` is the same in the search.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import LANES, Context, address
from evalsmith.games import Game, contract
from evalsmith.games.planes import WORD, planes_of
from evalsmith.run import InputError, MismatchError
from evalsmith.weights import value_kernel
from evalsmith.weights.value_kernel import ONE, SECOND_SHIFT

PACKING = "little-endian, zlib, base64"
MAX_UNITS = 256
MAX_BUCKETS = 64
_NARROW, _WIDE = np.dtype("<i2"), np.dtype("<i4")


@dataclass(frozen=True, eq=False)
class ValueNet:
    """The numbers of a net; ``names`` are the planes that it sees, ``most_bits`` how many bits the last bucket has.

    ``first`` is inputs × units, ``second`` units × units, ``last`` buckets × units; ``biases`` are those of the first
    layer, the second and the buckets, one after another.
    """

    names: tuple[str, ...]
    first: npt.NDArray[np.int16]
    second: npt.NDArray[np.int16]
    last: npt.NDArray[np.int16]
    biases: npt.NDArray[np.int32]
    shift: int
    most_bits: int
    alone: bool = False

    @property
    def units(self) -> tuple[int, int]:
        """The units of the two hidden layers."""
        return self.second.shape[0], self.second.shape[1]

    @property
    def buckets(self) -> int:
        """How many rows the last layer has."""
        return len(self.last)

    @property
    def count(self) -> int:
        """How many numbers were learned."""
        return self.first.size + self.second.size + self.last.size + self.biases.size

    def __str__(self) -> str:
        inputs, (first, second) = len(self.first), self.units
        return f"a net of {inputs} × {first} × {second} × {self.buckets}{' alone' if self.alone else ''}"

    def value(self, planes: npt.NDArray[np.uint64]) -> int:
        """What the net says of the planes of one position, as words; without the linear evaluation."""
        bits = np.unpackbits(np.ascontiguousarray(planes).view(np.uint8), bitorder="little").astype(bool)
        first, second = self.units
        wide = [part.astype(np.int64) for part in (self.first, self.second, self.last, self.biases)]
        hidden = np.clip(wide[3][:first] + wide[0][bits].sum(axis=0), 0, ONE)
        later = np.clip((wide[3][first : first + second] + hidden @ wide[1]) >> SECOND_SHIFT, 0, ONE)
        bucket = min(int(bits.sum()) * self.buckets // self.most_bits, self.buckets - 1)
        return int(wide[3][first + second + bucket] + later @ wide[2][bucket]) >> self.shift

    def digest(self) -> bytes:
        """A hash of all numbers."""
        found = hashlib.blake2b(repr((self.names, self.shift, self.most_bits, self.alone)).encode(), digest_size=8)
        for part in (self.first, self.second, self.last, self.biases):
            found.update(repr(part.shape).encode() + np.ascontiguousarray(part).tobytes())
        return found.digest()

    def attach(self, context: Context, game: Game) -> None:
        """Let a context evaluate by this net; the linear weights are attached by whoever has them."""
        planes, (first, second) = planes_of(game), self.units
        shape = np.zeros(value_kernel.SHAPE_SIZE, dtype=np.int64)
        shape[value_kernel.ALONE], shape[value_kernel.FILL] = int(self.alone), address(planes.fill)
        shape[value_kernel.WORDS], shape[value_kernel.BUCKETS] = planes.words, self.buckets
        shape[value_kernel.FIRST], shape[value_kernel.SECOND] = first, second
        shape[value_kernel.MOST_BITS], shape[value_kernel.SHIFT] = self.most_bits, self.shift
        context.attach(contract.NET_SHAPE, shape)
        for slot, part in (
            (contract.NET_FIRST, self.first),
            (contract.NET_SECOND, self.second),
            (contract.NET_LAST, self.last),
        ):
            context.attach(slot, np.ascontiguousarray(part, dtype=np.int16).reshape(-1))
        context.attach(contract.NET_BIASES, np.ascontiguousarray(self.biases, dtype=np.int32))
        context.attach(contract.NET_PLANES, np.zeros(planes.words, dtype=np.uint64))
        context.attach(contract.NET_SUMS, np.zeros(first + second, dtype=np.int32))
        context.bind(contract.NET, value_kernel.evaluate_net)

    def to_json(self) -> dict[str, Any]:
        """The net as a weights file stores it."""
        return {
            "planes": list(self.names),
            "units": list(self.units),
            "buckets": self.buckets,
            "most_bits": self.most_bits,
            "shift": self.shift,
            "alone": self.alone,
            "packing": PACKING,
            "first": _packed(self.first, _NARROW),
            "second": _packed(self.second, _NARROW),
            "last": _packed(self.last, _NARROW),
            "biases": _packed(self.biases, _WIDE),
        }


def check_value_net(net: ValueNet, game: Game, where: str) -> None:
    """Refuse a net that does not fit the game, or whose sums a kernel could not hold."""
    planes = planes_of(game)
    if net.names != planes.names:
        raise MismatchError(f"{where}: its net sees {', '.join(net.names)}; {game.title} has {', '.join(planes.names)}")
    first, second = net.units
    good = first % LANES == second % LANES == 0 and min(first, second) >= LANES and max(first, second) <= MAX_UNITS
    if not good:
        raise InputError(f"{where}: hidden layers have multiples of {LANES} units up to {MAX_UNITS}, not {net.units}")
    wanted = ((planes.words * WORD, first), (first, second), (net.buckets, second), (first + second + net.buckets,))
    given = net.first.shape, net.second.shape, net.last.shape, net.biases.shape
    if given != wanted:
        raise InputError(f"{where}: its net should have numbers of the shapes {wanted}, and has {given}")
    if not (1 <= net.buckets <= MAX_BUCKETS and 1 <= net.most_bits <= planes.words * WORD and 0 <= net.shift <= 30):
        raise InputError(f"{where}: its net has {net.buckets} buckets, {net.most_bits} bits and a shift of {net.shift}")
    wide = [np.abs(part.astype(np.int64)) for part in (net.first, net.second, net.biases)]
    hidden, later = wide[2][:first] + wide[0].sum(axis=0), wide[2][first:][:second] + ONE * wide[1].sum(axis=0)
    if max(hidden.max(), later.max()) >= 2**31:
        raise InputError(f"{where}: sums of its net could exceed 32 bits")


def read_value_net(given: Any, game: Game, where: str) -> ValueNet | None:
    """The net of a weights file; None where it has none."""
    if given is None:
        return None
    try:
        if given["packing"] != PACKING:
            raise InputError(f"{where}: its net has an unknown packing: {given['packing']!r}")
        first, second = (_whole(each, MAX_UNITS) for each in given["units"])
        buckets, inputs = _whole(given["buckets"], MAX_BUCKETS), planes_of(game).words * WORD
        made = ValueNet(
            tuple(str(name) for name in given["planes"]),
            _unpacked(given["first"], _NARROW, (inputs, first)),
            _unpacked(given["second"], _NARROW, (first, second)),
            _unpacked(given["last"], _NARROW, (buckets, second)),
            _unpacked(given["biases"], _WIDE, (first + second + buckets,)),
            _whole(given["shift"], 30),
            _whole(given["most_bits"], inputs),
            bool(given["alone"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error, zlib.error) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{where}: its net is damaged: {error}") from None
    check_value_net(made, game, where)
    return made


def _whole(given: Any, most: int) -> int:
    if not isinstance(given, int) or not 0 <= given <= most:
        raise ValueError(f"{given!r} is not a whole number up to {most}")
    return given


def _packed(part: npt.NDArray[Any], kind: np.dtype[Any]) -> str:
    return base64.b64encode(zlib.compress(np.ascontiguousarray(part, dtype=kind).tobytes(), 6)).decode()


def _unpacked(text: str, kind: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """The numbers of a packed text; one of another length is refused, however much it would fill."""
    wanted, stream = kind.itemsize * int(np.prod(shape)), zlib.decompressobj()
    raw = stream.decompress(base64.b64decode(text, validate=True), wanted + 1)
    if len(raw) != wanted or not stream.eof:
        raise ValueError(f"{wanted} bytes were expected for the shape {shape}")
    return np.frombuffer(raw, dtype=kind).reshape(shape).astype(kind.newbyteorder("="))
