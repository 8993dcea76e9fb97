"""Which games and positions a dataset takes."""
