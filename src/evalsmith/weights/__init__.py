"""Weights: the layout that names every number, the file, what users call them, exports, the evaluation taken apart."""

from evalsmith.weights.cof import Coefficients, read_cof
from evalsmith.weights.explanation import Explanation, Part, explain, explain_position
from evalsmith.weights.export import FORMATS, export_weights, format_of, write_weights_as
from evalsmith.weights.file import Weights, read_weights_file, save_weights, starting_weights
from evalsmith.weights.fitted import fitted_weights
from evalsmith.weights.layout import Layout
from evalsmith.weights.named import (
    KINDS,
    NAMES,
    check_weights_text,
    default_weights,
    load_any_weights,
    load_weights,
    weights_name,
)
from evalsmith.weights.outside import OutsideFeature, OutsideWeights, read_outside_weights, write_outside_weights
from evalsmith.weights.slices import read_slices, write_slices

__all__ = [
    "FORMATS",
    "KINDS",
    "NAMES",
    "Coefficients",
    "Explanation",
    "Layout",
    "OutsideFeature",
    "OutsideWeights",
    "Part",
    "Weights",
    "check_weights_text",
    "default_weights",
    "explain",
    "explain_position",
    "export_weights",
    "fitted_weights",
    "format_of",
    "load_any_weights",
    "load_weights",
    "read_cof",
    "read_outside_weights",
    "read_slices",
    "read_weights_file",
    "save_weights",
    "starting_weights",
    "weights_name",
    "write_outside_weights",
    "write_slices",
    "write_weights_as",
]
