"""The exact score of an Othello position.

slots          the words of the solver's context
limits         when a solve must end unfinished
table          proven bounds and best moves
last_squares   the last four empty squares
ordering       which move to try first
exact          is a position worth more than a number of discs?
root           from bounds to a score and a line
solver         the game's ``solve`` hook
batch          the game's ``solve_many`` hook
"""

from evalsmith.games.othello.endgame.batch import Scores, solve_many
from evalsmith.games.othello.endgame.solver import DEFAULT_TABLE_BYTES, Progress, Solution, solve

__all__ = ["DEFAULT_TABLE_BYTES", "Progress", "Scores", "Solution", "solve", "solve_many"]
