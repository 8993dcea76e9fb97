"""PGN, the format of chess games: tags, moves, comments with scores, results."""
