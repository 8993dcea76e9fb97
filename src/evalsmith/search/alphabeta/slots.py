"""The slots of a context that the search owns, and the sizes of its work arrays."""

from __future__ import annotations

from evalsmith.games.contract import FIRST_FREE

# Counters, limits and flags: numbers in the context itself, so that another thread can read and set them.
(
    NODES,  # positions visited since the search began
    NODE_LIMIT,  # stop when NODES reaches this
    DEADLINE,  # stop at this moment of `clock`, nanoseconds; 0 for none
    STOP,  # set from outside to stop at once
    ABORTED,  # set by the search when a limit struck: the value in hand is worthless
    DEPTH_LIMIT,  # last depth of the deepening
    MULTIPV,  # how many lines are wanted
    HORIZON,  # how often a value rested on something other than finished games
    SELDEPTH,  # deepest ply visited
    DEPTH_DONE,  # last depth that was finished
    GENERATION,  # age of table entries, 0 … 63
    HISTORY_LENGTH,  # how many positions were played before the root
    REPEATS,  # whether the game can repeat positions
    CHECKS,  # whether the game has check
    QUIESCENT,  # whether the game has noisy moves
    RANDOM,  # state of the random generator
    RANDOM_PLAYER,  # play random legal moves instead of searching
    MOVETIME,  # nanoseconds a move in games inside one kernel; 0 for none
    NOISE,  # how many of 1024 moves are random in games inside one kernel …
    NOISE_PLIES,  # … before this ply
) = range(FIRST_FREE, FIRST_FREE + 20)

# Addresses of work arrays.
(
    POSITIONS,  # a row per ply
    MOVE_ROWS,  # max_moves per ply
    SCORE_ROWS,  # max_moves per ply
    KILLERS,  # two per ply
    HISTORY,  # one per slot and side
    PV,  # MAX_PLY moves per ply
    PV_LENGTH,  # one per ply
    KEYS,  # keys of the played positions and of the current line
    CHECK_FLAGS,  # whether the mover was in check there
    ROOT_MOVES,
    LINES,  # per line: score, depth, length, moves
    TABLE,  # two words an entry
    TABLE_BUCKETS,  # a number: how many buckets the table has, a power of two
    PROBABILITIES,  # outcomes of chance, a row per ply
) = range(FIRST_FREE + 20, FIRST_FREE + 34)

(
    SOFT_DEADLINE,  # begin no deeper search after this moment of `clock`, nanoseconds; 0 for none
    TECHNIQUES,  # bits of what the search uses
    REPLACEMENT,  # which entry of the table gives way
    ROOT_DEPTH,  # the depth that is being searched
    CURRENT_MOVE,  # the root move that is being searched …
    CURRENT_NUMBER,  # … and its number, from 1
    PLAYED,  # an address: the slot of the move before each ply; -1 none, -2 the null move
    COUNTERS,  # an address: what refuted a move last, one per slot and side
    REDUCTIONS,  # an address: plies that late moves are reduced by, REDUCED_MOVES a depth
    ONLY,  # an address: the root moves that may be chosen …
    ONLY_COUNT,  # … and how many there are; 0 where all may be
    BUSY,  # an address: what the threads of one search are at; 0 for one thread
    DEFERRED,  # an address: moves left for later, max_moves per ply; 0 for one thread
) = range(FIRST_FREE + 34, FIRST_FREE + 47)

SOLVED = 127  # stored as the depth of values that rest on finished games alone
REDUCED_DEPTHS, REDUCED_MOVES = 32, 64  # the table of reductions; beyond it the last counts
LINE_HEAD = 3  # score, depth, length before the moves of a line
