"""The legal moves of shogi: where pieces reach, what the king allows, all moves, and whether one move is legal."""
