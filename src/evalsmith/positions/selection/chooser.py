"""A selection at work: games and positions go in, chosen samples and counts of the rest come out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evalsmith.games import OVER, Game
from evalsmith.games.bulk import ask_each, bulk_of, keys_of
from evalsmith.games.contract import CHECK, MOVER, PHASE, STATUS
from evalsmith.positions.replay import CHECKS, KEYS, NOISE, Replayed, replay
from evalsmith.positions.samples import EXACT, NO_MOVE, NONE, REPORTED, UNKNOWN, Samples
from evalsmith.positions.selection.draws import some_of_each
from evalsmith.positions.selection.quiescence import Settler
from evalsmith.positions.selection.quiet import quiet_positions
from evalsmith.positions.selection.selection import Selection, seconds_planned
from evalsmith.positions.selection.symmetry import canonical
from evalsmith.positions.store.keyset import KeySet
from evalsmith.records import Batch
from evalsmith.records.position_batch import PositionBatch, no_policy

Flags = npt.NDArray[np.bool_]
_HIGHEST_RATING = 32767
_ROWS_AT_ONCE = 200_000  # positions of one batch that are replayed together

# Why a game is rejected …
NO_RESULT = "result not known"
NO_RATING = "rating not known"
RATING = "rating outside the window"
LENGTH = "too short or too long"
NO_CONTROL = "time control not known"
CONTROL = "time control outside the window"
# … and why a position is.
OPENING = "position in the opening"
ENDING = "position near the end of the game"
IN_CHECK = "position in check"
NOISY = "position not quiet"
FINISHED = "position in which the game is over"
LINE_ENDS = "position whose quiescence line ends the game"
ENOUGH = "position beyond those of its game"
REPEAT = "position that came before"
NO_VALUE = "position without a value"
STAGE = "position beyond those of its stage"
POSITION_REASONS = (OPENING, ENDING, IN_CHECK, NOISY, FINISHED, LINE_ENDS, ENOUGH, REPEAT, NO_VALUE, STAGE)


@dataclass(frozen=True)
class _Rows:
    """Positions of a batch: their games there, the numbers of these in the dataset, plies, and places in the batch."""

    owner: npt.NDArray[np.intp]
    number: npt.NDArray[np.intp]
    ply: npt.NDArray[np.int32]
    where: Any


class Chooser:
    """Takes samples by a selection; ``rejected`` counts what is not taken, by reason.

    ``keys`` are the positions that came before, with ``dedup``. Without ``moves`` the moves played are left out.
    """

    def __init__(self, game: Game, selection: Selection, *, moves: bool = True) -> None:
        self.game, self.selection, self.moves = game, selection, moves
        self.rejected: Counter[str] = Counter()
        self.games = 0
        self.keys = KeySet() if selection.dedup else None
        self._settler = Settler(game) if selection.line else None
        self.last_ply = -1

    # ── Games ──

    def games_of(self, batch: Batch, source: int) -> list[Samples]:
        """The samples of the games that are taken."""
        chosen = np.flatnonzero(self._usable(batch))
        lengths = (batch.first[1:] - batch.first[:-1])[chosen]
        return [self._replayed(batch, some, source) for some in _split(chosen, lengths)]

    def _usable(self, batch: Batch) -> Flags:
        """Which games are taken; the first reason against one is the one that counts."""
        choice, left = self.selection, np.ones(len(batch), dtype=np.bool_)
        if not choice.unknown_results:
            known = batch.results != UNKNOWN
            exact = np.concatenate(([0], np.cumsum(batch.exact != UNKNOWN)))
            self._reject(left, known | (exact[batch.first[1:]] > exact[batch.first[:-1]]), NO_RESULT)
        lengths = batch.first[1:] - batch.first[:-1]
        if choice.min_plies is not None or choice.max_plies is not None:
            self._reject(left, _within(lengths, choice.min_plies, choice.max_plies), LENGTH)
        if choice.min_rating is not None or choice.max_rating is not None:
            rated = batch.ratings != UNKNOWN
            self._reject(left, rated[:, 0] & rated[:, 1], NO_RATING)
            inside = _within(batch.ratings, choice.min_rating, choice.max_rating)
            self._reject(left, inside[:, 0] & inside[:, 1], RATING)
        if choice.min_seconds is not None or choice.max_seconds is not None:
            planned = [seconds_planned(text.time_control) for text in batch.texts] or [None] * len(batch)
            seconds = np.array([np.nan if each is None else each for each in planned])
            self._reject(left, ~np.isnan(seconds), NO_CONTROL)
            self._reject(left, _within(seconds, choice.min_seconds, choice.max_seconds), CONTROL)
        return left

    def _replayed(self, batch: Batch, chosen: npt.NDArray[np.intp], source: int) -> Samples:
        """The samples of some games of a batch."""
        choice = self.selection
        lengths = (batch.first[1:] - batch.first[:-1])[chosen]
        first = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        owner = np.repeat(np.arange(len(chosen)), lengths)
        ply = (np.arange(first[-1]) - first[owner]).astype(np.int32)
        where: Any = batch.first[chosen][owner] + ply
        if len(chosen) and chosen[-1] - chosen[0] == len(chosen) - 1:  # all in a row, as they mostly are: no copies
            where = slice(int(batch.first[chosen[0]]), int(batch.first[chosen[-1] + 1]))
        wanted = self._wanted_facts()
        replayed = replay(self.game, batch.starts[chosen], batch.moves[where], first, wanted)
        samples = self._game_samples(batch, replayed, _Rows(chosen[owner], self.games + owner, ply, where), source)
        self.games += len(chosen)
        left = replayed.player.copy()
        # Without a result only what the file knows of a position is a value.
        if not choice.unknown_results:
            self._reject(left, (samples.result != UNKNOWN) | (samples.label == EXACT), NO_VALUE)
        self._reject(left, ply >= choice.skip_first, OPENING)
        self._reject(left, lengths[owner] - ply > choice.skip_last, ENDING)
        if wanted & CHECKS:
            self._reject(left, replayed.check == 0, IN_CHECK)
        if choice.quiet_plies is not None:
            self._reject(left, replayed.quiet_plies >= choice.quiet_plies, NOISY)
        return self._settle(samples, left, replayed.key)

    def _wanted_facts(self) -> int:
        """What a replay has to find out of each position."""
        choice = self.selection
        wanted = KEYS if self.keys is not None and not choice.symmetry and not choice.line else 0
        wanted |= CHECKS if choice.no_check or choice.quiet_plies is not None else 0
        return wanted | (NOISE if choice.quiet_plies is not None else 0)

    def _game_samples(self, batch: Batch, replayed: Replayed, rows: _Rows, source: int) -> Samples:
        """The positions of games with the values that the batch has for them."""
        results = batch.results[rows.owner]
        exact, reported = batch.exact[rows.where], batch.scores[rows.where]
        known = exact != UNKNOWN
        ratings = np.where(batch.ratings == UNKNOWN, -1, np.clip(batch.ratings, -1, _HIGHEST_RATING))
        side = np.maximum(replayed.mover, 0)
        return Samples(
            words=replayed.words,
            game=rows.number.astype(np.int64),
            ply=rows.ply,
            phase=replayed.phase,
            result=np.where((results == UNKNOWN) | (replayed.mover == 0), results, -results).astype(np.int32),
            score=np.where(known, exact, reported).astype(np.int32),
            label=np.where(known, EXACT, np.where(reported != UNKNOWN, REPORTED, NONE)).astype(np.int8),
            depth=np.where(known, -1, batch.depths[rows.where]).astype(np.int16),
            rating=ratings[rows.owner, side].astype(np.int16),
            opponent=ratings[rows.owner, 1 - side].astype(np.int16),
            source=np.full(len(rows.owner), source, dtype=np.int32),
            move=batch.moves[rows.where],
        )

    # ── Lists of positions ──

    def positions_of(self, batch: PositionBatch, source: int, label: int = REPORTED) -> Samples:
        """The samples of a list; where positions have a ply, a new game begins where it does not grow."""
        count, choice = len(batch), self.selection
        mover = ask_each(self.game, MOVER, batch.words)
        plies = bulk_of(self.game).plies
        ply = plies(batch.words) if plies is not None else np.zeros(count, dtype=np.int64)
        begins = np.diff(ply, prepend=self.last_ply) <= 0 if plies is not None else np.ones(count, dtype=np.bool_)
        if count:
            begins[0] |= self.last_ply < 0
            self.last_ply = int(ply[-1])
        numbers = self.games - 1 + np.cumsum(begins)
        self.games += int(begins.sum())
        results = np.where((batch.results == UNKNOWN) | (mover == 0), batch.results, -batch.results)
        samples = Samples(
            words=batch.words,
            game=numbers.astype(np.int64),
            ply=ply.astype(np.int32),
            phase=ask_each(self.game, PHASE, batch.words).astype(np.int32),
            result=results.astype(np.int32),
            score=batch.scores,
            label=np.where(batch.scores == UNKNOWN, NONE, label).astype(np.int8),
            source=np.full(count, source, dtype=np.int32),
            move=batch.moves,
            policy=batch.policy,
            cleared=batch.cleared,
            duration=batch.duration,
        )
        left = np.ones(count, dtype=np.bool_)
        if not choice.unknown_results:
            self._reject(left, (samples.result != UNKNOWN) | (samples.score != UNKNOWN), NO_RESULT)
        # Where chance is to move there is a value too: a file may not name what is drawn next.
        self._reject(left, ask_each(self.game, STATUS, batch.words) != OVER, FINISHED)
        self._reject(left, ply >= choice.skip_first, OPENING)
        if choice.no_check or choice.quiet_plies is not None:
            self._reject(left, ask_each(self.game, CHECK, batch.words) == 0, IN_CHECK)
        return self._settle(samples, left, np.zeros(0, dtype=np.uint64))

    def begin_file(self) -> None:
        """The next list of positions begins a game of its own."""
        self.last_ply = -1

    # ── What both share ──

    def _settle(self, samples: Samples, left: Flags, keys: npt.NDArray[np.uint64]) -> Samples:
        """Quiet positions alone, lines to their ends, some of each game, images to one of them, and none twice."""
        choice = self.selection
        if not left.all():
            samples, keys = samples.take(left), keys[left] if len(keys) else keys
        if choice.quiet_position:
            samples, keys = self._keep(samples, keys, quiet_positions(self.game, samples.words), NOISY)
        if self._settler is not None:
            samples = self._at_line_ends(samples)
        if choice.per_game is not None:
            samples, keys = self._keep(samples, keys, some_of_each(samples, choice.per_game, choice.seed), ENOUGH)
        if choice.symmetry:
            samples = with_words(samples, canonical(self.game, samples.words))
        if self.keys is not None:
            keys = keys if len(keys) == len(samples) else keys_of(self.game, samples.words)
            samples, keys = self._keep(samples, keys, self.keys.add(keys), REPEAT)
        if self.moves:
            return samples
        return replace(samples, move=np.full(len(samples), NO_MOVE, dtype=np.int32), policy=no_policy(len(samples)))

    def _at_line_ends(self, samples: Samples) -> Samples:
        """The ends of the quiescence lines; values follow the mover, who may be another."""
        assert self._settler is not None
        ends, settled = self._settler.ends(samples.words)
        samples, _ = self._keep(samples, np.zeros(0, dtype=np.uint64), settled, NOISY)
        ends = ends[settled]
        open_ = ask_each(self.game, STATUS, ends) != OVER
        samples, _ = self._keep(samples, np.zeros(0, dtype=np.uint64), open_, LINE_ENDS)
        ends = ends[open_]
        turned = ask_each(self.game, MOVER, ends) != ask_each(self.game, MOVER, samples.words)
        moved = with_words(samples, ends)
        for name in ("result", "score"):
            column = getattr(moved, name)
            column[turned & (column != UNKNOWN)] *= -1
        rating = moved.rating.copy()
        moved.rating[turned], moved.opponent[turned] = moved.opponent[turned], rating[turned]
        moved.phase[:] = ask_each(self.game, PHASE, ends)
        return moved

    def _reject(self, left: Flags, good: Flags, reason: str) -> None:
        """Take out of ``left`` what is not good, and count it."""
        gone = left & ~good
        if count := int(gone.sum()):
            self.rejected[reason] += count
            left &= good

    def _keep(
        self, samples: Samples, keys: npt.NDArray[np.uint64], good: Flags, reason: str
    ) -> tuple[Samples, npt.NDArray[np.uint64]]:
        if good.all():
            return samples, keys
        self.rejected[reason] += int((~good).sum())
        return samples.take(good), keys[good] if len(keys) else keys


def with_words(samples: Samples, words: npt.NDArray[np.uint64]) -> Samples:
    """The same samples with other positions; moves and their shares are known only where the position stays."""
    same = (words == samples.words).all(axis=1)
    policy = samples.policy.copy()
    policy[~same] = no_policy(1, policy.shape[1])
    return replace(samples, words=words, move=np.where(same, samples.move, NO_MOVE).astype(np.int32), policy=policy)


def _within(values: npt.NDArray[Any], low: float | None, high: float | None) -> Flags:
    inside = np.ones(values.shape, dtype=np.bool_)
    if low is not None:
        inside &= values >= low
    if high is not None:
        inside &= values <= high
    return inside


def _split(chosen: npt.NDArray[np.intp], lengths: npt.NDArray[np.int64]) -> list[npt.NDArray[np.intp]]:
    """Games in groups of bounded size, so that a batch of long games does not fill the memory."""
    groups = np.cumsum(lengths) // _ROWS_AT_ONCE
    return [part for part in np.split(chosen, np.flatnonzero(np.diff(groups)) + 1) if len(part)]
