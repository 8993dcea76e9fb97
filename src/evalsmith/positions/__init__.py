"""Positions: samples with what is known of them, and datasets of them.

samples     positions with results, scores, plies, games, as columns
replay      games played through in one compiled call
openings    where games of self-play and matches begin: random plies and books
store       datasets on disk: Parquet parts, what they hold, exports
selection   which games and positions are taken
importing   datasets from files of games
selfplay    datasets from self-play
labelling   values for the positions of a dataset
transform   datasets made of datasets: merge, split, sample, mixture
"""
