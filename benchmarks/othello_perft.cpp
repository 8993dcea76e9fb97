// Perft of Othello from the start: the same algorithm as ours, for a fair ratio.
// Usage: othello_perft DEPTH; prints the count and the seconds.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "othello_board.hpp"

static std::int64_t count(Position *position, std::int64_t *buffer, int depth) {
    int found = moves(*position, buffer);
    if (!found) return 1;
    if (depth == 1) return found;
    std::int64_t total = 0;
    for (int i = 0; i < found; i++) {
        play(*position, buffer[i], position[1]);
        total += count(position + 1, buffer + 64, depth - 1);
    }
    return total;
}

int main(int, char **arguments) {
    static Position rows[64];
    static std::int64_t buffer[64 * 64];
    rows[0] = {1ULL << 28 | 1ULL << 35, 1ULL << 27 | 1ULL << 36, 0};
    auto began = std::chrono::steady_clock::now();
    std::int64_t nodes = count(rows, buffer, std::atoi(arguments[1]));
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
    std::printf("%lld %.6f\n", static_cast<long long>(nodes), spent.count());
}
