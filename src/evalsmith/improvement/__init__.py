"""Weights improved by generations of self-play, fits and matches: `evalsmith improve`."""
