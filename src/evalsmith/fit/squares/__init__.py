"""Least squares: sparse rows, conjugate gradient, columns fitted one by one, curves of ordered features."""
