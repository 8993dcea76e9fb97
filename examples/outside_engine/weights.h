// The weights of the evaluation, in centipawns: S(middle game, endgame). `evalsmith weights patch` rewrites the numbers
// between the markers and leaves all else as it is. The start values are plain on purpose: material alone.
#pragma once
struct Score { int mg, eg; };
#define S(mg, eg) Score{mg, eg}

// Pawn, knight, bishop, rook, queen.
inline const Score material[5] = {
    // evalsmith: begin material
    S( 100,  100),  // pawn
    S( 300,  300),  // knight
    S( 300,  300),  // bishop
    S( 500,  500),  // rook
    S( 900,  900),  // queen
    // evalsmith: end
};

// A pawn on files a to d (e to h mirrored), from the own first rank upwards.
inline const Score pawn_square[32] = {
    // evalsmith: begin pawn_square
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// A knight on files a to d (e to h mirrored), from the own first rank upwards.
inline const Score knight_square[32] = {
    // evalsmith: begin knight_square
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// A bishop on files a to d (e to h mirrored), from the own first rank upwards.
inline const Score bishop_square[32] = {
    // evalsmith: begin bishop_square
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// A rook on files a to d (e to h mirrored), from the own first rank upwards.
inline const Score rook_square[32] = {
    // evalsmith: begin rook_square
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// A queen on files a to d (e to h mirrored), from the own first rank upwards.
inline const Score queen_square[32] = {
    // evalsmith: begin queen_square
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// A king on files a to d (e to h mirrored), from the own first rank upwards.
inline const Score king_square[32] = {
    // evalsmith: begin king_square
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// Squares that a knight attacks without own pieces and squares of enemy pawns: 0 to 8.
inline const Score knight_mobility[9] = {
    // evalsmith: begin knight_mobility
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0),
    // evalsmith: end
};

// The same of a bishop: 0 to 13.
inline const Score bishop_mobility[14] = {
    // evalsmith: begin bishop_mobility
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// The same of a rook: 0 to 14.
inline const Score rook_mobility[15] = {
    // evalsmith: begin rook_mobility
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// The same of a queen: 0 to 27.
inline const Score queen_mobility[28] = {
    // evalsmith: begin queen_mobility
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// A passed pawn, by its rank from the own side.
inline const Score passed[8] = {
    // evalsmith: begin passed
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// A pawn that is isolated, doubled, defended by a pawn, or beside another.
inline const Score pawns[4] = {
    // evalsmith: begin pawns
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// Two bishops.
inline const Score pair[1] = {
    // evalsmith: begin pair
    S(   0,    0),
    // evalsmith: end
};

// A rook on an open file, on a half-open one.
inline const Score rook_file[2] = {
    // evalsmith: begin rook_file
    S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// Own pawns on the two ranks before the king: 0 to 3 or more.
inline const Score king_shield[4] = {
    // evalsmith: begin king_shield
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// Enemy pieces that attack a square around the king: 0 to 7.
inline const Score king_attackers[8] = {
    // evalsmith: begin king_attackers
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// An enemy knight or bishop attacked by a pawn; a rook or queen attacked by a pawn; the same by a knight or bishop.
inline const Score threats[3] = {
    // evalsmith: begin threats
    S(   0,    0), S(   0,    0), S(   0,    0),
    // evalsmith: end
};

// The side to move. One number: it is added behind the division, so the phase does not touch it.
// evalsmith: begin tempo
inline const int tempo = 0;
// evalsmith: end
#undef S
