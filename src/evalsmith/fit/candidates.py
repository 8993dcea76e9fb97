"""Which settings of a joint fit are chosen, and among which values: ``target``, ``penalty=10,100``, ``quiet``.

Settings are chosen one after another in the order of `CHOOSABLE`, each with those before it as chosen and those after
it as given: what is fitted first, then the positions, then how strongly weights are held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalsmith.run.errors import InputError

Value = float | int | str | bool

PENALTY, TARGET, QUIET = "penalty", "target", "quiet"
PENALTIES = (10_000.0, 1000.0, 100.0, 10.0, 1.0)
FILTERS = (QUIET, "min_rating", "max_rating", "skip_opening", "skip_closing")
_YES_NO = {"yes": True, "no": False}


def _yes_or_no(text: str) -> bool:
    if text not in _YES_NO:
        raise ValueError(text)
    return _YES_NO[text]


CHOOSABLE: dict[str, Callable[[str], Value]] = {
    TARGET: str, "result_share": float, "k": float, QUIET: _yes_or_no, "min_rating": int, "max_rating": int,
    "skip_opening": int, "skip_closing": int, PENALTY: float,
}  # fmt: skip
"""The settings that can be chosen, in this order, and how a value of each is read."""

# Those of a target depend on what is known of the positions.
_DEFAULTS: dict[str, tuple[Value, ...]] = {
    TARGET: (), "result_share": (0.25, 0.5, 0.75), QUIET: (True, False), PENALTY: PENALTIES,
}  # fmt: skip


def read_choices(texts: Sequence[str]) -> dict[str, tuple[Value, ...]]:
    """The candidates of each setting, in the order in which they are chosen; empty where the data decides."""
    found: dict[str, tuple[Value, ...]] = {}
    for text in texts:
        name, given, listed = (part.strip() for part in text.partition("="))
        name = name.replace("-", "_")
        if name not in CHOOSABLE:
            raise InputError(f"choose cannot take {name!r}; settings that can be chosen are {', '.join(CHOOSABLE)}")
        if name in found:
            raise InputError(f"choose has {name} more than once")
        if not given and name not in _DEFAULTS:
            raise InputError(f"choose needs the candidates of {name}, as in '{name}=A,B'")
        found[name] = _values(name, listed) if given else _DEFAULTS[name]
    return {name: found[name] for name in CHOOSABLE if name in found}


def _values(name: str, listed: str) -> tuple[Value, ...]:
    values: list[Value] = []
    for text in listed.split(","):
        try:
            value = CHOOSABLE[name](text.strip())
        except ValueError:
            kind = "yes or no" if name == QUIET else "numbers"
            raise InputError(f"the candidates of {name} must be {kind}, not {text.strip()!r}") from None
        if value in values:
            raise InputError(f"choose has {name}={text.strip()} more than once")
        values.append(value)
    if len(values) < 2:
        raise InputError(f"choose needs two candidates of {name} at least, as in '{name}=A,B'")
    return tuple(values)


def value_text(value: Value) -> str:
    """A candidate as a user writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, int | float) else value
