// Counts move sequences and plays random games of DVONN's stacking phase: the peer that bench_dvonn.py measures.
//
//   dvonn_moves perft STATE DEPTH        dvonn_moves playouts STATE GAMES SEED
//
// Both print the number of leaves or plies and the processor's seconds they took.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

using Word = uint64_t;

static const int WIDTH = 12, PASS = 4095;
static const int FIRST[5] = {0, 0, 0, 1, 2}, LAST[5] = {8, 9, 10, 10, 10};
static const int STEPS[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}};
static Word targets[50][64];
static int bits[49];

struct Position {
    Word owner[2], red;
    unsigned char height[60];
    int side;
    Word occupied() const { return owner[0] | owner[1] | red; }
};

static void prepare() {
    int count = 0;
    for (int row = 0; row < 5; row++)
        for (int column = FIRST[row]; column <= LAST[row]; column++) {
            int bit = WIDTH * row + column;
            bits[count++] = bit;
            for (int height = 1; height < 50; height++)
                for (auto& step : STEPS) {
                    int c = column + step[0] * height, r = row + step[1] * height;
                    if (r >= 0 && r < 5 && c >= FIRST[r] && c <= LAST[r])
                        targets[height][bit] |= Word(1) << (WIDTH * r + c);
                }
        }
}

static inline Word beside(Word x) {
    return x << 1 | x >> 1 | x << WIDTH | x >> WIDTH | x << (WIDTH + 1) | x >> (WIDTH + 1);
}

static inline Word open_sided(Word x) {
    return x & ~(x << 1 & x >> 1 & x << WIDTH & x >> WIDTH & x << (WIDTH + 1) & x >> (WIDTH + 1));
}

static int stack_moves(const Position& p, int side, int* out) {
    Word occupied = p.occupied();
    int count = 0;
    for (Word movers = p.owner[side] & open_sided(occupied); movers; movers &= movers - 1) {
        int from = __builtin_ctzll(movers);
        for (Word reached = targets[p.height[from]][from] & occupied; reached; reached &= reached - 1)
            out[count++] = from << 6 | __builtin_ctzll(reached);
    }
    return count;
}

static int moves(const Position& p, int* out) {
    int count = stack_moves(p, p.side, out);
    if (count == 0 && stack_moves(p, 1 - p.side, out) > 0) {
        out[0] = PASS;
        return 1;
    }
    return count;
}

static void play(Position& p, int move) {
    if (move != PASS) {
        int from = move >> 6, to = move & 63;
        Word from_bit = Word(1) << from, to_bit = Word(1) << to;
        if (p.red & from_bit) p.red |= to_bit;
        p.height[to] += p.height[from];
        p.owner[0] &= ~(from_bit | to_bit), p.owner[1] &= ~(from_bit | to_bit), p.red &= ~from_bit;
        p.owner[p.side] |= to_bit;
        Word occupied = p.occupied(), kept = 0, grown = p.red;
        while (grown != kept) kept = grown, grown |= beside(grown) & occupied;
        p.owner[0] &= kept, p.owner[1] &= kept;
    }
    p.side ^= 1;
}

static uint64_t perft(const Position& p, int depth) {
    int list[138];
    int count = moves(p, list);
    if (count == 0 || depth == 0) return 1;
    if (depth == 1) return count;
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        Position next = p;
        play(next, list[i]);
        total += perft(next, depth - 1);
    }
    return total;
}

static uint64_t playouts(const Position& start, int games, uint64_t seed) {
    uint64_t plies = 0;
    int list[138];
    for (int game = 0; game < games; game++) {
        Position p = start;
        while (int count = moves(p, list)) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            play(p, list[(seed >> 33) % count]);
            plies++;
        }
    }
    return plies;
}

int main(int argc, char** argv) {
    if (argc < 4 || strlen(argv[2]) != 50) return fprintf(stderr, "usage: see the head of the source\n"), 2;
    prepare();
    const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    Position p{};
    p.side = (argv[2][0] - 'A') & 1;
    for (int field = 0; field < 49; field++) {
        int code = int(strchr(digits, argv[2][field + 1]) - digits), kind = (code + 2) & 3;
        Word bit = Word(1) << bits[field];
        if (code == 0) continue;
        p.height[bits[field]] = code == 1 ? 1 : (code + 2) / 4;
        if (code == 1 || kind > 1) p.red |= bit;
        if (code != 1) p.owner[kind & 1] |= bit;
    }
    clock_t began = clock();
    uint64_t done = strcmp(argv[1], "perft") == 0 ? perft(p, atoi(argv[3]))
                                                  : playouts(p, atoi(argv[3]), argc > 4 ? strtoull(argv[4], 0, 10) : 1);
    printf("%llu %.6f\n", (unsigned long long)done, double(clock() - began) / CLOCKS_PER_SEC);
}
