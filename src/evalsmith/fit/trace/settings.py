"""How an outside engine turns its counts into a value: the phase, the division, and the file's first lines that say so.

# evalsmith-trace 1
# phase 24
# division truncate
# tolerance 0
# feature pawn,material,82,94
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from evalsmith.run import InputError
from evalsmith.weights.outside import OutsideWeights, feature_row, make_outside_weights

VERSION = 1
MARK = "evalsmith-trace"
DIVISIONS = ("truncate", "floor", "round", "none")
MOST_PHASE = 1 << 16
WORDS = (MARK, "phase", "division", "tolerance", "feature")


@dataclass(frozen=True)
class TraceRules:
    """value = divide(Σ count_mg·mg·phase + count_eg·eg·(most − phase), most) + Σ count·single, from White's view.

    ``phase`` is the most that a position's phase can be: the pure middle game; 0 is the pure endgame. ``division``
    says what the engine does with the remainder; ``tolerance`` how far its printed value may be from
    the recomputed one.
    """

    phase: float = 24.0
    division: str = "truncate"
    tolerance: float = 0.0

    @property
    def slack(self) -> float:
        """The difference that the check lets pass: without division values are printed with some decimals only."""
        return max(self.tolerance, 0.01 if self.division == "none" else 0.0)


@dataclass(frozen=True)
class Header:
    """What the first lines of a trace say: the rules, and the features where they are named there."""

    rules: TraceRules
    weights: OutsideWeights | None = None


def read_directives(lines: Iterable[tuple[str, str]], name: str) -> Header:
    """The header of a trace from its comment lines, each with the place that an error names."""
    rules = TraceRules()
    features = []
    for where, line in lines:
        word, _, rest = line.removeprefix("#").strip().partition(" ")
        if word == "feature":
            features.append((where, feature_row(next(csv.reader([rest]), []))))
        elif word in WORDS:
            rules = with_rule(rules, where, word, rest.strip())
        elif word.lower().rstrip(":=") in WORDS or word.startswith("evalsmith"):
            raise InputError(f"{where}: expected `# WORD VALUE` with one of {', '.join(WORDS)}, not {line.strip()!r}")
    return Header(rules, make_outside_weights(features, name) if features else None)


def with_rule(rules: TraceRules, where: str, word: str, value: str) -> TraceRules:
    """The rules with one of them changed, from its text."""
    if word == MARK:
        if value != str(VERSION):
            raise InputError(f"{where}: version {value!r} of the trace; this reads version {VERSION}")
        return rules
    if word == "division":
        if value not in DIVISIONS:
            raise InputError(f"{where}: unknown division {value!r}; expected one of {', '.join(DIVISIONS)}")
        return replace(rules, division=value)
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    least = 0.0 if word == "tolerance" else 1e-9
    if not least <= number <= MOST_PHASE:
        raise InputError(
            f"{where}: {word} must be a number {'from' if least == 0 else 'above'} 0 to {MOST_PHASE}, not {value!r}"
        )
    return replace(rules, phase=number) if word == "phase" else replace(rules, tolerance=number)
