"""Datasets from files of games: reading in chunks, checkpoints, appending."""
