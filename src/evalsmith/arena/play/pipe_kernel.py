"""A kernel that asks two programs for moves through their pipes, in turn, until something else than a move comes.

It writes the game and the request, waits, reads, plays the move that is named, and stores what was reported about it.
`fast_path` is the Python around it.
"""

from __future__ import annotations

import select

import numpy as np

from evalsmith.compile import (
    Integers,
    Layout,
    Word,
    Words,
    at,
    caller,
    clock,
    driver,
    helper,
    int64,
    pointer,
    uint64,
    words_at,
)
from evalsmith.engine.drawing import draw
from evalsmith.games.contract import CONTEXT_SIZE, moves_of
from evalsmith.games.stepping import FREE, legal, play_at, positions
from evalsmith.protocols.client.uci_kernel import (
    ACCOUNT,
    BLANK,
    NO_WORD,
    answer_in,
    append,
    name_in,
    read_account,
    word_of,
)

SAID_BYTES, _LEAST_ROOM = 1 << 18, 1 << 14  # for what the programs say in one run, and in one turn
TABLE = 1 << 15  # places of the table of names: pairs of a name and a move
_MAX_NANOSECONDS = 100_000_000  # between two looks at whether we are asked to stop
_TICK = _MAX_NANOSECONDS // 1_000_000  # milliseconds that an answer may take: what is slower needs no fast path

# For each side: its pipes, the game as text and its bytes, the request and its words, the nanoseconds of a move.
IN, _OUT, _ERRORS, DEATH, TEXT, LENGTH, GO, GO_WORDS, PATIENCE, SIDE = range(10)
# Of each turn: the move, the side, its nanoseconds, from where to where something was said, and the account of that.
_MOVE, _MOVER, _TIME, _BEGIN, _END, SPOKEN = range(6)
TURN = SPOKEN + ACCOUNT

_layout = Layout(FREE, CONTEXT_SIZE)
WRITE, READ, POLL = (_layout.number() for _ in range(3))  # addresses of the system's functions
names = _layout.rows("words", 2)  # a name and a move
said = _layout.rows("words")  # what the programs said
turns = _layout.rows("integers", TURN)
polled = _layout.rows("words")  # what `poll` reads and writes
COUNT = _layout.number()  # how many turns there were
STANDING = _layout.number()  # how the game stands
SIDES, *_ = (_layout.number() for _ in range(2 * SIDE))
_SEED = _layout.number()  # of random games

# Of the last turn.
BEGAN = _layout.number()  # when it was asked for
SENT = _layout.number()  # the bytes that were sent
_TOOK = _layout.number()  # its nanoseconds
FROM, HEARD = _layout.number(), _layout.number()  # from which byte to which something was said
LINE = _layout.number()  # where the answer begins in that
OPTIONS = _layout.number()  # how many moves are legal

# What Python sets once for a game.
FIXED = [WRITE, READ, POLL, names.slot, said.slot, turns.slot, polled.slot]
_SAID = said.slot

# Why a run ends: to look around, or because a request could not be sent, was not answered, or in an unknown word.
PAUSED, UNASKED, UNANSWERED, UNKNOWN = range(4)
ASK, RETRY = -1, -2

_ONE = np.uint64(1)
_POLLIN, _EVENTS, _RETURNED = np.uint64(select.POLLIN), np.uint64(32), np.uint64(48)
_MOVES = np.uint64(word_of(b" moves"))
_MIX, _TO_TABLE = 0x9E3779B97F4A7C15, 65 - TABLE.bit_length()
_MIX_WORD, _SHIFT = np.uint64(_MIX), np.uint64(_TO_TABLE)

_transfer = caller("int64(int64, words, int64)")
_poll = caller("int32(words, int64, int64)")


def place_of(name: int) -> int:
    """Where the table of names is to be searched for one, from there on to an empty place."""
    return name * _MIX % 2**64 >> _TO_TABLE


@helper("int64(integers, words, uint64)")
def _move_named(context: Integers, position: Words, name: Word) -> int:
    """The legal move of a name that is known; -1 if there is none."""
    moves = legal(context)
    count = moves_of(context, position, moves)
    context[OPTIONS] = count
    place = int64(name * _MIX_WORD >> _SHIFT)
    pair = names(context, place)
    while pair[0] != NO_WORD:
        if pair[0] == name:
            # A name may stand for several moves, as those of different pieces; here it stands for one at most.
            move: int = int64(pair[1])
            for i in range(count):
                if moves[i] == move:
                    return move
        place = (place + 1) & (TABLE - 1)
        pair = names(context, place)
    return -1


@helper("int64(integers, integers)")
def _ask(context: Integers, side: Integers) -> int:
    """Write the game and the request; 0 if not all of it could be written."""
    text, go, length = words_at(side[TEXT]), words_at(side[GO]), side[LENGTH]
    for i in range(side[GO_WORDS]):
        length = append(text, length, go[i])
    context[SENT] = _transfer(context[WRITE], (side[IN], text, length))
    context[BEGAN] = clock()
    return 1 if context[SENT] == length else 0


@helper("int64(integers, integers, int64)")
def _hear(context: Integers, side: Integers, begin: int) -> int:
    """Read until there is an answer, and where it begins; -1 for anything else that may happen."""
    asked = polled(context)
    while clock() - context[BEGAN] <= _MAX_NANOSECONDS:  # also where it goes on talking
        for i in range(3):
            asked[i] = uint64(side[_OUT + i]) | _POLLIN << _EVENTS
        if _poll(context[POLL], (asked, int64(3), int64(_TICK))) != 1 or asked[0] >> _RETURNED != _POLLIN:
            return -1
        heard = context[HEARD]
        got = _transfer(context[READ], (side[_OUT], words_at(context[_SAID] + heard), SAID_BYTES - heard))
        if got <= 0:
            return -1
        context[HEARD] = heard + got
        line = answer_in(said(context), begin, heard + got)
        if line >= 0:
            return line
    return -1


@helper("void(integers, int64, uint64)")
def _tell(context: Integers, ply: int, name: Word) -> None:
    """Write a move into the game of both sides."""
    for number in range(2):
        side = at(context, SIDES + SIDE * number)
        text, length = words_at(side[TEXT]), side[LENGTH]
        if ply == 0:
            length = append(text, length, _MOVES)
        length = append(text, length, BLANK)
        side[LENGTH] = append(text, length, name)


@helper("int64(integers, integers)")
def _answer(context: Integers, side: Integers) -> int:
    """Ask one side; why there is nothing that could be a move, or UNKNOWN: then its line and its time are noted."""
    context[FROM] = context[HEARD]
    if _ask(context, side) == 0:
        return UNASKED
    context[LINE] = _hear(context, side, context[FROM])
    context[_TOOK] = clock() - context[BEGAN]
    return UNANSWERED if context[LINE] < 0 or context[_TOOK] > side[PATIENCE] else UNKNOWN


@driver("int64(int64[::1], int64, int64, int64)")
def play_turns(context: Integers, first: int, most: int, known: int) -> int:
    """Let the programs move in turn from a ply on; the row of turns is filled, and the result says why it ends.

    ``known`` is ASK, or what became of the last answer where that was an unknown word: RETRY, because more words are
    known now, or the move that it means.
    """
    here, entered, move = pointer(context), clock(), known
    heard = said(here)
    for number in range(context[COUNT], most):
        mover = context[STANDING]
        if move == ASK:
            if mover > 1 or clock() - entered > _MAX_NANOSECONDS or SAID_BYTES - context[HEARD] < _LEAST_ROOM:
                return PAUSED
            why = _answer(here, at(here, SIDES + SIDE * mover))
            if why != UNKNOWN:
                return why
        ply, name = first + number, name_in(heard, context[LINE], context[HEARD])
        if move < 0:
            move = _move_named(here, positions(here, ply), name)
            if move < 0:
                return UNKNOWN
        turn = turns(here, number)
        turn[_MOVE], turn[_MOVER], turn[_TIME] = move, mover, context[_TOOK]
        turn[_BEGIN], turn[_END] = context[FROM], context[LINE]
        read_account(heard, context[FROM], context[LINE], at(turn, SPOKEN))
        context[STANDING] = play_at(here, ply, move)
        context[COUNT] = number + 1
        _tell(here, ply, name)
        move = int64(ASK)
    return PAUSED


@driver("void(int64[::1], int64, int64, uint64[::1])")
def collect_moves(context: Integers, walks: int, plies: int, seen: Words) -> None:
    """Play at random from the first position, and set the bit of every move that comes up."""
    here = pointer(context)
    moves = legal(here)
    for _ in range(walks):
        for ply in range(plies):
            count = moves_of(here, positions(here, ply), moves)
            for i in range(count):
                seen[moves[i] >> 6] |= _ONE << uint64(moves[i] & 63)
            if count == 0 or play_at(here, ply, moves[draw(here, _SEED, count)]) > 1:
                break
