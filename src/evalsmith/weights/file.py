"""Weights: the numbers, their layout, where they came from; and the file ``weights.json`` that holds them.

Small features stand in the file as lists that a person can read and edit. Features above ``PACKED_FROM`` weights
are packed (int32, little endian, zlib, base64), because a column of Othello has 143,947 numbers.
"""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import json
import zlib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context
from evalsmith.games import Game, contract, find_game
from evalsmith.run import InputError, MismatchError, write_text
from evalsmith.weights.layout import Layout
from evalsmith.weights.probcut import ProbCut, check_probcut, read_probcut
from evalsmith.weights.value_net import ValueNet, check_value_net, read_value_net

FORMAT = "evalsmith-weights"
VERSION = 1
PACKED_FROM = 2000
PACKING = "int32 little-endian, zlib, base64"


@dataclass(frozen=True, eq=False, repr=False)
class Weights:
    """Engine weights: int32 hundredths, one row per column, together with the layout that names them.

    A ``net`` may correct the linear evaluation or stand in its place; ``values`` are always the linear weights.
    """

    game: Game
    values: npt.NDArray[np.int32]
    name: str = "weights"
    provenance: dict[str, Any] = field(default_factory=dict)
    probcut: ProbCut | None = None
    net: ValueNet | None = None

    def __post_init__(self) -> None:
        expected = (len(self.layout.columns), self.layout.size)
        if self.values.shape != expected or self.values.dtype != np.int32:
            raise ValueError(
                f"weights of {self.game.name} are int32 {expected}, not {self.values.dtype} {self.values.shape}"
            )
        if self.probcut is not None:
            check_probcut(self.probcut, self.layout, self.name)
        if self.net is not None:
            check_value_net(self.net, self.game, self.name)

    def __repr__(self) -> str:
        net = "" if self.net is None else f", {self.net}"
        return f"<{self.game.name} weights {self.name!r}: {len(self.layout.columns)} × {self.layout.size:,}{net}>"

    def __getstate__(self) -> dict[str, Any]:
        # What follows from the numbers is made again where they arrive.
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @functools.cached_property
    def layout(self) -> Layout:
        """What every number is called."""
        return Layout.of(self.game)

    @functools.cached_property
    def engine_row(self) -> npt.NDArray[np.int32]:
        """The weights as the game's evaluation reads them in a search."""
        engine = self.game.evaluation.engine
        return engine(self.values) if engine else np.ascontiguousarray(self.values).reshape(-1)

    @functools.cached_property
    def digest(self) -> str:
        """A hash of the numbers: what tells two sets of one name apart."""
        found = hashlib.blake2b(np.ascontiguousarray(self.values).data, digest_size=8)
        if self.probcut is not None:
            found.update(json.dumps(self.probcut.to_json(), sort_keys=True).encode())
        if self.net is not None:
            found.update(self.net.digest())
        return found.hexdigest()

    def attach(self, context: Context, *, by_definition: bool = False) -> None:
        """Give a context these weights.

        ``by_definition`` sums the terms, even where a game has a fused evaluation or the weights a net.
        """
        if self.game.hook("own") is not None:
            self._bind_terms(context)
        row = np.ascontiguousarray(self.values).reshape(-1) if by_definition else self.engine_row
        context.attach(contract.WEIGHTS, row)
        context.attach(contract.BLEND, self.layout.blend_rows())
        context.row[contract.SCALE] = self.layout.scale
        context.row[contract.WIDTH] = self.layout.size
        if self.net is not None and not by_definition:
            self.net.attach(context, self.game)

    def _bind_terms(self, context: Context) -> None:
        """Evaluate by other terms than the game's own, which stand in the contexts it makes."""
        for name, slot in (("terms", contract.TERMS), ("phase", contract.PHASE), ("evaluate", contract.EVALUATE)):
            context.bind(slot, getattr(self.game.terms_module, name))
        context.attach(contract.TERM_INDEX, np.zeros(self.game.max_terms, dtype=np.int32))
        context.attach(contract.TERM_VALUE, np.zeros(self.game.max_terms, dtype=np.int16))


def starting_weights(game: Game) -> Weights:
    """The game's hand-set weights."""
    return Weights(game, game.evaluation.starting(), "hand-set", {"made": "hand-set"})


def zero_weights(game: Game) -> Weights:
    """Weights that know nothing: a game's start where nobody set any by hand."""
    return Weights(game, np.zeros_like(game.evaluation.starting()), "zero", {"made": "all zero"})


def own_terms(weights: Weights, what: str) -> None:
    """Refuse weights of another program's terms where a file has no place for them."""
    if weights.game.hook("own") is not None:
        raise InputError(
            f"{weights.name} has another program's terms; {what} hold only weights of {weights.game.title}'s own terms"
        )


def linear_only(weights: Weights, what: str) -> Weights:
    """The weights, where they are linear; those with a net are refused by whoever has no place for it."""
    if weights.net is not None:
        raise InputError(f"{weights.name} has {weights.net} over its linear weights; {what} only linear ones")
    return weights


def save_weights(weights: Weights, path: Path) -> None:
    """Write ``weights.json`` in one step."""
    own_terms(weights, "weights files")
    layout = weights.layout
    numbers: dict[str, Any] = {}
    for name, size in layout.features:
        block = weights.values[:, layout.slice_of(name)]
        if size < PACKED_FROM:
            numbers[name] = block.tolist()
        else:
            packed = zlib.compress(np.ascontiguousarray(block, dtype="<i4").tobytes(), 6)
            numbers[name] = {"packing": PACKING, "data": base64.b64encode(packed).decode()}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "game": layout.game,
        "rules_version": layout.rules_version,
        "unit": weights.game.unit,
        "name": weights.name,
        "provenance": weights.provenance,
    }
    if weights.probcut is not None:
        head["probcut"] = weights.probcut.to_json()
    if weights.net is not None:
        head["net"] = weights.net.to_json()
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    lines.append(f' "layout": {json.dumps(layout.to_json())},')
    lines.append(' "weights": {')
    lines.append(",\n".join(f"  {json.dumps(name)}: {json.dumps(block)}" for name, block in numbers.items()))
    write_text(path, "\n".join(["{", *lines, " }", "}"]) + "\n")


def read_weights_file(path: Path, game: Game | None = None) -> Weights:
    """Read ``weights.json``; a file of another game, rules version or layout is refused by name."""
    document = _read(path)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'{path} is not a weights file: it lacks "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise MismatchError(
            f"{path} is version {document.get('version')} of the weights file; this is version {VERSION}"
        )
    name = document.get("game")
    if game is not None and name != game.name:
        raise MismatchError(f"{path} holds weights of {name}, not of {game.name}")
    game = game or find_game(str(name))
    if document.get("rules_version") != game.rules_version:
        raise MismatchError(
            f"{path} was made for rules version {document.get('rules_version')} of {game.name}; "
            f"this is version {game.rules_version}"
        )
    layout = Layout.of(game)
    given = document.get("layout")
    difference = layout.differences(given if isinstance(given, dict) else {})
    if difference:
        raise MismatchError(f"{path} does not fit {game.name}: {difference}")
    values = np.zeros((len(layout.columns), layout.size), dtype=np.int32)
    blocks = document.get("weights")
    for feature, size in layout.features:
        block = blocks.get(feature) if isinstance(blocks, dict) else None
        values[:, layout.slice_of(feature)] = _block(path, feature, block, (len(layout.columns), size))
    provenance = document.get("provenance")
    title = document.get("name")
    return Weights(
        game,
        values,
        title if isinstance(title, str) else path.stem,
        provenance if isinstance(provenance, dict) else {},
        read_probcut(document.get("probcut"), layout, str(path)),
        read_value_net(document.get("net"), game, str(path)),
    )


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no weights file {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # also digits without end, which Python refuses to read
        raise InputError(f"{path} is not a weights file: {error}") from None


def _block(path: Path, feature: str, block: Any, shape: tuple[int, int]) -> npt.NDArray[np.int32]:
    """The numbers of one feature, checked."""
    try:
        if isinstance(block, dict):
            if block.get("packing") != PACKING:
                raise InputError(f"{path}: feature {feature} has an unknown packing: {block.get('packing')!r}")
            # One byte more than wanted tells a file that is too long, and bounds what a hostile one can fill.
            wanted = 4 * shape[0] * shape[1]
            stream = zlib.decompressobj()
            raw = stream.decompress(base64.b64decode(block["data"], validate=True), wanted + 1)
            if len(raw) != wanted or not stream.eof:
                raise InputError(f"{path}: feature {feature} does not have {shape[0]} × {shape[1]} weights")
            return np.frombuffer(raw, dtype="<i4").reshape(shape).astype(np.int32)
        numbers = np.array(block)
        if numbers.shape != shape or numbers.dtype.kind != "i":
            raise InputError(f"{path}: feature {feature} should be {shape[0]} lists of {shape[1]} whole numbers")
        if numbers.size and (numbers.max() > 2**31 - 1 or numbers.min() < -(2**31)):
            raise InputError(f"{path}: feature {feature} has a weight beyond 32 bits")
        return numbers.astype(np.int32)
    except (KeyError, TypeError, ValueError, binascii.Error, zlib.error) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: feature {feature} is damaged: {error}") from None
