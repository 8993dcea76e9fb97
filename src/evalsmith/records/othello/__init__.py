"""The formats of Othello games and positions: WTHOR, GGF, transcripts and OBF."""
