// Bare alpha-beta on Othello: no table, no order, the disc difference as evaluation; the same algorithm as
// bench_search.py has as a kernel. Usage: othello_alphabeta DEPTH MOVER ENEMY SIDE …; prints value, nodes and seconds
// of the processor for each position, whose bitboards are hexadecimal.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

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

static const std::int64_t UNIT = 100;
static std::int64_t nodes;

static std::int64_t discs(const Position &position) {
    return UNIT * (__builtin_popcountll(position.mover) - __builtin_popcountll(position.enemy));
}

static std::int64_t result(const Position &position) {
    std::int64_t own = __builtin_popcountll(position.mover), other = __builtin_popcountll(position.enemy);
    std::int64_t margin = own - other, empties = 64 - own - other;
    if (margin > 0) margin += empties;
    if (margin < 0) margin -= empties;
    return margin * UNIT;
}

static std::int64_t search(Position *position, std::int64_t *buffer, std::int64_t depth, std::int64_t alpha,
                           std::int64_t beta) {
    nodes++;
    if (depth == 0) return discs(*position);
    int found = moves(*position, buffer);
    if (!found) return result(*position);
    std::int64_t best = -(1 << 22);
    for (int i = 0; i < found; i++) {
        play(*position, buffer[i], position[1]);
        std::int64_t value = position[1].side == position[0].side
                                 ? search(position + 1, buffer + 64, depth - 1, alpha, beta)
                                 : -search(position + 1, buffer + 64, depth - 1, -beta, -alpha);
        if (value > best) {
            best = value;
            if (value > alpha) alpha = value;
            if (alpha >= beta) break;
        }
    }
    return best;
}

int main(int count, char **arguments) {
    static Position rows[64];
    static std::int64_t buffer[64 * 64];
    for (int i = 2; i + 2 < count; i += 3) {
        rows[0] = {std::strtoull(arguments[i], nullptr, 16), std::strtoull(arguments[i + 1], nullptr, 16),
                   std::strtoull(arguments[i + 2], nullptr, 16)};
        nodes = 0;
        std::clock_t began = std::clock();
        std::int64_t value = search(rows, buffer, std::atoi(arguments[1]), -(1 << 22), 1 << 22);
        double spent = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
        std::printf("%lld %lld %.6f\n", static_cast<long long>(value), static_cast<long long>(nodes), spent);
    }
}
