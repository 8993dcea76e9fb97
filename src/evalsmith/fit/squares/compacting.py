"""From positions to compact rows: a first pass finds out which entries there are, a second one writes the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Small, Values, Words, at, driver, helper, int64, pointer
from evalsmith.fit.squares.compact import Compact
from evalsmith.fit.squares.entries import Groups, Offsets, find_folds, grouped, numbered
from evalsmith.games import Game
from evalsmith.games.contract import WORDS, terms_of
from evalsmith.weights import Layout

SAMPLE = 4000  # positions that show which terms may determine which; then all are checked
COUNTED = 8  # one in this number of positions is counted, to find the frequent entries
PIECE = 1 << 16  # positions that a thread takes at once

Rows = npt.NDArray[np.uint64]
Bases = npt.NDArray[np.int32]
Table = npt.NDArray[np.int32]
K = TypeVar("K", np.uint64, np.uint16)
R = TypeVar("R")


def term_bases(game: Game, layout: Layout) -> Bases | None:
    """Where the feature of each term begins, if the game emits the same terms for every position."""
    terms = game.evaluation.terms
    if terms is None or not layout.sliced or any(size > 1 << 16 for _, size in layout.features):
        return None
    return np.array([layout.slice_of(feature).start for _, feature in terms], dtype=np.int32)


def build_compact(
    game: Game, layout: Layout, words: Sequence[Rows], base: Bases, *, threads: int = 1
) -> list[Compact] | None:
    """The rows of several sets of positions, by the same entries; None where one of them does not fit the form."""
    words = [np.ascontiguousarray(rows) for rows in words]
    sample = _plain_rows(game, _some(words, game.words), base)
    if sample is None:
        return None
    sizes = {layout.slice_of(name).start: size for name, size in layout.features}
    size = np.array([sizes.get(first, 1) for first in base.tolist()], dtype=np.int64)
    groups = grouped(base, size, find_folds(sample, base, size))
    while True:
        survey = _surveyed(game, words, groups, threads)
        if survey is None:
            return None
        if not survey.wrong:
            break
        groups = groups.without(survey.wrong)
    entries, within = numbered(groups, survey.counts, survey.mapped, layout.size)
    _on_threads(lambda part: _renumber(groups.first, within, part), _pieces(survey.keys), threads)
    return [Compact((part,), entries) for part in survey.keys]


@dataclass(frozen=True)
class _Survey:
    """The keys of all rows, about how often each occurs, the folds' maps, and which of them a position contradicts."""

    keys: list[Offsets]
    counts: npt.NDArray[np.int32]
    mapped: npt.NDArray[np.int32]
    wrong: set[int]


def _surveyed(game: Game, words: Sequence[Rows], groups: Groups, threads: int) -> _Survey | None:
    shape = (groups.base, groups.size, groups.start, groups.term, groups.stride, groups.first)
    folds = np.array([(fold.big, fold.small, fold.map) for fold in groups.folds], dtype=np.int64).reshape(-1, 3)
    keys = [np.empty((len(rows), len(groups)), dtype=np.uint16) for rows in words]
    pieces = list(zip(_pieces(words), _pieces(keys), strict=True))
    # As many shares as threads, not as pieces: each has tables of its own.
    shares = [pieces[i::threads] for i in range(threads)]

    def survey(share: list[tuple[Rows, Offsets]]) -> tuple[Table, Table, npt.NDArray[np.int64]] | None:
        counts, mapped = np.zeros(groups.keys, np.int32), np.full(groups.maps, -1, np.int32)
        bad, row = np.zeros(len(folds), np.int64), _context(game)
        for rows, out in share:
            if _survey(row, rows, *shape, *_buffers(game), folds, mapped, bad, counts, out) < len(rows):
                return None
        return counts, mapped, bad

    total = _Survey(keys, np.zeros(groups.keys, np.int32), np.full(groups.maps, -1, np.int32), set())
    for found in _on_threads(survey, shares, threads):
        if found is None:
            return None
        counts, mapped, bad = found
        np.add(total.counts, counts, out=total.counts)
        differ = (mapped >= 0) & (total.mapped >= 0) & (mapped != total.mapped)
        total.mapped[:] = np.maximum(total.mapped, mapped)
        for number, fold in enumerate(groups.folds):
            if bad[number] or differ[fold.map : fold.map + groups.size[fold.big]].any():
                total.wrong.add(fold.map)
    return total


def _pieces(arrays: Sequence[npt.NDArray[K]]) -> list[npt.NDArray[K]]:
    """Runs of rows that threads share, not copied."""
    return [rows[i : i + PIECE] for rows in arrays for i in range(0, len(rows), PIECE)]


def _some(words: Sequence[Rows], width: int) -> Rows:
    """Positions from all over."""
    step = max(1, sum(len(rows) for rows in words) // SAMPLE)
    return np.concatenate([np.zeros((0, width), np.uint64), *(rows[::step] for rows in words)])


def _plain_rows(game: Game, words: Rows, base: Bases) -> Offsets | None:
    """The offset of every term, ungrouped."""
    out = np.empty((len(words), len(base)), dtype=np.uint16)
    return out if _emit(_context(game), words, base, *_buffers(game), out) == len(words) else None


def _context(game: Game) -> npt.NDArray[np.int64]:
    return game.context(evaluation=True).row


def _buffers(game: Game) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int16]]:
    return np.zeros(game.max_terms, dtype=np.int32), np.zeros(game.max_terms, dtype=np.int16)


def _on_threads(work: Callable[..., R], pieces: Sequence[object], threads: int) -> list[R]:
    if threads == 1:
        return [work(piece) for piece in pieces]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, pieces))


# ── Kernels ──


@helper("int64(integers, words, indices, values, indices, int64)", inline=True)
def _row(context: Integers, here: Words, index: Indices, value: Values, base: Indices, terms: int) -> int:
    """Emit a position's terms as offsets; 1 where they are as many as there are bases, with the factor 1, in reach."""
    if terms_of(context, here, index, value) != terms:
        return 0
    for k in range(terms):
        away = int64(index[k]) - int64(base[k])
        if value[k] != 1 or away < 0 or away > 65535:
            return 0
        index[k] = np.int32(away)
    return 1


@driver("int64(int64[::1], uint64[:,::1], int32[::1], int32[::1], int16[::1], uint16[:,::1])")
def _emit(context: Integers, positions: Words, base: Indices, index: Indices, value: Values, out: Small) -> int:
    """The offsets of all positions; how many were made before one that does not fit."""
    row, words, terms = pointer(context), context[WORDS], len(base)
    for i in range(len(positions)):
        here = at(pointer(positions), i * words)
        if _row(row, here, pointer(index), pointer(value), pointer(base), terms) == 0:
            return i
        for k in range(terms):
            out[i, k] = np.uint16(index[k])
    return len(positions)


@driver(
    "int64(int64[::1], uint64[:,::1], int32[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], "
    "int32[::1], int16[::1], int64[:,::1], int32[::1], int64[::1], int32[::1], uint16[:,::1])"
)
def _survey(
    context: Integers, positions: Words, base: Indices, size: Integers, start: Integers, term: Integers,
    stride: Integers, first: Integers, index: Indices, value: Values, folds: Integers, mapped: Indices,
    bad: Integers, counts: Indices, out: Small,
) -> int:  # fmt: skip
    """Write keys, count some, and learn the folds' maps; how many rows there were before one that does not fit."""
    row, words, terms, groups = pointer(context), context[WORDS], len(base), len(first)
    offset, known, amount = pointer(index), pointer(mapped), pointer(counts)
    begin, member, factor, family = pointer(start), pointer(term), pointer(stride), pointer(first)
    limit, fold = pointer(size), pointer(folds)
    for i in range(len(positions)):
        here, keys = at(pointer(positions), i * words), at(pointer(out), i * groups)
        if _row(row, here, offset, pointer(value), pointer(base), terms) == 0:
            return i
        for k in range(terms):
            if int64(offset[k]) >= limit[k]:
                return i
        for f in range(len(folds)):
            place = fold[3 * f + 2] + int64(offset[fold[3 * f]])
            small = offset[fold[3 * f + 1]]
            if known[place] < 0:
                known[place] = small
            elif known[place] != small:
                bad[f] = 1
        for g in range(groups):
            key = 0
            for j in range(begin[g], begin[g + 1]):
                key += int64(offset[member[j]]) * factor[j]
            keys[g] = np.uint16(key)
        if i % COUNTED == 0:
            for g in range(groups):
                amount[family[g] + int64(keys[g])] += np.int32(1)
    return len(positions)


@driver("void(int64[::1], uint16[::1], uint16[:,::1])")
def _renumber(first: Integers, within: Small, rows: Small) -> None:
    """From keys to the numbers of entries, in place."""
    groups, family, number = len(first), pointer(first), pointer(within)
    for i in range(len(rows)):
        row = at(pointer(rows), i * groups)
        for g in range(groups):
            row[g] = number[family[g] + int64(row[g])]
