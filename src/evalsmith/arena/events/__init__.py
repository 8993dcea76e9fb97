"""Matches and tournaments: their settings, who plays whom, and the runner that plays what is missing."""
