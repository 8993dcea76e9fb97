"""Evalsmith: from played games to a stronger evaluation, with proof.

The rooms, in the order in which they may import each other:

    run        run folders, events, atomic files, resume, progress, seeds, errors
    compile    the only package that imports numba: kernels, their cache, contexts
    scale      where work runs: threads here
    games      what a game is, the conformance kit, and one folder per game
    weights    layout, the weights file, exports
    records    files of played games
    search     alpha-beta, the transposition table, whole games inside one kernel
    protocols  our engine for interfaces and runners
    players    anything that picks a move
    positions  select, label, generate and store positions
    arena      matches and their statistics
    fit        design matrix, solvers, validation
    report     pages and pictures of any run
    cli        one file per verb; no logic
"""

__version__ = "0.1.0"
