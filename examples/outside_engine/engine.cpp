// Tinker: a small chess engine for showing how an engine of your own is tuned. UCI on standard input, and:
//   tinker perft DEPTH [FEN]      the number of move sequences
//   tinker trace POSITIONS        one row of features a quiet position, for `evalsmith tune`
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <thread>

#include "evaluation.h"

const char* START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const int INFINITE = 32000, MATE = 31000, MAX_PLY = 100;

// ── Search ──
struct Entry { u64 key; int16_t score; int16_t depth; int move, bound; };
enum { UPPER = 1, LOWER = 2, EXACT = 3 };

struct Search {
    std::vector<Entry> table = std::vector<Entry>(1 << 18);
    std::vector<u64> keys;  // of the game and the line searched, for repetitions
    int history[2][64][64] = {}, killers[MAX_PLY + 2][2] = {};
    long nodes = 0, node_limit = 0;
    int depth_limit = MAX_PLY;
    std::chrono::steady_clock::time_point deadline;
    bool timed = false;
    std::atomic<bool> stop{false};
    Move best = 0;

    bool out_of_budget() {
        if (node_limit && nodes >= node_limit) stop = true;
        if (timed && (nodes & 1023) == 0 && std::chrono::steady_clock::now() >= deadline) stop = true;
        return stop;
    }

    bool drawn(const Position& position) const {
        if (position.quiet_plies >= 100) return true;
        int size = int(keys.size()), back = std::min(position.quiet_plies, size - 1);
        for (int i = 2; i <= back; i += 2)
            if (keys[size - 1 - i] == position.key) return true;
        return false;
    }

    int order(const Position& position, Move move, Move first, int ply) const {
        if (move == first) return 1 << 30;
        int from = from_of(move), to = to_of(move), victim = position.board[to];
        if (victim != NONE || promotion_of(move)) return (1 << 28) + 64 * (victim == NONE ? 0 : victim + 1) + 512 * (promotion_of(move) == QUEEN) - position.board[from];
        if (move == killers[ply][0] || move == killers[ply][1]) return 1 << 27;
        return history[position.side][from][to];
    }
    void sort(const Position& position, Moves& moves, Move first, int ply) const {
        std::pair<int, Move> scored[256];
        for (int i = 0; i < moves.size; i++) scored[i] = {-order(position, moves.list[i], first, ply), moves.list[i]};
        std::stable_sort(scored, scored + moves.size, [](auto& a, auto& b) { return a.first < b.first; });
        for (int i = 0; i < moves.size; i++) moves.list[i] = scored[i].second;
    }

    int quiesce(const Position& position, int alpha, int beta, int ply) {
        nodes++;
        if (out_of_budget()) return 0;
        int score = evaluate(position);
        if (score >= beta || ply >= MAX_PLY) return score;
        alpha = std::max(alpha, score);
        Moves moves;
        position.generate(moves, true);
        sort(position, moves, 0, std::min(ply, MAX_PLY));
        for (int i = 0; i < moves.size; i++) {
            Position next = position;
            if (!next.play(moves.list[i])) continue;
            int value = -quiesce(next, -beta, -alpha, ply + 1);
            if (stop) return 0;
            if (value > score) score = value;
            if (score >= beta) return score;
            alpha = std::max(alpha, score);
        }
        return score;
    }

    int search(const Position& position, int alpha, int beta, int depth, int ply, bool null_allowed) {
        bool check = position.in_check();
        if (check) depth++;
        if (depth <= 0 || ply >= MAX_PLY) return quiesce(position, alpha, beta, ply);
        nodes++;
        if (out_of_budget()) return 0;
        if (ply && drawn(position)) return 0;
        Entry& entry = table[position.key & (table.size() - 1)];
        // At the root the best move so far comes first, so that an iteration that is broken off cannot lose it.
        Move first = ply == 0 ? best : entry.key == position.key ? entry.move : 0;
        if (ply && first && entry.depth >= depth && beta - alpha == 1)
            if (entry.bound == EXACT || (entry.bound == LOWER && entry.score >= beta) || (entry.bound == UPPER && entry.score <= alpha))
                return entry.score;
        bool pieces = position.sides[position.side] != (position.pieces[position.side][PAWN] | position.pieces[position.side][KING]);
        if (null_allowed && !check && pieces && depth >= 3 && beta - alpha == 1 && evaluate(position) >= beta) {
            Position next = position;
            next.pass();
            keys.push_back(next.key);
            int score = -search(next, -beta, -beta + 1, depth - 3, ply + 1, false);
            keys.pop_back();
            if (stop) return 0;
            if (score >= beta) return score < MATE - MAX_PLY ? score : beta;
        }
        Moves moves;
        position.generate(moves, false);
        sort(position, moves, first, ply);
        int best_score = -INFINITE, start_alpha = alpha, played = 0;
        Move best_move = 0;
        for (int i = 0; i < moves.size; i++) {
            Move move = moves.list[i];
            Position next = position;
            if (!next.play(move)) continue;
            bool quiet = !position.captures(move) && !promotion_of(move);
            keys.push_back(next.key);
            int score;
            int less = ++played > 4 && depth >= 3 && quiet && !check ? 1 + (played > 12) : 0;
            if (played == 1) score = -search(next, -beta, -alpha, depth - 1, ply + 1, true);
            else {
                score = -search(next, -alpha - 1, -alpha, depth - 1 - less, ply + 1, true);
                if (score > alpha && less && !stop) score = -search(next, -alpha - 1, -alpha, depth - 1, ply + 1, true);
                if (score > alpha && score < beta && !stop) score = -search(next, -beta, -alpha, depth - 1, ply + 1, true);
            }
            keys.pop_back();
            if (stop) return 0;
            if (score > best_score) best_score = score, best_move = move;
            if (score > alpha) {
                alpha = score;
                if (ply == 0) best = move;
            }
            if (alpha >= beta) {
                if (quiet) {
                    int& seen = history[position.side][from_of(move)][to_of(move)];
                    seen = std::min(seen + depth * depth, 1 << 20);
                    if (killers[ply][0] != move) killers[ply][1] = killers[ply][0], killers[ply][0] = move;
                }
                break;
            }
        }
        if (!played) return check ? ply - MATE : 0;
        if (abs(best_score) < MATE - MAX_PLY) {  // mates depend on the ply, so they stay out of the table
            int bound = best_score >= beta ? LOWER : best_score > start_alpha ? EXACT : UPPER;
            entry = {position.key, int16_t(best_score), int16_t(depth), best_move, bound};
        }
        return best_score;
    }

    void think(const Position& position) {
        nodes = 0, best = 0;
        std::memset(history, 0, sizeof history);
        std::memset(killers, 0, sizeof killers);
        Moves moves;
        position.generate(moves, false);
        for (int i = moves.size - 1; i >= 0; i--) {
            Position next = position;
            if (next.play(moves.list[i])) best = moves.list[i];
        }
        for (int depth = 1; depth <= depth_limit && !stop && best; depth++) {
            int score = search(position, -INFINITE, INFINITE, depth, 0, false);
            if (stop) break;
            if (abs(score) >= MATE - MAX_PLY) {
                int plies = MATE - abs(score), turns = (plies + 1) / 2;
                printf("info depth %d score mate %d nodes %ld pv %s\n", depth, score > 0 ? turns : -turns, nodes, move_text(best).c_str());
            } else printf("info depth %d score cp %d nodes %ld pv %s\n", depth, score, nodes, move_text(best).c_str());
        }
        printf("bestmove %s\n", best ? move_text(best).c_str() : "0000");
        fflush(stdout);
    }
};

// ── The trace ──
struct Known { std::string fen, game; double result = -1; int score = 0; bool scored = false; };  // for White

// A row of `evalsmith data export --format csv` (values for the side to move), or `FEN | score | result` for White.
bool read_row(const std::string& line, bool csv, Known& known) {
    known = Known();
    std::vector<std::string> fields(1);
    for (char letter : line)
        if (letter == (csv ? ',' : '|')) fields.emplace_back();
        else if (letter != '\r') fields.back() += letter;
    known.fen = fields[0];
    if (fields.size() < (csv ? 6 : 3)) return false;
    if (!csv) {
        known.scored = true, known.score = atoi(fields[1].c_str()), known.result = atof(fields[2].c_str());
        return true;
    }
    bool black = known.fen.find(" b ") != std::string::npos;
    if (!fields[1].empty()) {
        int value = atoi(fields[1].c_str());
        known.result = value == 0 ? 0.5 : (value > 0) != black ? 1 : 0;
    }
    if (!fields[2].empty()) known.scored = true, known.score = (black ? -1 : 1) * atoi(fields[2].c_str());
    known.game = fields[5];
    return true;
}

void print_header() {
    printf("# evalsmith-trace 1\n# phase %d\n# division truncate\n", PHASE_MAX);
    for (const Group& group : GROUPS)
        for (int i = 0; i < group.size; i++)
            printf("# feature %s[%d],%s,%d,%d\n", group.name, i, group.name, group.weights[i].mg, group.weights[i].eg);
    printf("# feature tempo,tempo,%d,%d,single\n", tempo, tempo);
}

int trace(const char* path) {
    std::ifstream file(path);
    if (!file) { fprintf(stderr, "cannot read %s\n", path); return 1; }
    print_header();
    std::string line;
    bool csv = false;
    Search search;
    long printed = 0, noisy = 0, number = 0;
    while (std::getline(file, line)) {
        if (++number == 1 && line.rfind("position,", 0) == 0) csv = true;
        if (number == 1) printf("result,score,phase,eval%s,features\n", csv ? ",game" : "");
        if (line.empty() || (csv && number == 1)) continue;
        Known known;
        Position position;
        if (!read_row(line, csv, known) || !read_fen(known.fen, position)) {
            fprintf(stderr, "%s, line %ld: not a position with its values: %s\n", path, number, line.c_str());
            return 1;
        }
        // The evaluation is meant for quiet positions: those whose value captures do not change.
        if (position.in_check() || search.quiesce(position, -INFINITE, INFINITE, 0) != evaluate(position) || abs(known.score) > 2000) {
            noisy++;
            continue;
        }
        int counts[FEATURES] = {};
        features(position, [&](int feature, int sign) { counts[feature] += sign; });
        counts[TEMPO] = position.side == WHITE ? 1 : -1;
        if (known.result >= 0) printf("%g", known.result);
        if (known.scored) printf(",%d", known.score); else printf(",");
        printf(",%d,%d,", phase_of(position), evaluate_white(position));
        if (csv) printf("%s,", known.game.c_str());
        for (int i = 0, first = 1; i < FEATURES; i++)
            if (counts[i]) printf(first ? "%d:%d" : " %d:%d", i, counts[i]), first = 0;
        printf("\n");
        printed++;
    }
    fprintf(stderr, "%ld positions, %ld left out as noisy\n", printed, noisy);
    return 0;
}

// ── UCI ──
void set_position(std::istringstream& in, Position& position, Search& search) {
    std::string word, fen;
    in >> word;
    if (word == "startpos") fen = START, in >> word;
    else while (in >> word && word != "moves") fen += word + " ";
    read_fen(fen, position);
    search.keys = {position.key};
    while (in >> word) {
        Moves moves;
        position.generate(moves, false);
        for (int i = 0; i < moves.size; i++)
            if (move_text(moves.list[i]) == word) { position.play(moves.list[i]); break; }
        search.keys.push_back(position.key);
    }
}

void set_limits(std::istringstream& in, const Position& position, Search& search) {
    std::string word;
    long clock[2] = {}, increment[2] = {}, movetime = 0;
    search.node_limit = 0, search.depth_limit = MAX_PLY - 1, search.stop = false;
    while (in >> word) {
        if (word == "nodes") in >> search.node_limit;
        else if (word == "depth") in >> search.depth_limit;
        else if (word == "movetime") in >> movetime;
        else if (word == "wtime" || word == "btime") in >> clock[word == "btime"];
        else if (word == "winc" || word == "binc") in >> increment[word == "binc"];
    }
    if (!movetime && clock[position.side])
        movetime = std::max(1L, std::min(clock[position.side] / 30 + increment[position.side] / 2, clock[position.side] - 50));
    search.timed = movetime > 0;
    search.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(movetime);
}

int main(int argc, char** argv) {
    init_tables();
    init_weights();
    Position position;
    read_fen(START, position);
    if (argc >= 3 && !strcmp(argv[1], "perft")) {
        if (argc > 3 && !read_fen(argv[3], position)) return fprintf(stderr, "not a position: %s\n", argv[3]), 1;
        printf("%llu\n", (unsigned long long)perft(position, atoi(argv[2])));
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "trace")) return trace(argv[2]);
    if (argc > 1) return fprintf(stderr, "usage: %s [perft DEPTH [FEN] | trace POSITIONS]\n", argv[0]), 2;
    setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
    Search search;
    search.keys = {position.key};
    std::thread thinking;
    auto finish = [&] { search.stop = true; if (thinking.joinable()) thinking.join(); };
    std::string line, word;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        in >> word;
        if (word == "uci") printf("id name Tinker\nid author the Evalsmith maintainers\nuciok\n");
        else if (word == "isready") printf("readyok\n");
        else if (word == "ucinewgame") finish(), std::fill(search.table.begin(), search.table.end(), Entry());
        else if (word == "position") finish(), set_position(in, position, search);
        else if (word == "go") finish(), set_limits(in, position, search), thinking = std::thread([&search, position] { search.think(position); });
        else if (word == "stop") finish();
        else if (word == "eval") printf("%d\n", evaluate_white(position));
        else if (word == "quit") break;
        word.clear();
    }
    finish();
}
