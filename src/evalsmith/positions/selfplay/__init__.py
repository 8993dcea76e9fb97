"""Datasets from self-play."""
