"""How shogi games end: the words of the files, and who has won by each.

A file writes a termination as if it were the next move, so most of them say what happened to the side to move. What no
file says stays unknown; it is never taken for a draw.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalsmith.records.format import DISAGREES
from evalsmith.records.record import UNKNOWN, Faults

WIN = 30_000

# Whom a termination names: a fixed side, or
BLACK, WHITE, MOVER_WINS, MOVER_LOSES, DRAWN, OPEN = range(6)


@dataclass(frozen=True)
class Termination:
    """What ended a game, in a record's words, and for whom: a side, the mover, both or nobody."""

    name: str
    outcome: int

    def result(self, mover: int) -> int | None:
        """For black, with ``mover`` to move where the game ended."""
        if self.outcome >= DRAWN:
            return 0 if self.outcome == DRAWN else None
        winner = {MOVER_WINS: mover, MOVER_LOSES: 1 - mover}.get(self.outcome, self.outcome)
        return WIN if winner == BLACK else -WIN


RESIGNED = Termination("resigned", MOVER_LOSES)
TIME = Termination("time", MOVER_LOSES)
REPETITION = Termination("repetition", DRAWN)
ILLEGAL = Termination("illegal", MOVER_LOSES)
OTHER_ILLEGAL = Termination("illegal", MOVER_WINS)
IMPASSE = Termination("impasse", DRAWN)
DECLARED = Termination("declared", MOVER_WINS)
TRY = Termination("try", MOVER_LOSES)  # a king's move to the other's first square has won before the mover's turn
AGREED = Termination("agreed", DRAWN)
TOO_LONG = Termination("too long", DRAWN)
MATE = Termination("mate", MOVER_LOSES)
INTERRUPTED = Termination("interrupted", OPEN)
SEALED = Termination("sealed", OPEN)
NO_MATE = Termination("no mate", OPEN)
ERROR = Termination("error", OPEN)
TAKEN_BACK = Termination("taken back", OPEN)
FORFEIT = Termination("forfeit", MOVER_LOSES)
OTHER_FORFEIT = Termination("forfeit", MOVER_WINS)
NOT_STATED = Termination("", OPEN)

CSA = {
    b"%TORYO": RESIGNED,
    b"%CHUDAN": INTERRUPTED,
    b"%SENNICHITE": REPETITION,
    b"%TIME_UP": TIME,
    b"%ILLEGAL_MOVE": ILLEGAL,
    b"%+ILLEGAL_ACTION": Termination("illegal", WHITE),
    b"%-ILLEGAL_ACTION": Termination("illegal", BLACK),
    b"%JISHOGI": IMPASSE,
    b"%KACHI": DECLARED,
    b"%HIKIWAKE": AGREED,
    b"%MAX_MOVES": TOO_LONG,
    b"%TSUMI": MATE,
    b"%FUZUMI": NO_MATE,
    b"%ERROR": ERROR,
    b"%MATTA": TAKEN_BACK,
}

KIF = {
    "投了": RESIGNED,
    "中断": INTERRUPTED,
    "千日手": REPETITION,
    "先日手": REPETITION,  # so misspelt by some programs
    "切れ負け": TIME,
    "時間切れ": TIME,
    "反則負け": ILLEGAL,
    "反則勝ち": OTHER_ILLEGAL,
    "反則": ILLEGAL,
    "持将棋": IMPASSE,
    "入玉勝ち": DECLARED,
    "入玉宣言": DECLARED,
    "宣言勝ち": DECLARED,
    "入玉宣言勝ち": DECLARED,
    "トライ": TRY,
    "トライ勝ち": TRY,
    "入玉トライ": TRY,
    "入玉トライ勝ち": TRY,
    "引き分け": AGREED,
    "引分": AGREED,
    "引分け": AGREED,
    "最大手数": TOO_LONG,
    "詰み": MATE,
    "詰": MATE,
    "不戦敗": FORFEIT,
    "不戦勝": OTHER_FORFEIT,
    "不詰": NO_MATE,
    "封じ手": SEALED,
    "エラー": ERROR,
    "待った": TAKEN_BACK,
}

# The last line of KIF and KI2, まで113手で先手の勝ち; some programs begin it in another way, or with its last word.
_SIDE = {"先": 0, "下": 0, "▲": 0, "☗": 0, "後": 1, "上": 1, "△": 1, "☖": 1}
_TOLD = re.compile(
    r"[\s　]*(?:まで|以上)?[、,\s　]*(?:(?P<number>[0-9０-９]{1,9})[\s　]*)?手?(?:まで)?"
    r"(?:で|にて)?[、,\s　]*(?P<rest>.*)",
    re.DOTALL,
)
_WHO = r"(?:(?P<side>[先後下上])手|(?P<mark>[▲△☗☖]))番?[のが]?"
_WINNER = re.compile(_WHO + r"(?:反則|入玉|宣言|入玉宣言|トライ|入玉トライ|時間切れ|切れ|不戦)?勝")
_LOSER = re.compile(_WHO + r"(?:負|反則|投了|時間切れ|切れ|不戦敗)")

# A termination that names its side, as Shogi Club 24 has it: 先手 反則負け.
_SIDED = re.compile(r"[▲△▼▽☗☖]?(?P<side>[先後下上])手番?[\s　]*[のがは]?[\s　]*(?P<word>.+)")

UNCLEAR = "a termination that is not understood"
REPEATED_NOT = "a repetition that the moves do not show"
LAST_ILLEGAL = "the last move is illegal, as the termination says, and is left out"
MISCOUNTED = "the stated number of moves is not that of the moves"


@dataclass(frozen=True)
class Settled:
    """Results for black (UNKNOWN where nobody knows), and which games are played to their end."""

    results: npt.NDArray[np.int32]
    finished: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Summary:
    """What a line that sums a game up says; ``number`` is its count of moves."""

    termination: Termination
    number: int | None


@functools.lru_cache(1024)
def parse_word(text: str) -> Termination | None:
    """The termination that stands as the last move; None where it is none. A side that it names is the one meant."""
    text = text.strip(" \t　")
    if text in KIF:
        return KIF[text]
    match = _SIDED.fullmatch(text)
    termination = KIF.get(match["word"].strip(" \t　")) if match else None
    if match is None or termination is None:
        return None
    if termination.outcome not in (MOVER_WINS, MOVER_LOSES):
        return termination
    side = _SIDE[match["side"]]
    return Termination(termination.name, side if termination.outcome == MOVER_WINS else 1 - side)


@functools.lru_cache(1024)
def parse_summary(line: str) -> Summary | None:
    """The termination that ``まで113手で先手の勝ち`` states; None where it says nothing that is understood."""
    match = _TOLD.fullmatch(line.strip())
    if match is None:
        return None
    number = int(match["number"]) if match["number"] else None
    rest = match["rest"].strip("　 。")
    name = next((termination.name for word, termination in _NAMED.items() if word in rest), "")
    for pattern, lost in ((_WINNER, 0), (_LOSER, 1)):
        if (who := pattern.search(rest)) is not None:
            return Summary(Termination(name, _SIDE[who["side"] or who["mark"]] ^ lost), number)
    for word, termination in KIF.items():
        if rest.startswith(word):
            return Summary(termination, number)
    return None if rest else Summary(NOT_STATED, number)


_NAMED = {
    "反則": ILLEGAL, "時間切れ": TIME, "切れ負け": TIME, "切れ勝ち": TIME, "トライ": TRY,
    "入玉": DECLARED, "宣言": DECLARED, "投了": RESIGNED, "詰み": MATE, "千日手": REPETITION, "不戦": FORFEIT,
}  # fmt: skip


Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


def settle(
    terminations: Sequence[Termination], movers: Numbers, mated: Flags, times: Numbers, faults: Faults
) -> Settled:
    """The results for black, and whether the moves reach the end of the game, of many games at once.

    ``movers`` are to move where the games end; the position there has no legal move where ``mated``, and has stood on
    the board ``times`` times. A mate on the board needs no word; a repetition counts as the end where the file says
    so.
    """
    outcomes = np.array([termination.outcome for termination in terminations], dtype=np.int64)
    named = {
        name: np.array([termination.name == name for termination in terminations], dtype=np.bool_)
        for name in (MATE.name, REPETITION.name)
    }
    winners = np.choose(np.minimum(outcomes, OPEN - 1), (0 * movers, 0 * movers + 1, movers, 1 - movers, movers))
    results = np.where(outcomes >= DRAWN, 0, WIN * (1 - 2 * winners))
    lost = -WIN * (1 - 2 * movers)
    faults.warn(DISAGREES, int((mated & (outcomes != OPEN) & (results != lost)).sum()))
    faults.warn(DISAGREES, int((named[MATE.name] & ~mated).sum()))
    repeated = named[REPETITION.name] & ~mated
    faults.warn(REPEATED_NOT, int((repeated & (times < 4)).sum()))
    results = np.where(mated, lost, np.where(outcomes == OPEN, UNKNOWN, results))
    return Settled(results.astype(np.int32), mated | (repeated & (times >= 4)))
