// The evaluation. `features` says which weights a position reads and how often, white minus black; the engine's value
// and the trace for the tuner both come from it, so that they cannot disagree.
#pragma once
#include "board.h"
#include "weights.h"

struct Group { const char* name; const Score* weights; int size; };
const Group GROUPS[] = {
    {"material", material, 5}, {"pawn_square", pawn_square, 32}, {"knight_square", knight_square, 32},
    {"bishop_square", bishop_square, 32}, {"rook_square", rook_square, 32}, {"queen_square", queen_square, 32},
    {"king_square", king_square, 32}, {"knight_mobility", knight_mobility, 9}, {"bishop_mobility", bishop_mobility, 14},
    {"rook_mobility", rook_mobility, 15}, {"queen_mobility", queen_mobility, 28}, {"passed", passed, 8}, {"pawns", pawns, 4},
    {"pair", pair, 1}, {"rook_file", rook_file, 2}, {"king_shield", king_shield, 4}, {"king_attackers", king_attackers, 8},
    {"threats", threats, 3},
};
// Where each group begins in the list of all features. The last feature is the tempo.
enum {
    MATERIAL = 0, SQUARES = MATERIAL + 5, MOBILITY = SQUARES + 6 * 32, PASSED = MOBILITY + 66, PAWNS = PASSED + 8,
    PAIR = PAWNS + 4, ROOK_FILE = PAIR + 1, KING_SHIELD = ROOK_FILE + 2, KING_ATTACKERS = KING_SHIELD + 4,
    THREATS = KING_ATTACKERS + 8, TEMPO = THREATS + 3, FEATURES = TEMPO + 1,
};
const int MOBILITY_OF[6] = {0, MOBILITY, MOBILITY + 9, MOBILITY + 23, MOBILITY + 38, 0};
const int PHASE_MAX = 24;

inline Score flat_weights[TEMPO];
inline void init_weights() {
    Score* next = flat_weights;
    for (const Group& group : GROUPS)
        for (int i = 0; i < group.size; i++) *next++ = group.weights[i];
    if (next != flat_weights + TEMPO) abort();
}

// 24 with all pieces on the board, 0 with none.
inline int phase_of(const Position& position) {
    int phase = 0;
    for (int side : {WHITE, BLACK}) {
        const u64* pieces = position.pieces[side];
        phase += count(pieces[KNIGHT]) + count(pieces[BISHOP]) + 2 * count(pieces[ROOK]) + 4 * count(pieces[QUEEN]);
    }
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}

inline u64 attacked_by_pawns(u64 set, int side) {
    return side == WHITE ? (set << 7 & ~(FILE_A << 7)) | (set << 9 & ~FILE_A) : (set >> 9 & ~(FILE_A << 7)) | (set >> 7 & ~FILE_A);
}
inline u64 neighbour_files(int file) {
    return (file > 0 ? FILE_A << (file - 1) : 0) | (file < 7 ? FILE_A << (file + 1) : 0);
}
// The ranks before a square, in the direction of a side's pawns.
inline u64 before(int square, int side) {
    int rank = rank_of(square);
    return side == WHITE ? (rank < 7 ? ~0ull << 8 * (rank + 1) : 0) : (1ull << 8 * rank) - 1;
}

template <class Emit> void pawn_features(const Position& position, int side, Emit emit) {
    u64 own = position.pieces[side][PAWN], enemy = position.pieces[!side][PAWN];
    for (u64 set = own; set;) {
        int square = take(set), file = file_of(square), rank = side == WHITE ? rank_of(square) : 7 - rank_of(square);
        u64 ahead = before(square, side), lane = FILE_A << file, beside = neighbour_files(file);
        if (!(enemy & ahead & (lane | beside)) && !(own & ahead & lane)) emit(PASSED + rank);
        if (!(own & beside)) emit(PAWNS);
        if (own & ahead & lane) emit(PAWNS + 1);
        if (pawn_attacks[!side][square] & own) emit(PAWNS + 2);
        if (king_attacks[square] & own & beside & 0xffull << 8 * rank_of(square)) emit(PAWNS + 3);
    }
}

template <class Emit> void side_features(const Position& position, int side, Emit emit) {
    const u64 *own = position.pieces[side], *enemy = position.pieces[!side];
    u64 all = position.occupied(), by_pawns = attacked_by_pawns(own[PAWN], side), by_minors = 0;
    u64 free = ~(position.sides[side] | attacked_by_pawns(enemy[PAWN], !side));
    u64 ring = king_attacks[position.king(!side)];
    int attackers = 0;
    for (int piece = PAWN; piece <= KING; piece++)
        for (u64 set = own[piece]; set;) {
            int square = take(set), file = file_of(square), rank = side == WHITE ? rank_of(square) : 7 - rank_of(square);
            emit(SQUARES + 32 * piece + 4 * rank + (file < 4 ? file : 7 - file));
            if (piece < KING) emit(MATERIAL + piece);
            if (piece == PAWN || piece == KING) continue;
            u64 reached = attacks(piece, square, all);
            emit(MOBILITY_OF[piece] + count(reached & free));
            if (reached & ring) attackers++;
            if (piece <= BISHOP) by_minors |= reached;
            if (piece == ROOK && !(own[PAWN] & FILE_A << file)) emit(ROOK_FILE + ((enemy[PAWN] & FILE_A << file) != 0));
        }
    pawn_features(position, side, emit);
    if (count(own[BISHOP]) >= 2) emit(PAIR);
    int king = position.king(side), file = file_of(king);
    u64 ahead = side == WHITE ? 0xffffull << 8 << 8 * rank_of(king) : 0xffffull << 40 >> 8 * (7 - rank_of(king));
    int shield = count(own[PAWN] & ahead & (FILE_A << file | neighbour_files(file)));
    emit(KING_SHIELD + (shield < 3 ? shield : 3));
    emit(KING_ATTACKERS + (attackers < 7 ? attackers : 7));
    for (int i = count(by_pawns & (enemy[KNIGHT] | enemy[BISHOP])); i > 0; i--) emit(THREATS);
    for (int i = count(by_pawns & (enemy[ROOK] | enemy[QUEEN])); i > 0; i--) emit(THREATS + 1);
    for (int i = count(by_minors & (enemy[ROOK] | enemy[QUEEN])); i > 0; i--) emit(THREATS + 2);
}

// Calls emit(feature, 1 or -1) for every time that White or Black has a feature.
template <class Emit> void features(const Position& position, Emit emit) {
    side_features(position, WHITE, [&](int feature) { emit(feature, 1); });
    side_features(position, BLACK, [&](int feature) { emit(feature, -1); });
}

// Centipawns from White's view.
inline int evaluate_white(const Position& position) {
    int mg = 0, eg = 0, phase = phase_of(position);
    features(position, [&](int feature, int sign) {
        mg += sign * flat_weights[feature].mg;
        eg += sign * flat_weights[feature].eg;
    });
    return (mg * phase + eg * (PHASE_MAX - phase)) / PHASE_MAX + (position.side == WHITE ? tempo : -tempo);
}
inline int evaluate(const Position& position) { return position.side == WHITE ? evaluate_white(position) : -evaluate_white(position); }
