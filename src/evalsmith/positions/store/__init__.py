"""Datasets on disk: Parquet parts, what they hold, and exports for other programs."""
