// The rules of chess on bitboards: positions, moves, FEN. Squares count a1 = 0, b1 = 1, … h8 = 63.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

using u64 = uint64_t;
enum { WHITE, BLACK };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NONE };

inline int lowest(u64 set) { return __builtin_ctzll(set); }
inline int highest(u64 set) { return 63 - __builtin_clzll(set); }
inline int count(u64 set) { return __builtin_popcountll(set); }
inline int take(u64& set) { int square = lowest(set); set &= set - 1; return square; }
inline u64 bit(int square) { return 1ull << square; }
inline int file_of(int square) { return square & 7; }
inline int rank_of(int square) { return square >> 3; }
const u64 FILE_A = 0x0101010101010101ull;

// ── Attacks ──
inline u64 ray[8][64], knight_attacks[64], king_attacks[64], pawn_attacks[2][64];
inline u64 zobrist[2][6][64], zobrist_side, zobrist_castling[16], zobrist_passant[64];

inline void init_tables() {
    const int step[8][2] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}, {0, -1}, {-1, 0}, {-1, -1}, {1, -1}};  // file, rank
    const int jump[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    auto square = [](int file, int rank) { return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file; };
    auto add = [&](u64& set, int file, int rank) { if (square(file, rank) >= 0) set |= bit(square(file, rank)); };
    for (int from = 0; from < 64; from++) {
        int file = file_of(from), rank = rank_of(from);
        for (int way = 0; way < 8; way++) {
            for (int far = 1; far < 8; far++) add(ray[way][from], file + far * step[way][0], rank + far * step[way][1]);
            add(king_attacks[from], file + step[way][0], rank + step[way][1]);
            add(knight_attacks[from], file + jump[way][0], rank + jump[way][1]);
        }
        for (int side : {-1, 1}) {
            add(pawn_attacks[WHITE][from], file + side, rank + 1);
            add(pawn_attacks[BLACK][from], file + side, rank - 1);
        }
    }
    u64 seed = 0x9e3779b97f4a7c15ull;
    auto random = [&] { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed * 0x2545f4914f6cdd1dull; };
    for (auto& side : zobrist) for (auto& piece : side) for (auto& key : piece) key = random();
    for (auto& key : zobrist_castling) key = random();
    for (auto& key : zobrist_passant) key = random();
    zobrist_side = random();
}

inline u64 along(int way, int from, u64 occupied) {
    u64 reached = ray[way][from], blockers = reached & occupied;
    if (blockers) reached ^= ray[way][way < 4 ? lowest(blockers) : highest(blockers)];
    return reached;
}
inline u64 rook_attacks(int from, u64 o) { return along(0, from, o) | along(1, from, o) | along(4, from, o) | along(5, from, o); }
inline u64 bishop_attacks(int from, u64 o) { return along(2, from, o) | along(3, from, o) | along(6, from, o) | along(7, from, o); }
inline u64 attacks(int piece, int from, u64 occupied) {
    switch (piece) {
        case KNIGHT: return knight_attacks[from];
        case BISHOP: return bishop_attacks(from, occupied);
        case ROOK: return rook_attacks(from, occupied);
        case QUEEN: return rook_attacks(from, occupied) | bishop_attacks(from, occupied);
        default: return king_attacks[from];
    }
}

// ── Positions and moves ──
using Move = int;  // from, to, and the piece of a promotion (0 for none)
inline int from_of(Move move) { return move & 63; }
inline int to_of(Move move) { return move >> 6 & 63; }
inline int promotion_of(Move move) { return move >> 12; }
struct Moves { Move list[256]; int size = 0; void add(int from, int to, int piece = 0) { list[size++] = from | to << 6 | piece << 12; } };

struct Position {
    u64 pieces[2][6] = {}, sides[2] = {};
    int8_t board[64];
    int side = WHITE, castling = 0, passant = -1, quiet_plies = 0;  // castling: 1 K, 2 Q, 4 k, 8 q
    u64 key = 0;

    u64 occupied() const { return sides[WHITE] | sides[BLACK]; }
    int king(int who) const { return lowest(pieces[who][KING]); }
    void put(int who, int piece, int square) { flip(who, piece, square); board[square] = int8_t(piece); }
    void remove(int who, int square) { flip(who, board[square], square); board[square] = NONE; }
    void flip(int who, int piece, int square) {
        pieces[who][piece] ^= bit(square);
        sides[who] ^= bit(square);
        key ^= zobrist[who][piece][square];
    }
    bool attacked(int square, int by) const {
        const u64* theirs = pieces[by];
        return (pawn_attacks[!by][square] & theirs[PAWN]) || (knight_attacks[square] & theirs[KNIGHT])
            || (king_attacks[square] & theirs[KING]) || (bishop_attacks(square, occupied()) & (theirs[BISHOP] | theirs[QUEEN]))
            || (rook_attacks(square, occupied()) & (theirs[ROOK] | theirs[QUEEN]));
    }
    bool in_check() const { return attacked(king(side), !side); }
    bool captures(Move move) const {
        return board[to_of(move)] != NONE || (to_of(move) == passant && board[from_of(move)] == PAWN);
    }

    // Plays a pseudo-legal move; false where it leaves the own king attacked.
    bool play(Move move) {
        int from = from_of(move), to = to_of(move), piece = board[from], us = side, them = !side;
        key ^= zobrist_castling[castling] ^ (passant >= 0 ? zobrist_passant[passant] : 0) ^ zobrist_side;
        quiet_plies = piece == PAWN || board[to] != NONE ? 0 : quiet_plies + 1;
        if (board[to] != NONE) remove(them, to);
        else if (piece == PAWN && to == passant) remove(them, to ^ 8);
        remove(us, from);
        put(us, promotion_of(move) ? promotion_of(move) : piece, to);
        passant = -1;
        if (piece == PAWN && abs(to - from) == 16) passant = (from + to) / 2;
        if (piece == KING && abs(to - from) == 2) {
            remove(us, to > from ? to + 1 : to - 2);
            put(us, ROOK, (from + to) / 2);
        }
        for (int square : {from, to}) switch (square) {
            case 4: castling &= ~3; break;
            case 60: castling &= ~12; break;
            case 7: castling &= ~1; break;
            case 0: castling &= ~2; break;
            case 63: castling &= ~4; break;
            case 56: castling &= ~8; break;
        }
        side = them;
        key ^= zobrist_castling[castling] ^ (passant >= 0 ? zobrist_passant[passant] : 0);
        return !attacked(king(us), them);
    }
    void pass() {
        key ^= zobrist_side ^ (passant >= 0 ? zobrist_passant[passant] : 0);
        side = !side, passant = -1;
    }

    // Pseudo-legal moves; with `noisy` captures and promotions to a queen alone.
    void generate(Moves& moves, bool noisy) const {
        u64 all = occupied(), targets = noisy ? sides[!side] : ~sides[side], pawns = pieces[side][PAWN];
        int forward = side == WHITE ? 8 : -8, last = side == WHITE ? 7 : 0, second = side == WHITE ? 1 : 6;
        auto pawn = [&](int from, int to) {
            if (rank_of(to) != last) { moves.add(from, to); return; }
            for (int piece = QUEEN; piece >= (noisy ? QUEEN : KNIGHT); piece--) moves.add(from, to, piece);
        };
        while (pawns) {
            int from = take(pawns), to = from + forward;
            if (!(all & bit(to))) {
                if (!noisy || rank_of(to) == last) pawn(from, to);
                if (!noisy && rank_of(from) == second && !(all & bit(to + forward))) moves.add(from, to + forward);
            }
            u64 prey = pawn_attacks[side][from] & (sides[!side] | (passant >= 0 ? bit(passant) : 0));
            while (prey) pawn(from, take(prey));
        }
        for (int piece = KNIGHT; piece <= KING; piece++)
            for (u64 set = pieces[side][piece]; set;) {
                int from = take(set);
                for (u64 to = attacks(piece, from, all) & targets; to;) moves.add(from, take(to));
            }
        int home = side == WHITE ? 4 : 60, rights = side == WHITE ? castling : castling >> 2;
        if (noisy || !(rights & 3) || attacked(home, !side)) return;
        if ((rights & 1) && !(all & (bit(home + 1) | bit(home + 2))) && !attacked(home + 1, !side)) moves.add(home, home + 2);
        if ((rights & 2) && !(all & (bit(home - 1) | bit(home - 2) | bit(home - 3))) && !attacked(home - 1, !side))
            moves.add(home, home - 2);
    }
};

// ── Text ──
inline bool read_fen(const std::string& text, Position& position) {
    position = Position();
    for (auto& square : position.board) square = NONE;
    std::istringstream in(text);
    std::string board, side, castling, passant;
    if (!(in >> board >> side)) return false;
    if (!(in >> castling >> passant)) castling = passant = "-";
    in >> position.quiet_plies;
    int file = 0, rank = 7;
    for (char letter : board) {
        if (letter == '/') { file = 0; rank--; continue; }
        if (letter >= '1' && letter <= '8') { file += letter - '0'; continue; }
        size_t piece = std::string("PNBRQKpnbrqk").find(letter);
        if (piece == std::string::npos || file > 7 || rank < 0) return false;
        position.put(piece >= 6, int(piece % 6), rank * 8 + file++);
    }
    position.side = side == "b" ? BLACK : WHITE;
    for (char letter : castling) {
        size_t right = std::string("KQkq").find(letter);
        if (right != std::string::npos) position.castling |= 1 << right;
    }
    if (passant.size() == 2) position.passant = (passant[1] - '1') * 8 + passant[0] - 'a';
    position.key ^= zobrist_castling[position.castling] ^ (position.side == BLACK ? zobrist_side : 0);
    if (position.passant >= 0) position.key ^= zobrist_passant[position.passant];
    return count(position.pieces[WHITE][KING]) == 1 && count(position.pieces[BLACK][KING]) == 1;
}

inline std::string move_text(Move move) {
    std::string text;
    for (int square : {from_of(move), to_of(move)}) text += char('a' + file_of(square)), text += char('1' + rank_of(square));
    if (promotion_of(move)) text += "pnbrqk"[promotion_of(move)];
    return text;
}

inline u64 perft(const Position& position, int depth) {
    if (depth == 0) return 1;
    Moves moves;
    position.generate(moves, false);
    u64 nodes = 0;
    for (int i = 0; i < moves.size; i++) {
        Position next = position;
        if (next.play(moves.list[i])) nodes += perft(next, depth - 1);
    }
    return nodes;
}
