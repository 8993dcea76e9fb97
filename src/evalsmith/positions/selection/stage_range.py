"""A range of stages, as users write it: ``10-20``, or ``10`` alone."""

from __future__ import annotations

import re

from evalsmith.run.errors import InputError

_RANGE = re.compile(r"(\d+)(?:-(\d+))?", re.ASCII)


def stage_range(text: str | None) -> tuple[int, int] | None:
    """The first and the last stage; None where there is no text."""
    if text is None:
        return None
    found = _RANGE.fullmatch(text)
    if found is None:
        raise InputError(f"stages must be a number or a range such as 10-20, not {text!r}")
    first, last = int(found[1]), int(found[2] or found[1])
    if first > last:
        raise InputError(f"the stages {first}-{last} are in descending order; write the lower one first")
    return first, last
