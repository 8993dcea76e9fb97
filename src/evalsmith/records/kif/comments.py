"""What programs say in the comments of KIF: scores and depths, in the forms of ShogiHome and ShogiGUI.

    **評価値=123  **深さ=12  **詰み=先手勝ち:5手      who moved, before the move                 (ShogiHome)
    *#評価値=123  *#深さ=12  *#詰み=後手勝ち          an analysis of the position after the move (ShogiHome)
    **対局 時間 00:00.8 深さ 22/28 … 評価値 88 読み筋 …      who moved, before the move          (ShogiGUI)
    **解析 0 候補1 … 深さ 32 … 評価値 -詰 3 読み筋 …         an analysis, 検討 the same             (ShogiGUI)
    ** 123 …                                                  as floodgate has it, before the move

All of them are for black.
"""

from __future__ import annotations

from evalsmith.compile import Integers, Small, helper, int64
from evalsmith.games.shogi.notation.kif import VALUE
from evalsmith.games.shogi.notation.letters import (
    ANALYSIS_WORD,
    CANDIDATE_WORD,
    DEPTH_WORD,
    EQUALS,
    FIRST_KEY,
    GAME_WORD,
    HASH,
    MATE_WORD,
    MATES_WORD,
    MINUS,
    PLUS,
    SCORE_WORD,
    SPACE,
    STAR,
    STUDY_WORD,
    letter_at,
    skip,
    spelt,
)
from evalsmith.records.csa.tokens import MAX_SCORE
from evalsmith.records.kif.tokens import number_at
from evalsmith.records.record import UNKNOWN
from evalsmith.records.shogi.lines import CLAIMS, CODE, DEPTH, SCORE, move_of

_BLACK_WORD, _WHITE_WORD = FIRST_KEY, FIRST_KEY + 2  # 先手, 後手
_DEEPEST = 32_767


@helper("int64(small, int64, int64, int64)")
def _score_at(data: Small, place: int, end: int, code: int) -> int:
    """``+123``, ``-詰 3``; UNKNOWN where there is no score."""
    place = skip(data, place, end, code)
    seen = letter_at(data, place, end, code)
    sign = -1 if seen & 255 == MINUS else 1
    if seen & 255 in (MINUS, PLUS):
        place += seen >> 8
    if spelt(data, place, end, code, MATE_WORD) >= 0:
        return sign * MAX_SCORE
    number = number_at(data, place, end, code)
    return UNKNOWN if number < 0 else sign * min(number & VALUE, MAX_SCORE)


@helper("int64(small, int64, int64, int64, int64)")
def _after_word(data: Small, place: int, end: int, code: int, word: int) -> int:
    """The place after a word and the blank or equals sign that must follow it; -1 where it does not stand there."""
    place = spelt(data, place, end, code, word)
    if place < 0:
        return -1
    seen = letter_at(data, place, end, code)
    return place + (seen >> 8) if seen & 255 in (EQUALS, SPACE) else int64(-1)


@helper("void(small, int64, int64, int64, int64, integers)")
def _said(data: Small, place: int, end: int, code: int, first: int, move: Integers) -> None:
    """One value: a score, a mate or a depth, of the position before a move; ``first`` keeps what is known."""
    known = first != 0 and move[SCORE] != UNKNOWN
    after = _after_word(data, place, end, code, SCORE_WORD)
    if after >= 0:
        score = _score_at(data, after, end, code)
        if not known and score != UNKNOWN:
            move[SCORE] = score
        return
    after = _after_word(data, place, end, code, DEPTH_WORD)
    if after >= 0:
        depth = number_at(data, skip(data, after, end, code), end, code)
        if depth >= 0 and (first == 0 or move[DEPTH] < 0):
            move[DEPTH] = min(depth & VALUE, _DEEPEST)
        return
    after = _after_word(data, place, end, code, MATES_WORD)
    if after >= 0 and not known:
        if spelt(data, after, end, code, _BLACK_WORD) >= 0:
            move[SCORE] = MAX_SCORE
        elif spelt(data, after, end, code, _WHITE_WORD) >= 0:
            move[SCORE] = -MAX_SCORE


@helper("void(small, int64, int64, int64, integers, integers)")
def comment_at(data: Small, place: int, end: int, first: int, rows: Integers, totals: Integers) -> None:
    """Read a comment of the game that is open, after its first star; ``first`` is the game's first move."""
    code, row = totals[CODE], totals[CLAIMS]
    seen = letter_at(data, place, end, code)
    analysis, stars = 0, 0
    if seen & 255 == HASH:
        analysis = 1
    elif seen & 255 == STAR:
        stars = 1
    if analysis + stars > 0:
        place += seen >> 8
    after = int64(-1)
    for word in (ANALYSIS_WORD, STUDY_WORD, GAME_WORD):
        if after < 0:
            after = _after_word(data, place, end, code, word)
            analysis = 1 if after >= 0 and word != GAME_WORD else analysis
    row = row if analysis != 0 else row - 1
    if row < first:
        return
    move = move_of(rows, row)
    if after < 0:
        score = _score_at(data, place, end, code) if stars != 0 else int64(UNKNOWN)
        if score != UNKNOWN:
            move[SCORE] = score
        elif analysis + stars > 0:
            _said(data, place, end, code, analysis, move)
        return
    # Of several lines of moves the first is the best one.
    place = after
    while place < end:
        other = spelt(data, place, end, code, CANDIDATE_WORD)
        if other >= 0 and number_at(data, other, end, code) & VALUE != 1:
            return
        _said(data, place, end, code, analysis, move)
        place += letter_at(data, place, end, code) >> 8
