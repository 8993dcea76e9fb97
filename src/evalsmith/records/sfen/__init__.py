"""SFEN and USI: shogi positions and games, one a line."""
