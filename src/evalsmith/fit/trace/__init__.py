"""Traces of outside engines: what their evaluation counts in positions, read, checked, and made into rows of a fit."""

from evalsmith.fit.trace.checking import Checked, check_trace
from evalsmith.fit.trace.reading import READERS, Trace, read_trace
from evalsmith.fit.trace.rows import fitted_trace_weights, trace_rows, trace_space, write_trace_weights
from evalsmith.fit.trace.settings import TraceRules

__all__ = [
    "READERS",
    "Checked",
    "Trace",
    "TraceRules",
    "check_trace",
    "fitted_trace_weights",
    "read_trace",
    "trace_rows",
    "trace_space",
    "write_trace_weights",
]
