"""Where games begin: after random plies (drawing.py), or in a book of openings (book.py)."""
