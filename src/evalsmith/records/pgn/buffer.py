"""PGN through a buffer of one size: fill it, scan it, make a batch and faults of it, carry the rest over."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from evalsmith.games import find_game
from evalsmith.games.chess.notation.letters import PADDING
from evalsmith.games.chess.rules import WIN_VALUE
from evalsmith.records.batch import Batch, Texts
from evalsmith.records.chess.encoding import narrowed, pass_over
from evalsmith.records.chess.spaces import LONGEST, blank_spaces
from evalsmith.records.format import DISAGREES, ILLEGAL, NO_MOVES, NOT_POSITION
from evalsmith.records.pgn.game import (
    AMBIGUOUS_MOVE,
    BAD_START,
    BEGIN,
    BLACK_RATING,
    DECIDED,
    ENDED,
    FACTS,
    FAULT,
    ILLEGAL_MOVE,
    MANY_MOVES,
    MAX_PLIES,
    NOT_MOVE,
    NULL_MOVE,
    OPEN_COMMENT,
    OPEN_VARIATION,
    OTHER_GAME,
    PLACE,
    PLIES,
    SPANS,
    STANDARD,
    STATED,
    TAGGED,
    TOO_LONG,
    WHITE_RATING,
    WITHOUT_MOVES,
)
from evalsmith.records.pgn.scan import FINAL, FROM, LIMIT, SAID_SIZE, SKIPPING, STATE_SIZE, STRAY, TO, scan_games
from evalsmith.records.pgn.tags import BLACK, DATE, EVENT, FEN, NONE, TERMINATION, TIME_CONTROL, UTC_DATE, WHITE
from evalsmith.records.record import UNKNOWN, Fault, Faults
from evalsmith.records.text import clean, decode, shown
from evalsmith.run.errors import PositionError

AMBIGUOUS = "ambiguous move"
NO_SUCH_MOVE = "not a move"
NULL = "null move"
TOO_MANY = "too many moves"
UNCLOSED_COMMENT = "a comment is not closed"
UNCLOSED_VARIATION = "a variation is not closed"
OTHER_VARIANT = "another variant"
LONG_GAME = "the game is too long"

TWO_RESULTS = "the tag Result and the end of the moves disagree"
NO_RESULT = "no result after the moves"
STRAY_LINES = "lines that belong to no game"

REASONS = {
    ILLEGAL_MOVE: ILLEGAL,
    AMBIGUOUS_MOVE: AMBIGUOUS,
    NOT_MOVE: NO_SUCH_MOVE,
    NULL_MOVE: NULL,
    MANY_MOVES: TOO_MANY,
    OPEN_COMMENT: UNCLOSED_COMMENT,
    OPEN_VARIATION: UNCLOSED_VARIATION,
    BAD_START: NOT_POSITION,
    OTHER_GAME: OTHER_VARIANT,
    WITHOUT_MOVES: NO_MOVES,
    TOO_LONG: LONG_GAME,
}

_GAMES = 1 << 14  # a batch has at most so many, broken ones among them
_MOVES = 1 << 20
_LONGEST = 500  # bytes of a value that are looked at

_WORD_END = re.compile(r"[\s\0{(;]")
_TERMINATIONS = (
    (re.compile("time|flag|clock", re.I), "time"),
    (re.compile("resign", re.I), "resigned"),
    (re.compile("agree", re.I), "agreed"),
    (re.compile("abandon|disconnect|left|forfeit", re.I), "left"),
    (re.compile("adjudicat", re.I), "adjudicated"),
    (re.compile("illegal|infraction", re.I), "illegal"),
)


class PgnBuffer:
    """The buffer and the columns that a pass fills; one reading of one file at a time."""

    def __init__(self, chunk: int, game_limit: int) -> None:
        game = find_game("chess")
        self.chunk = chunk
        self.text = np.zeros(chunk + PADDING, dtype=np.uint8)
        self.state = np.zeros(STATE_SIZE, dtype=np.int64)
        self.state[LIMIT] = game_limit
        self.context = game.context()
        self.said = np.zeros(SAID_SIZE, dtype=np.int64)
        # Less text has fewer games and moves: two bytes each at least.
        self.facts = np.zeros((min(_GAMES, chunk), FACTS), dtype=np.int64)
        self.starts, self.ends = (np.zeros((len(self.facts), game.words), dtype=np.uint64) for _ in range(2))
        self.work = np.concatenate([game.start(), np.zeros(2 * game.words, dtype=np.uint64)])
        plies = min(_MOVES, chunk) + MAX_PLIES
        self.moves, self.scores, self.taken = (np.zeros(plies, dtype=np.int32) for _ in range(3))
        self.depths = np.zeros(plies, dtype=np.int16)

    def batches(
        self, stream: io.BufferedIOBase, source: str, faults: Faults, begin: tuple[int, ...] = ()
    ) -> Iterator[Batch]:
        """The games of a stream, or those after a batch; broken ones go to ``faults``.

        ``begin`` is a number of bytes, of games, whether a game is still passed over, and the lines that were none.
        """
        view, stream = self.text.data, narrowed(stream)
        read, games, *before = begin or (0, 0, 0, 0)
        self.state[[SKIPPING, STRAY]] = before
        pass_over(stream, read)
        carried = 0
        final = False
        while not final or carried:
            came = 0
            while not final and carried + came < self.chunk:
                size = stream.readinto(view[carried + came : self.chunk])
                final = not size
                came += size or 0
            read += came
            end = carried + came
            self.text[end : end + PADDING] = 0
            blank_spaces(self.text, max(0, carried - LONGEST), end)
            self.state[[FROM, TO, FINAL]] = 0, end, final
            count = self._scan()
            done = int(self.state[FROM])
            if count:
                after = (read - end + done, games + count, int(self.state[SKIPPING]), int(self.state[STRAY]))
                yield from self._gather(count, games, read - end, source, faults, after)
            games += count
            carried = end - done
            self.text[:carried] = self.text[done:end].copy()
            if final and not count and not done:
                break
        faults.warn(STRAY_LINES, int(self.state[STRAY]))

    def _scan(self) -> int:
        return scan_games(
            self.context.row, self.text, self.state, self.said, self.facts, self.starts, self.ends, self.work,
            self.moves, self.scores, self.depths, self.taken,
        )  # fmt: skip

    def _gather(
        self, count: int, before: int, base: int, source: str, faults: Faults, after: tuple[int, ...]
    ) -> Iterator[Batch]:
        """The batch of a pass that found ``count`` games; the buffer begins at byte ``base`` of the file."""
        facts = self.facts[:count]
        for row in np.flatnonzero(facts[:, FAULT]).tolist():
            self._fault(row, before + row + 1, base, source, faults)
        good = np.flatnonzero(facts[:, FAULT] == 0)
        if not len(good):
            return
        facts = facts[good]
        first = np.concatenate(([0], np.cumsum(facts[:, PLIES])))
        plies = int(first[-1])
        taken = self.taken[:plies]
        yield Batch(
            "chess",
            source,
            self.moves[:plies].copy(),
            first,
            self.starts[good],
            facts[:, STANDARD] != 0,
            _results(facts, faults),
            facts[:, ENDED] != 0,
            facts[:, [WHITE_RATING, BLACK_RATING]].astype(np.int32),
            before + good + 1,
            base + facts[:, BEGIN],
            self.scores[:plies].copy(),
            self.depths[:plies].copy(),
            np.where(taken < 0, np.nan, taken / 1000).astype(np.float32),
            np.full(plies, UNKNOWN, dtype=np.int32),
            self._texts(facts[:, SPANS:]),
            after,
        )

    def _texts(self, spans: npt.NDArray[np.int64]) -> list[Texts]:
        text = self.text.data

        def tag_text(row: list[int], tag: int) -> str:
            begin, end = row[2 * tag], row[2 * tag + 1]
            return _value(bytes(text[begin : min(end, begin + _LONGEST)])) if begin else ""

        return [
            Texts(
                (tag_text(row, WHITE), tag_text(row, BLACK)),
                tag_text(row, EVENT),
                tag_text(row, DATE) or tag_text(row, UTC_DATE),
                tag_text(row, TIME_CONTROL),
                _termination(tag_text(row, TERMINATION)),
            )
            for row in spans.tolist()
        ]

    def _fault(self, row: int, number: int, base: int, source: str, faults: Faults) -> None:
        code, place, plies = (int(self.facts[row, column]) for column in (FAULT, PLACE, PLIES))
        detail, move = "", None
        if len(faults.examples) < faults.limit:
            detail = self._detail(row, code, place)
        if code <= OPEN_VARIATION:
            move = plies + 1
        faults.add(Fault(source, f"byte {base + place}", number, REASONS[code], detail, move))

    def _detail(self, row: int, code: int, place: int) -> str:
        game = find_game("chess")
        text = decode(bytes(self.text[place : place + 200]))
        if code in (ILLEGAL_MOVE, AMBIGUOUS_MOVE, NOT_MOVE):
            return f"{shown(_WORD_END.split(text, maxsplit=1)[0])} in {game.format(self.ends[row])}"
        if code == BAD_START:
            begin, end = self.facts[row, SPANS + 2 * FEN : SPANS + 2 * FEN + 2].tolist()
            try:
                game.parse(_value(bytes(self.text[begin:end])))
            except PositionError as error:
                return str(error)
        if code in (BAD_START, OTHER_GAME):
            return shown(text.split('"')[0])
        return f"more than {self.state[LIMIT]} bytes" if code == TOO_LONG else ""


def _results(facts: npt.NDArray[np.int64], faults: Faults) -> npt.NDArray[np.int32]:
    """The results for White, with warnings of those that contradict each other."""
    values = np.array([UNKNOWN, WIN_VALUE, 0, -WIN_VALUE, UNKNOWN], dtype=np.int32)
    after, tagged, decided = facts[:, STATED], facts[:, TAGGED], facts[:, DECIDED]
    stated = values[np.where(after == NONE, tagged, after)]
    faults.warn(NO_RESULT, int((after == NONE).sum()))
    faults.warn(TWO_RESULTS, int(((after != NONE) & (tagged != NONE) & (after != tagged)).sum()))
    faults.warn(DISAGREES, int(((decided != UNKNOWN) & (stated != UNKNOWN) & (stated != decided)).sum()))
    return np.where(decided != UNKNOWN, decided, stated).astype(np.int32)


@functools.lru_cache(maxsize=1 << 14)
def _value(raw: bytes) -> str:
    """The value of a tag; a question mark alone says that nothing is known."""
    # Cut in the middle of a letter it would not be UTF-8 any more.
    whole = decode(raw) if len(raw) < _LONGEST else raw.decode("utf-8", "ignore")
    text = clean(re.sub(r'\\(["\\])', r"\1", whole))
    return "" if set(text) <= set("?.- ") else text


@functools.lru_cache(maxsize=1 << 10)
def _termination(text: str) -> str:
    """What ended the game, in the words of a record."""
    return next((termination for pattern, termination in _TERMINATIONS if pattern.search(text)), "")
