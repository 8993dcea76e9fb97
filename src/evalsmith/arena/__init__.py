"""The arena: matches and tournaments between any players, and honest statistics of them.

statistics/   Elo and its interval, SPRT, ratings of many players
results/      a logged game, the log, the result of a match, the table of a tournament
events/       settings, formats, the runner, matches and tournaments
play/         one game: openings, the referee, adjudication, workers, the fast path
spsa/         parameters of an engine, tuned by games between it and itself
"""
