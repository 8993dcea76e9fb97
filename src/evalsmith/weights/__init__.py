"""Weights: the layout that names every number, the file, what users call them, exports, the evaluation taken apart."""

from evalsmith.weights.cof import Coefficients, read_cof
from evalsmith.weights.explanation import Explanation, Part, explain, explain_position
from evalsmith.weights.export import FORMATS, export_weights
from evalsmith.weights.file import Weights, read_weights_file, save_weights, starting_weights
from evalsmith.weights.fitted import fitted_weights
from evalsmith.weights.layout import Layout
from evalsmith.weights.named import KINDS, NAMES, check_weights_text, default_weights, load_weights, weights_name
from evalsmith.weights.slices import read_slices, write_slices

__all__ = [
    "FORMATS",
    "KINDS",
    "NAMES",
    "Coefficients",
    "Explanation",
    "Layout",
    "Part",
    "Weights",
    "check_weights_text",
    "default_weights",
    "explain",
    "explain_position",
    "export_weights",
    "fitted_weights",
    "load_weights",
    "read_cof",
    "read_slices",
    "read_weights_file",
    "save_weights",
    "starting_weights",
    "weights_name",
    "write_slices",
]
