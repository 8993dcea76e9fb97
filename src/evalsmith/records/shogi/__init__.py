"""What the formats of shogi games share: blocks of text, claims of moves, replaying them, terminations."""
