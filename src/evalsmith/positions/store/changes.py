"""How two ways of making a dataset differ, in words: for the refusal to mix them."""

from __future__ import annotations

from typing import Any

_SHOWN = 4  # differences that are named
# Values that are hashes, and what they stand for.
_HASHES = {
    "weights": "the player's weights",
    "book_hash": "the book",
    "of": "the datasets that it is made of",
    "beyond": "the dataset whose positions are not repeated",
}


def describe_changes(before: dict[str, Any], now: dict[str, Any]) -> str:
    """The first differences between how a dataset was made and how it would be made now."""
    found = changes(before, now)
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def changes(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """All differences."""
    found = _file_changes(before.get("sources", []), now.get("sources", []))
    old, new = _flat(before), _flat(now)
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) == new.get(key):
            continue
        if key in _HASHES:
            found.append(f"{_HASHES[key]} changed")
            continue
        values = ["not given" if made.get(key) is None else str(made[key]) for made in (old, new)]
        found.append(f"{key.replace('_', ' ')} was {values[0]}, is now {values[1]}")
    return found or ["it was made in another way"]


def _flat(made: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in made.items() if k not in ("sources", "selection")} | made.get("selection", {})


def _file_changes(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    old, new = ({str(file.get("name")): file.get("blake2b") for file in files} for files in (before, now))
    found = [f"{name} is missing now" for name in old if name not in new]
    found += [f"{name} is new" for name in new if name not in old]
    found += [f"{name} has changed" for name in old if name in new and old[name] != new[name]]
    return found or (["the files come in another order"] if before != now else [])
