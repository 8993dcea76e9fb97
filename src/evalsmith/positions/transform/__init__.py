"""Datasets made of datasets: merge, split, sample, mixture."""
