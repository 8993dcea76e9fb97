"""Alpha-beta for every game.

slots         the work arrays and counters of one thread
table         the transposition table
techniques    what the search uses, each a switch
ordering      which move is tried first
quiescence    noisy moves are played out before a position is evaluated
pvs           the recursive search
sharing       how threads share the work
deepening     the root: iterative deepening, aspiration windows, several lines
searcher      the search as Python sees it
"""
