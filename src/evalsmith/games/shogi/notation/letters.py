"""The letters of KIF, read from bytes by compiled code, in whichever of three encodings a line has.

Only letters that mean something have a number of their own, so a text is never decoded as a whole.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Small, helper, int64, table

UTF_8, SHIFT_JIS, EUC_JP = range(3)
CODECS = ("utf-8", "cp932", "euc_jp")

# What a letter is. Digits are themselves, 0 is ten; kanji digits are ten more; pieces are PIECE and their kind.
OTHER, ZERO, KANJI, PIECE = 0, 10, 10, 20
SAME, PROMOTES, NOT, DROPS, PLAIN, LEFT, RIGHT, STRAIGHT, UP, BESIDE, BACK = range(36, 47)
SPACE, OPENS, CLOSES, BLACK_MARK, WHITE_MARK, POINTS, EQUALS, MINUS, PLUS, STAR, HASH, AND, BAR, SQUARE = range(48, 62)
_LETTERS = {
    "123456789": range(1, 10), "１２３４５６７８９": range(1, 10), "0０": (ZERO, ZERO),
    "一二三四五六七八九": range(KANJI + 1, KANJI + 10),
    "歩香桂銀角飛金玉と杏圭全馬龍": range(PIECE + 1, PIECE + 15), "王竜步飞龙马": (28, 34, 21, 26, 34, 33),
    "同成不打生": range(SAME, SAME + 5), "左右直上寄引行入": (LEFT, RIGHT, STRAIGHT, UP, BESIDE, BACK, UP, UP),
    " \t　": (SPACE,) * 3, "(（": (OPENS,) * 2, ")）": (CLOSES,) * 2, "▲☗▼": (BLACK_MARK,) * 3,
    "△☖▽": (WHITE_MARK,) * 3, ":：": (POINTS,) * 2, "=＝": (EQUALS,) * 2, "-+＋－": (MINUS, PLUS, PLUS, MINUS),
    "*＊#&|]": (STAR, STAR, HASH, AND, BAR, SQUARE),
}  # fmt: skip
# Letters of words that are looked for; they have the numbers from here on, as far as they have none yet.
_FIRST_OF_WORDS = 64
WIDTH = 8  # the longest word
_WORDS = (
    # Keys of headings of which the value is wanted.
    "先手", "下手", "後手", "上手", "手合割", "棋戦", "表題", "開始日時", "対局日時", "対局日", "持ち時間",
    # Other keys; those and the ones above begin a game where moves stand before them.
    "開始", "手合", "対局", "持ち", "場所", "作品", "作者",
    # Lines among the moves.
    "開始局面", "手数", "変化", "まで", "封", "中",
    # Comments of programs.
    "評価値", "深さ", "解析", "検討", "候補", "詰", "詰み", "勝ち",
    # What a line begins with that sums a game up, besides まで.
    "以上", "投了", "千日手", "持将棋", "中断", "反則", "入玉", "切れ負け", "時間切れ",
    "引き分け", "引分", "トライ", "宣言", "不戦",
    # After a number: 113手で.
    "手",
)  # fmt: skip
KEYS, BEGINNINGS = 11, 18
(
    START_WORD, TABLE_WORD, VARIATION_WORD, UNTIL_WORD, SEALED_WORD, PAUSED_WORD, SCORE_WORD, DEPTH_WORD, ANALYSIS_WORD,
    STUDY_WORD, CANDIDATE_WORD, MATE_WORD, MATES_WORD, WINS_WORD,
) = range(BEGINNINGS, len(_WORDS) - 15)  # fmt: skip
FIRST_END, ENDS, TURN_WORD = len(_WORDS) - 15, 14, len(_WORDS) - 1
FIRST_KEY, GAME_WORD = 0, 13


def _numbers() -> dict[str, int]:
    numbers = {
        letter: value
        for letters, values in _LETTERS.items()
        for letter, value in zip(letters, values, strict=True)
    }  # fmt: skip
    following = _FIRST_OF_WORDS
    for letter in dict.fromkeys("".join(_WORDS)):
        if letter not in numbers:
            numbers[letter] = following
            following += 1
    return numbers


def _tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """[encoding, what the bytes of a letter come to] → its number; [word, letter] → the same."""
    numbers = _numbers()
    rows = np.zeros((len(CODECS), 1 << 16), dtype=np.uint8)
    for letter, value in numbers.items():
        rows[UTF_8, ord(letter)] = value
        for code in (SHIFT_JIS, EUC_JP):
            content = letter.encode(CODECS[code], "ignore")
            if content and len(content) <= 2:
                rows[code, int.from_bytes(content, "big")] = value
    words = np.zeros((len(_WORDS), WIDTH), dtype=np.uint8)
    for row, word in zip(words, _WORDS, strict=True):
        row[: len(word)] = [numbers[letter] for letter in word]
    return rows, words


_letter_rows, _word_rows = (
    table(name, rows) for name, rows in zip(("records.kif_letters", "records.kif_words"), _tables(), strict=True)
)


@helper("int64(small, int64, int64, int64)", inline=True)
def letter_at(data: Small, place: int, end: int, code: int) -> int:
    """What the letter at a place is, and 256 times the number of its bytes; 0 at the end."""
    if place >= end:
        return 0
    first = int64(data[place])
    if first < 0x80:
        return 256 + int64(_letter_rows()[first])
    if code == UTF_8:
        if 0xE0 <= first < 0xF0 and place + 2 < end:
            point = ((first & 15) << 12) | ((int64(data[place + 1]) & 63) << 6) | (int64(data[place + 2]) & 63)
            return 768 + int64(_letter_rows()[point])
        return 256
    if place + 1 >= end or (code == SHIFT_JIS and 0xA0 <= first < 0xE0):
        return 256
    return 512 + int64(_letter_rows()[(code << 16) | (first << 8) | int64(data[place + 1])])


@helper("int64(small, int64, int64)", inline=True)
def wide_letter(data: Small, place: int, code: int) -> int:
    """The same for a letter of three bytes in UTF-8 and of two in the others; OTHER where it has not so many."""
    first, second = int64(data[place]), int64(data[place + 1])
    if code == UTF_8:
        point = ((first & 15) << 12) | ((second & 63) << 6) | (int64(data[place + 2]) & 63)
        return int64(_letter_rows()[point]) if first & 0xF0 == 0xE0 else int64(OTHER)
    return int64(_letter_rows()[(code << 16) | (first << 8) | second]) if first >= 0x80 else int64(OTHER)


@helper("int64(small, int64, int64, int64)", inline=True)
def skip(data: Small, place: int, end: int, code: int) -> int:
    """The place of the next letter that is no blank."""
    while place < end:
        first = int64(data[place])
        if first in (32, 9):
            place += 1
        elif first < 0x80:
            break
        else:
            seen = letter_at(data, place, end, code)
            if seen & 255 != SPACE:
                break
            place += seen >> 8
    return place


@helper("int64(small, int64, int64, int64, int64)")
def spelt(data: Small, place: int, end: int, code: int, word: int) -> int:
    """The place after a word that stands at a place; -1 where it does not."""
    for letter in range(WIDTH):
        wanted = int64(_word_rows()[WIDTH * word + letter])
        if wanted == 0:
            break
        seen = letter_at(data, place, end, code)
        if seen & 255 != wanted:
            return -1
        place += seen >> 8
    return place


@helper("int64(small, int64, int64)")
def _fits_utf_8(data: Small, place: int, end: int) -> int:
    """Whether some bytes are UTF-8."""
    while place < end:
        byte = int64(data[place])
        place += 1
        if byte >= 0x80:
            left = 1 if 0xC2 <= byte < 0xE0 else 2 if 0xE0 <= byte < 0xF0 else 3 if 0xF0 <= byte < 0xF5 else 0
            if left == 0 or place + left > end:
                return 0
            for further in range(left):
                if int64(data[place + further]) & 0xC0 != 0x80:
                    return 0
            place += left
    return 1


@helper("int64(small, int64, int64)")
def _fits_euc_jp(data: Small, place: int, end: int) -> int:
    """How many half-width katakana some bytes have as EUC-JP; -1 where they are none."""
    katakana = 0
    while place < end:
        byte = int64(data[place])
        if byte < 0x80:
            place += 1
            continue
        width = 3 if byte == 0x8F else 2
        if (byte < 0xA1 and byte != 0x8E and byte != 0x8F) or place + width > end:
            return -1
        for further in range(1, width):
            if int64(data[place + further]) < 0xA1:
                return -1
        katakana += 1 if byte == 0x8E else 0
        place += width
    return katakana


@helper("int64(small, int64, int64)")
def _fits_shift_jis(data: Small, place: int, end: int) -> int:
    """How many half-width katakana some bytes have as Shift-JIS; -1 where they are none."""
    katakana = 0
    while place < end:
        byte = int64(data[place])
        place += 1
        if 0xA1 <= byte < 0xE0:
            katakana += 1
        elif byte >= 0x80:
            if byte == 0x80 or byte == 0xA0 or byte >= 0xFD or place >= end:
                return -1
            second = int64(data[place])
            if second < 0x40 or second == 0x7F or second >= 0xFD:
                return -1
            place += 1
    return katakana


@helper("int64(small, int64, int64, int64)")
def code_of(data: Small, place: int, end: int, told: int) -> int:
    """The encoding of a line with letters beyond ASCII: the one told, or UTF-8, if it fits, else the likelier one."""
    if told == EUC_JP and _fits_euc_jp(data, place, end) >= 0:
        return EUC_JP
    if told == SHIFT_JIS and _fits_shift_jis(data, place, end) >= 0:
        return SHIFT_JIS
    if _fits_utf_8(data, place, end) != 0:
        return UTF_8
    euc = _fits_euc_jp(data, place, end)
    if euc < 0:
        return SHIFT_JIS
    # EUC-JP read as Shift-JIS is full of half-width katakana, which people hardly write.
    shift = _fits_shift_jis(data, place, end)
    return EUC_JP if shift < 0 or euc < shift else SHIFT_JIS
