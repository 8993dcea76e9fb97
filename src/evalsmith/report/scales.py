"""Numbers of charts: which can be drawn, how they read, their place on an axis and its ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy.typing as npt

# What charts take: lists or arrays, with None or NaN for what is missing.
Numbers: TypeAlias = Sequence[float | None] | Sequence[float] | Sequence[int] | npt.NDArray[Any]

# Values past the largest are taken as missing, those below the smallest as zero: the differences and
# quotients of such numbers are no longer finite or no longer exact.
LARGEST, SMALLEST = 1e300, 1e-290

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# From which size on a column of figures takes a prefix, its divisor, and its sign.
_PREFIXES = ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k"))


def finite(value: float | None) -> float | None:
    """The value, or None for what cannot be drawn."""
    if value is None:
        return None
    real = float(value)
    if not abs(real) <= LARGEST:
        return None
    return real if abs(real) >= SMALLEST else 0.0


def readable(value: float | None, digits: int = 4) -> str:
    """A number for a reader: 12,345; 0.1235; −3.5; 2.1×10⁻⁷; a dash where there is none."""
    real = None if value is None else float(value)
    if real is None or math.isnan(real):
        return "–"
    if math.isinf(real):
        return "∞" if real > 0 else "−∞"
    size = abs(real)
    if size and not 1e-4 <= size < 1e15:
        exponent = math.floor(math.log10(size))
        mantissa = (
            f"{real / 10.0**exponent:.{digits - 1}f}" if exponent > -300 else f"{real:.{digits - 1}e}".split("e")[0]
        )
        shown = mantissa.rstrip("0").rstrip(".") + "×10" + str(exponent).translate(_SUPERSCRIPTS)
    elif real == math.floor(real):
        shown = f"{real:,.0f}"
    else:
        decimals = max(1, digits - 1 - math.floor(math.log10(size))) if size < 10**digits else 1
        shown = f"{real:,.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown.replace("-", "−")


# ── Scales ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Scale:
    """A stretch of numbers, laid out between two places of the drawing; logarithmic when asked."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Where a value lies; values outside lie on the edge."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.log:
            low, high, here = math.log10(low), math.log10(high), math.log10(here)
        return self.start + (here - low) / (high - low) * (self.end - self.start)

    def moved(self, start: float, end: float) -> Scale:
        """The same numbers at another place."""
        return Scale(self.low, self.high, start, end, self.log)

    def ticks(self, count: int = 6) -> list[tuple[float, str]]:
        """Round numbers within the scale, and their labels."""
        if self.log and len(values := _log_ticks(self.low, self.high, count)) > 1:
            return [(value, _plain(value)) for value in values]
        step = nice_step(self.high - self.low, count)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        values = [index * step for index in range(first, last + 1)]
        return list(zip(values, _labels(values, step), strict=True))


def scale_for(values: Iterable[float], *, log: bool = False, zero: bool = False, snap: bool = True) -> Scale:
    """A scale that holds the values, and zero when asked; ``snap`` widens it to round numbers."""
    held = list(values)
    low, high = min(held), max(held)
    if log:
        if high / low < 1 + 1e-9:
            low, high = low / 2, high * 2
        if snap:
            low, high = _log_snap(low, high)
        return Scale(low, high, 0, 1, log=True)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        around = abs(low) / 10 or 1.0
        low, high = (0.0, 1.0) if zero else (low - around, high + around)
    if snap:
        step = nice_step(high - low, 6)
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return Scale(low, high, 0, 1)


def nice_step(span: float, count: int) -> float:
    """A step of 1, 2 or 5 times a power of ten that cuts a span into about ``count`` parts."""
    raw = span / max(count, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * (1 - 1e-9))


def _log_snap(low: float, high: float) -> tuple[float, float]:
    """The nearest of 1, 2, 5 times a power of ten outside."""
    below, above = 10.0 ** math.floor(math.log10(low)), 10.0 ** math.floor(math.log10(high))
    return (
        max(below * factor for factor in (1, 2, 5) if below * factor <= low * (1 + 1e-9)),
        min(above * factor for factor in (1, 2, 5, 10) if above * factor >= high * (1 - 1e-9)),
    )


def _log_ticks(low: float, high: float, count: int) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    decades = last - first
    factors = (1, 2, 5) if decades <= 2 else (1,)
    step = max(1, math.ceil(decades / count))
    candidates = [10.0**exponent * factor for exponent in range(first, last + 1, step) for factor in factors]
    return [value for value in candidates if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


def _labels(values: Sequence[float], step: float) -> list[str]:
    """All with the same number of decimals and the same prefix, as a column of figures has."""
    largest = max((abs(value) for value in values), default=0.0)
    if largest >= 1e13 or 0 < largest < 1e-3:
        return [readable(value, 3) for value in values]
    divisor, prefix = next(((by, sign) for size, by, sign in _PREFIXES if largest >= size), (1.0, ""))
    decimals = max(0, -math.floor(math.log10(step / divisor) + 1e-9))
    shown = [f"{value / divisor:,.{decimals}f}" for value in values]
    zero = f"{0:.{decimals}f}"
    return ["0" if s.lstrip("-") == zero else s.replace("-", "−") + prefix for s in shown]


def _plain(value: float) -> str:
    """A tick of a logarithmic axis."""
    for divisor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if divisor <= value < 1e12:
            return readable(value / divisor, 3) + prefix
    return readable(value, 3)
