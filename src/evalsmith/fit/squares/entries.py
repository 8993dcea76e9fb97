"""Entries: what compact rows name. An entry is the sum of one or more unknowns, so that a row needs fewer of them.

Terms are grouped in two ways. A term that another one determines (the edge within the edge and its X squares) is
*folded* into that one: whoever names the larger pattern names the smaller one with it. Terms with few values (counts,
parity, short lines) are *merged*: one entry for each combination. The unknowns behind each entry are added up first;
then products over the rows are the same numbers with a third less work. Which terms determine which is read off the
positions and checked on every one of them. Frequent entries come first, so that they share cache lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Indices, Integers, Reals, driver, int64, pointer

Vector = npt.NDArray[np.float64]
Offsets = npt.NDArray[np.uint16]
MERGED = 1 << 15  # the most combinations of merged terms; larger tables would cost more in the cache than they save
FEW = 1000  # with fewer positions than this one pattern may seem to determine another, and speed does not matter


@dataclass(frozen=True)
class Fold:
    """The term ``small`` is determined by ``big``; the map from one's offset to the other's begins at ``map``."""

    big: int
    small: int
    map: int


@dataclass(frozen=True)
class Groups:
    """The terms of a row, grouped. Groups of the same features have the same ``first`` key, and share entries.

    The key of group g is ``first[g]`` + Σ ``stride``·offset over its terms, which are those from ``start[g]`` on.
    """

    base: npt.NDArray[np.int32]
    size: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    term: npt.NDArray[np.int64]
    stride: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    keys: int
    folds: tuple[Fold, ...]
    maps: int

    def __len__(self) -> int:
        return len(self.first)

    def without(self, maps: set[int]) -> Groups:
        """The same terms grouped again, with none of the folds that have one of these maps."""
        return grouped(self.base, self.size, [fold for fold in self.folds if fold.map not in maps])


@dataclass(frozen=True)
class Entries:
    """Entry e is the sum of the unknowns ``index[start[e]:start[e+1]]``; term k of a row begins at ``base[k]``."""

    base: npt.NDArray[np.int32]
    start: npt.NDArray[np.int64]
    index: npt.NDArray[np.int32]
    unknowns: int

    def __len__(self) -> int:
        return len(self.start) - 1

    @classmethod
    def plain(cls, base: npt.NDArray[np.int32], unknowns: int) -> Entries:
        """Every unknown is an entry of its own."""
        return cls(base, np.arange(unknowns + 1), np.arange(unknowns, dtype=np.int32), unknowns)

    def sums(self, x: Vector) -> Vector:
        """What each entry adds up to."""
        out = np.empty(len(self), dtype=np.float64)
        _sums(self.start, self.index, x, out)
        return out

    def spread(self, y: Vector) -> Vector:
        """What each unknown gets when every entry gives its amount to all that it is the sum of."""
        out = np.zeros(self.unknowns, dtype=np.float64)
        _spread(self.start, self.index, y, out)
        return out


@driver("void(int64[::1], int32[::1], float64[::1], float64[::1])", floats=True)
def _sums(start: Integers, index: Indices, x: Reals, out: Reals) -> None:
    begin, members, amount = pointer(start), pointer(index), pointer(x)
    for e in range(len(out)):
        total = 0.0
        for j in range(begin[e], begin[e + 1]):
            total += amount[int64(members[j])]
        out[e] = total


@driver("void(int64[::1], int32[::1], float64[::1], float64[::1])", floats=True)
def _spread(start: Integers, index: Indices, y: Reals, out: Reals) -> None:
    begin, members, got = pointer(start), pointer(index), pointer(out)
    for e in range(len(y)):
        for j in range(begin[e], begin[e + 1]):
            got[int64(members[j])] += y[e]


# ── Which terms stand together ──


def find_folds(offsets: Offsets, base: npt.NDArray[np.int32], size: npt.NDArray[np.int64]) -> list[Fold]:
    """Features of which every term determines a term of its own of a smaller feature, as far as these rows show.

    All terms of the larger feature must agree on the map, because they share their entries.
    """
    if len(offsets) < FEW:
        return []
    features = sorted(set(base.tolist()), key=lambda first: -int(size[np.flatnonzero(base == first)[0]]))
    terms = {first: np.flatnonzero(base == first).tolist() for first in features}
    folds: list[Fold] = []
    taken: set[int] = set()
    end = 0
    for big in features:
        if taken & set(terms[big]):
            continue
        width = int(size[terms[big][0]])
        for small in features:
            if size[terms[small][0]] >= width or len(terms[small]) < len(terms[big]):
                continue
            pairs = _matched(offsets, terms[big], [term for term in terms[small] if term not in taken], width)
            if pairs:
                folds += [Fold(one, other, end) for one, other in pairs]
                taken |= {other for _, other in pairs}
                end += width
    return folds


def _matched(offsets: Offsets, big: Sequence[int], small: Sequence[int], width: int) -> list[tuple[int, int]]:
    """A term of the smaller feature for each term of the larger one, all by one map; none where there is no such."""
    known = np.full(width, -1, dtype=np.int64)
    pairs: list[tuple[int, int]] = []
    for term in big:
        key = offsets[:, term]
        for other in small:
            if any(other == used for _, used in pairs):
                continue
            mapped = known.copy()
            fresh = mapped[key] < 0
            mapped[key[fresh]] = offsets[fresh, other]
            if np.array_equal(mapped[key], offsets[:, other]):
                known = mapped
                pairs.append((term, other))
                break
        else:
            return []
    return pairs


def grouped(base: npt.NDArray[np.int32], size: npt.NDArray[np.int64], folds: Sequence[Fold]) -> Groups:
    """The terms that are not folded, small ones merged while the combinations are few."""
    inside, outer = {fold.small for fold in folds}, {fold.big for fold in folds}
    left = [term for term in range(len(base)) if term not in inside]
    groups: list[list[int]] = []
    room = 0
    for term in sorted(left, key=lambda term: int(size[term])):
        if term not in outer and groups and room * size[term] <= MERGED:
            groups[-1].append(term)
            room *= int(size[term])
        elif term not in outer:
            groups.append([term])
            room = int(size[term])
    groups = sorted([*groups, *([term] for term in left if term in outer)])
    first: dict[tuple[int, ...], int] = {}
    begins, keys, strides = [], 0, []
    for group in groups:
        family = tuple(int(base[term]) for term in group)
        count = int(np.prod(size[group]))
        if family not in first:
            first[family], keys = keys, keys + count
        begins.append(first[family])
        for term in group:
            count //= int(size[term])
            strides.append(count)
    return Groups(
        base,
        size,
        np.cumsum([0, *(len(group) for group in groups)]).astype(np.int64),
        np.array([term for group in groups for term in group], dtype=np.int64),
        np.array(strides, dtype=np.int64),
        np.array(begins, dtype=np.int64),
        keys,
        tuple(folds),
        max((fold.map + int(size[fold.big]) for fold in folds), default=0),
    )


def numbered(
    groups: Groups, counts: npt.NDArray[np.int32], mapped: npt.NDArray[np.int32], unknowns: int
) -> tuple[Entries, npt.NDArray[np.uint16]]:
    """An entry for each key, the most frequent first; and the number of each key among its family's.

    ``counts`` says how often keys occur, ``mapped`` has the maps of the folds: -1 where no row has the offset, so that
    it does not matter what an entry adds there.
    """
    within = np.zeros(groups.keys, dtype=np.uint16)
    base = np.zeros(len(groups), dtype=np.int32)
    starts, indices = [np.zeros(1, dtype=np.int64)], [np.zeros(0, dtype=np.int32)]
    begins: dict[int, int] = {}
    entries = members = 0
    for number, first in enumerate(groups.first.tolist()):
        if first not in begins:
            begins[first] = entries
            terms = groups.term[groups.start[number] : groups.start[number + 1]]
            strides = groups.stride[groups.start[number] : groups.start[number + 1]]
            here = counts[first : first + int(np.prod(groups.size[terms]))]
            order = np.argsort(-here, kind="stable")
            within[first + order] = np.arange(len(order), dtype=np.uint16)
            parts = []
            for term, stride in zip(terms.tolist(), strides.tolist(), strict=True):
                offset = order // stride % groups.size[term]
                parts.append(groups.base[term] + offset)
                parts += [
                    groups.base[fold.small] + np.maximum(mapped[fold.map + offset], 0)
                    for fold in groups.folds
                    if fold.big == term
                ]
            together = np.stack(parts, axis=1).astype(np.int32)
            indices.append(together.reshape(-1))
            starts.append(members + len(parts) * np.arange(1, len(order) + 1))
            entries, members = entries + len(order), members + together.size
        base[number] = begins[first]
    return Entries(base, np.concatenate(starts), np.concatenate(indices), unknowns), within
