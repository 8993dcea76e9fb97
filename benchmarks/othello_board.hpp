// Othello by bitboards, as plain as ours: what the C++ peers of the benchmarks share.
#pragma once
#include <cstdint>

using word = std::uint64_t;

struct Position {
    word mover, enemy, side;
};

static const word INNER = 0x7E7E7E7E7E7E7E7EULL;

static inline word line(word mover, word between, int shift) {
    word up = between & (mover << shift), down = between & (mover >> shift);
    up |= between & (up << shift);
    down |= between & (down >> shift);
    word pairs_up = between & (between << shift), pairs_down = pairs_up >> shift;
    up |= pairs_up & (up << 2 * shift);
    down |= pairs_down & (down >> 2 * shift);
    up |= pairs_up & (up << 2 * shift);
    down |= pairs_down & (down >> 2 * shift);
    return (up << shift) | (down >> shift);
}

static inline word mobility(word mover, word enemy) {
    word inner = enemy & INNER;
    word reached = line(mover, inner, 1) | line(mover, inner, 9) | line(mover, inner, 7) | line(mover, enemy, 8);
    return reached & ~(mover | enemy);
}

static inline word turned(word disc, word mover, word between, int shift) {
    word up = between & (disc << shift), down = between & (disc >> shift);
    up |= between & (up << shift);
    down |= between & (down >> shift);
    word pairs_up = between & (between << shift), pairs_down = pairs_up >> shift;
    up |= pairs_up & (up << 2 * shift);
    down |= pairs_down & (down >> 2 * shift);
    up |= pairs_up & (up << 2 * shift);
    down |= pairs_down & (down >> 2 * shift);
    word found = 0;
    if ((up << shift) & mover) found |= up;
    if ((down >> shift) & mover) found |= down;
    return found;
}

static int moves(const Position &position, std::int64_t *out) {
    word free = mobility(position.mover, position.enemy);
    if (!free) {
        if (!mobility(position.enemy, position.mover)) return 0;
        out[0] = 64;
        return 1;
    }
    int count = 0;
    for (; free; free &= free - 1) out[count++] = __builtin_ctzll(free);
    return count;
}

static void play(const Position &position, std::int64_t move, Position &next) {
    word flips = 0, disc = 0;
    if (move != 64) {
        disc = 1ULL << move;
        word inner = position.enemy & INNER;
        flips = turned(disc, position.mover, inner, 1) | turned(disc, position.mover, inner, 9) |
                turned(disc, position.mover, inner, 7) | turned(disc, position.mover, position.enemy, 8);
    }
    next = {position.enemy & ~flips, position.mover | flips | disc, position.side ^ 1};
}
