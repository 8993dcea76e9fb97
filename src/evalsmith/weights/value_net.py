"""A small quantised net over linear weights: integers, their file, and what they come to.

    inputs     the cells of the game's planes, 0 or 1, as the mover sees them, and as the enemy does if planes say how
    first      bias + the rows of all cells that are 1; held between 0 and 1,023; for each view with the same numbers
    value      (bias + Σ first·weight) shifted by ``shift``, in the game's unit, for the mover

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
from evalsmith.weights.value_kernel import ONE

PACKING = "little-endian, zlib, base64"
MAX_UNITS = 256
MAX_BUCKETS = 64
_NARROW, _WIDE = np.dtype("<i2"), np.dtype("<i4")


@dataclass(frozen=True, eq=False)
class ValueNet:
    """The numbers of a net; ``names`` are the planes that it sees, ``most_bits`` how many bits the last bucket has.

    ``first`` is inputs × units, ``last`` buckets × units of all views, the mover's first; ``biases`` are those of the
    first layer and the buckets, one after another.
    """

    names: tuple[str, ...]
    first: npt.NDArray[np.int16]
    last: npt.NDArray[np.int16]
    biases: npt.NDArray[np.int32]
    shift: int
    most_bits: int
    alone: bool = False

    @property
    def units(self) -> int:
        """The units of the hidden layer, for one view."""
        found: int = self.first.shape[1]
        return found

    @property
    def views(self) -> int:
        """From how many sides the net looks: one, or two."""
        found: int = self.last.shape[1] // self.units
        return found

    @property
    def buckets(self) -> int:
        """How many rows the last layer has."""
        return len(self.last)

    @property
    def count(self) -> int:
        """How many numbers were learned."""
        return self.first.size + self.last.size + self.biases.size

    def __str__(self) -> str:
        views = "2 × " if self.views == 2 else ""
        return f"a net of {len(self.first)} × {views}{self.units} × {self.buckets}{' alone' if self.alone else ''}"

    def value(self, *views: npt.NDArray[np.uint64]) -> int:
        """What the net says of one position, without the linear evaluation: of its planes as words, for each view."""
        bits = [np.unpackbits(np.ascontiguousarray(view).view(np.uint8), bitorder="little") for view in views]
        first, last, biases = (part.astype(np.int64) for part in (self.first, self.last, self.biases))
        held = [np.clip(biases[: self.units] + first[each.astype(bool)].sum(axis=0), 0, ONE) for each in bits]
        bucket = min(int(bits[0].sum()) * self.buckets // self.most_bits, self.buckets - 1)
        return int(biases[self.units + bucket] + np.concatenate(held) @ last[bucket]) >> self.shift

    def digest(self) -> bytes:
        """A hash of all numbers."""
        found = hashlib.blake2b(repr((self.names, self.shift, self.most_bits, self.alone)).encode(), digest_size=8)
        for part in (self.first, self.last, self.biases):
            found.update(repr(part.shape).encode() + np.ascontiguousarray(part).tobytes())
        return found.digest()

    def attach(self, context: Context, game: Game) -> None:
        """Let a context evaluate by this net; the linear weights are attached by whoever has them."""
        planes, units = planes_of(game), self.units
        shape = np.zeros(value_kernel.SHAPE_SIZE, dtype=np.int64)
        shape[value_kernel.ALONE], shape[value_kernel.FILL] = int(self.alone), address(planes.fill)
        shape[value_kernel.ENEMY] = address(planes.enemy) if planes.enemy and self.views == 2 else 0
        shape[value_kernel.WORDS], shape[value_kernel.UNITS] = planes.words, units
        shape[value_kernel.BUCKETS], shape[value_kernel.MOST_BITS] = self.buckets, self.most_bits
        shape[value_kernel.SHIFT] = self.shift
        context.attach(contract.NET_SHAPE, shape)
        for slot, part in ((contract.NET_FIRST, self.first), (contract.NET_LAST, self.last)):
            context.attach(slot, np.ascontiguousarray(part, dtype=np.int16).reshape(-1))
        context.attach(contract.NET_BIASES, np.ascontiguousarray(self.biases, dtype=np.int32))
        # What either side saw last, at first an empty board, and room for what it sees now.
        context.attach(contract.NET_PLANES, np.zeros(3 * planes.words, dtype=np.uint64))
        context.attach(contract.NET_SUMS, np.tile(self.biases[:units], 2).astype(np.int32))
        context.bind(contract.NET, value_kernel.evaluate_net)

    def to_json(self) -> dict[str, Any]:
        """The net as a weights file stores it."""
        return {
            "planes": list(self.names),
            "units": self.units,
            "views": self.views,
            "buckets": self.buckets,
            "most_bits": self.most_bits,
            "shift": self.shift,
            "alone": self.alone,
            "packing": PACKING,
            "first": _packed(self.first, _NARROW),
            "last": _packed(self.last, _NARROW),
            "biases": _packed(self.biases, _WIDE),
        }


def check_value_net(net: ValueNet, game: Game, where: str) -> None:
    """Refuse a net that does not fit the game, or whose sums a kernel could not hold."""
    planes = planes_of(game)
    if net.names != planes.names:
        raise MismatchError(f"{where}: its net sees {', '.join(net.names)}; {game.title} has {', '.join(planes.names)}")
    units, most_views = net.units, 1 if planes.enemy is None else 2
    if units % LANES or not LANES <= units <= MAX_UNITS:
        raise InputError(f"{where}: a hidden layer has a multiple of {LANES} units up to {MAX_UNITS}, not {units}")
    wanted = (planes.words * WORD, units), (net.buckets, net.views * units), (units + net.buckets,)
    given = net.first.shape, net.last.shape, net.biases.shape
    if given != wanted or not 1 <= net.views <= most_views:
        raise InputError(f"{where}: its net should have numbers of the shapes {wanted}, and has {given}")
    if not (1 <= net.buckets <= MAX_BUCKETS and 1 <= net.most_bits <= planes.words * WORD and 0 <= net.shift <= 30):
        raise InputError(f"{where}: its net has {net.buckets} buckets, {net.most_bits} bits and a shift of {net.shift}")
    wide = np.abs(net.biases[:units].astype(np.int64)) + np.abs(net.first.astype(np.int64)).sum(axis=0)
    if wide.max() >= 2**31:
        raise InputError(f"{where}: sums of its net could exceed 32 bits")


def read_value_net(given: Any, game: Game, where: str) -> ValueNet | None:
    """The net of a weights file; None where it has none."""
    if given is None:
        return None
    try:
        if given["packing"] != PACKING:
            raise InputError(f"{where}: its net has an unknown packing: {given['packing']!r}")
        units, views = _whole(given["units"], MAX_UNITS), _whole(given["views"], 2)
        buckets, inputs = _whole(given["buckets"], MAX_BUCKETS), planes_of(game).words * WORD
        made = ValueNet(
            tuple(str(name) for name in given["planes"]),
            _unpacked(given["first"], _NARROW, (inputs, units)),
            _unpacked(given["last"], _NARROW, (buckets, views * units)),
            _unpacked(given["biases"], _WIDE, (units + buckets,)),
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
