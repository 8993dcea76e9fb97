"""What a neural net sees of a game: planes of bits, one bit a cell, and slots for its distribution over moves.

A game offers it as the hook ``planes``:

    @plane_kernel
    def fill(position, out):
        ...                      # channel c of a board of up to 64 cells: out[c], the cell (x, y) is bit width·y + x

    PLANES = Planes(fill, width=8, height=8, names=("the mover's discs", "the enemy's discs"))

A channel takes one word for every 64 cells. Kernels write words, which is quick; `Planes.unpack` makes 0 and 1 of them.
The distribution over moves has the game's ``slots``; a move stands at its ``slot``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Words, address, at, caller, driver, int64, kernel, pointer
from evalsmith.games.bulk.bulk import Rows, bulk_of
from evalsmith.games.contract import OVER, WORDS, play_into, slot_of, status_of
from evalsmith.games.game import Game
from evalsmith.run.errors import InputError

Slots: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]

WORD = 64
_fill = caller("void(words, words)")
_count = caller("int64(words)")

plane_kernel = kernel("void(words, words)")
"""Compiles ``fill(position, out)``, which writes all channels of a position."""
count_kernel = kernel("int64(words)")
"""Compiles ``left(position)``: what is left to clear in a game for one."""


@dataclass(frozen=True)
class Image:
    """A change of the position under which play stays the same.

    The share of slot ``i`` goes to slot ``slots[i]``. ``same`` says which positions look the same before and after: of
    those a net can only learn what both images have in common.
    """

    name: str
    rows: Callable[[Rows], Rows]
    slots: Slots
    same: Callable[[Rows], Mask] | None = None


@dataclass(frozen=True)
class Planes:
    """The planes of a game: ``fill`` writes them, ``names`` say what each channel shows.

    ``left``, for a game played alone, counts what is left to clear. ``images`` adds to the symmetries of the game what
    a net may also learn from. ``deferred`` says that what chance reveals changes neither the planes nor the moves of
    the position, only those of the next: then a search need not ask for each outcome. ``canonical`` turns packed planes
    into those of one of their images which leaves all slots as they are, the same for all of these images: a net that
    sees no other learns what it learns for all of them. ``slot_planes`` says that slots are so many planes of cells:
    that of the cell (x, y) is cells·plane + height·x + y. ``as_mover`` says that planes and slots are as the mover sees
    the board: the symmetries of the game, which exchange colours, change neither. ``enemy``, for games for two, writes
    the planes as whoever does not move sees them: the small net of alpha-beta looks at a position from both sides.
    """

    fill: Callable[..., Any]
    width: int
    height: int
    names: tuple[str, ...]
    left: Callable[..., Any] | None = None
    images: Callable[[], tuple[Image, ...]] | None = None
    deferred: bool = False
    canonical: Callable[[Rows], Rows] | None = None
    slot_planes: int = 0
    as_mover: bool = False
    enemy: Callable[..., Any] | None = None

    @property
    def channels(self) -> int:
        """How many planes there are."""
        return len(self.names)

    @property
    def words(self) -> int:
        """How many words one position takes."""
        return self.channels * self._words_of_plane

    @property
    def _words_of_plane(self) -> int:
        return -(-self.width * self.height // WORD)

    def pack(self, rows: Rows, *, enemy: bool = False) -> Rows:
        """The planes of many positions as words, one position a row; as the mover sees them, or the enemy."""
        given = np.ascontiguousarray(rows, dtype=np.uint64)
        out = np.zeros((len(given), self.words), dtype=np.uint64)
        if len(given):
            _fill_many(
                address(self.enemy if enemy and self.enemy else self.fill),
                given.reshape(-1),
                given.shape[1],
                out.reshape(-1),
                self.words,
            )
        return out

    def look(self, rows: Rows) -> Rows:
        """What a net is shown of many positions, as words: their planes, in the canonical image."""
        packed = self.pack(rows)
        return packed if self.canonical is None else self.canonical(packed)

    def unpack(self, packed: Rows) -> npt.NDArray[np.uint8]:
        """Planes as 0 and 1: positions × channels × x × y. A view, in memory y comes before x."""
        cells = self.width * self.height
        each = packed.reshape(len(packed), self.channels, self._words_of_plane)
        bits = np.unpackbits(each.view(np.uint8), axis=2, bitorder="little", count=cells)
        return bits.reshape(len(packed), self.channels, self.height, self.width).swapaxes(2, 3)

    def count_left(self, rows: Rows) -> npt.NDArray[np.int64]:
        """What is left to clear in each position of a game played alone; 0 elsewhere."""
        given = np.ascontiguousarray(rows, dtype=np.uint64)
        out = np.zeros(len(given), dtype=np.int64)
        if self.left is not None and len(given):
            _count_many(address(self.left), given.reshape(-1), given.shape[1], out)
        return out


def planes_of(game: Game) -> Planes:
    """The planes of a game; one that has none is refused."""
    found = game.hook("planes")
    if not isinstance(found, Planes):
        raise InputError(f"{game.title} has no planes, so no net can see it; docs/nets.md says how a game gets them")
    return found


def images_of(game: Game) -> tuple[Image, ...]:
    """All images that a net may learn from, the position itself first; slots are moves in games that have some."""
    whole = np.arange(game.slots)
    found = [Image("identity", lambda rows: rows, whole)]
    bulk, start, planes = bulk_of(game), game.start(), planes_of(game)
    for number, symmetry in enumerate(() if planes.as_mover else game.symmetries()):
        slots = np.array([symmetry.move(start, slot) for slot in range(game.slots)])
        found.append(Image(symmetry.name, lambda rows, number=number: bulk.images(rows)[number], slots))  # type: ignore[misc]
    for extra in (planes.images or tuple)():
        found += [_both(one, extra) for one in found]
    return tuple(found)


def slots_of(game: Game, rows: Rows, moves: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The slots of moves, some for each position; -1 is none."""
    found = np.array(moves, dtype=np.int32, order="C")
    if found.size:
        given = np.ascontiguousarray(rows, dtype=np.uint64)
        _slots_many(game.context().row, given.reshape(-1), found.reshape(-1))
    return found


def play_each(game: Game, rows: Rows, moves: npt.NDArray[np.int32]) -> tuple[Rows, Mask]:
    """The positions after one move each, and which of them are over."""
    given, out = np.ascontiguousarray(rows, dtype=np.uint64), np.zeros_like(rows)
    over = np.zeros(len(given), dtype=np.int64)
    if len(given):
        made = np.ascontiguousarray(moves, dtype=np.int32)
        _play_many(game.context().row, given.reshape(-1), made, out.reshape(-1), over)
    return out, over != 0


def share_alike(game: Game, rows: Rows, policy: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Distributions in which slots that a net cannot tell apart have equal shares: half of both."""
    for image in (planes_of(game).images or tuple)():
        if image.same is not None and (same := image.same(rows)).any():
            policy = policy.copy()
            policy[same] = (policy[same] + policy[same][:, image.slots]) / 2
    return policy


def join_alike(game: Game, rows: Rows, policy: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What `share_alike` divided, together again at each of the slots: of a move that is listed once."""
    for image in (planes_of(game).images or tuple)():
        if image.same is not None and (same := image.same(rows)).any():
            policy = policy.copy()
            policy[same] += policy[same][:, image.slots]
    return policy


def _both(first: Image, second: Image) -> Image:
    """One image after another."""
    name = second.name if first.name == "identity" else f"{first.name}, {second.name}"
    return Image(name, lambda rows: second.rows(first.rows(rows)), second.slots[first.slots])


@driver("void(int64, uint64[::1], int64, uint64[::1], int64)")
def _fill_many(place: int, rows: Words, words: int, out: Words, size: int) -> None:
    count = len(rows) // words
    for i in range(count):
        _fill(place, (at(pointer(rows), i * words), at(pointer(out), i * size)))


@driver("void(int64, uint64[::1], int64, int64[::1])")
def _count_many(place: int, rows: Words, words: int, out: Integers) -> None:
    for i in range(len(out)):
        out[i] = int64(_count(place, (at(pointer(rows), i * words),)))


@driver("void(int64[::1], uint64[::1], int32[::1])")
def _slots_many(context: Integers, rows: Words, moves: Indices) -> None:
    words = context[WORDS]
    count = len(rows) // words
    wide = len(moves) // max(count, 1)
    for i in range(count):
        row = at(pointer(rows), i * words)
        for j in range(i * wide, (i + 1) * wide):
            if moves[j] >= 0:
                moves[j] = slot_of(pointer(context), row, int64(moves[j]))


@driver("void(int64[::1], uint64[::1], int32[::1], uint64[::1], int64[::1])")
def _play_many(context: Integers, rows: Words, moves: Indices, out: Words, over: Integers) -> None:
    words = context[WORDS]
    for i in range(len(moves)):
        after = at(pointer(out), i * words)
        play_into(pointer(context), at(pointer(rows), i * words), int64(moves[i]), after)
        over[i] = int64(status_of(pointer(context), after) == OVER)
