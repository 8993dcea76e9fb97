"""The format of Dr. Mario games: the examples of Maryodel."""
