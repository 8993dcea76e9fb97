"""Weights: the layout that names every number, the file, exports, and the evaluation taken apart."""

from evalsmith.weights.cof import Coefficients, read_cof
from evalsmith.weights.explain import Explanation, Part, explain
from evalsmith.weights.export import FORMATS, export_weights
from evalsmith.weights.file import Weights, load_weights, save_weights, starting_weights
from evalsmith.weights.layout import Layout

__all__ = [
    "FORMATS",
    "Coefficients",
    "Explanation",
    "Layout",
    "Part",
    "Weights",
    "explain",
    "export_weights",
    "load_weights",
    "read_cof",
    "save_weights",
    "starting_weights",
]
