"""EPD, FEN and what tuners make of them: lists of chess positions, one a line."""
