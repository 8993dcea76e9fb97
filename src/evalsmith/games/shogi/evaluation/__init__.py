"""Parts of the evaluation of shogi, which ``terms.py`` puts together: the board, kings, castles, pieces in hand."""
