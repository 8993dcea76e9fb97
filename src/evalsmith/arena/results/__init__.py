"""Finished games and what they come to: the log of an event, the result of a match, the table of a tournament."""
