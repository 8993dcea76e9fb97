"""ProbCut for any game: how well shallow searches predict deep ones, found by searching positions.

settings     what is asked
values       the values of positions at every depth, by workers
regression   lines through pairs of values, by stage
fitting      `fit_probcut`: positions, values, lines, weights
result       what was found
"""
