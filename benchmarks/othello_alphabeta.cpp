// Bare alpha-beta on Othello: no table, no order, the disc difference as evaluation; the same algorithm as
// bench_search.py has as a kernel. Usage: othello_alphabeta DEPTH MOVER ENEMY SIDE …; prints value, nodes and seconds
// of the processor for each position, whose bitboards are hexadecimal.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "othello_board.hpp"

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
