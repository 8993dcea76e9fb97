"""Fitting: the design matrix, the solver, validation by game, and one tuning run."""
