"""Handicap starts: what the stronger player, who has white and moves first, leaves in the box."""

from __future__ import annotations

# The names that KIF files use → white's pieces that are missing, by square.
HANDICAPS: dict[str, tuple[str, ...]] = {
    "平手": (),
    "香落ち": ("1a",),
    "右香落ち": ("9a",),
    "角落ち": ("2b",),
    "飛車落ち": ("8b",),
    "飛香落ち": ("8b", "1a"),
    "二枚落ち": ("8b", "2b"),
    "三枚落ち": ("8b", "2b", "1a"),
    "四枚落ち": ("8b", "2b", "1a", "9a"),
    "五枚落ち": ("8b", "2b", "1a", "9a", "8a"),
    "左五枚落ち": ("8b", "2b", "1a", "9a", "2a"),
    "六枚落ち": ("8b", "2b", "1a", "9a", "8a", "2a"),
    "左七枚落ち": ("8b", "2b", "1a", "9a", "8a", "2a", "3a"),
    "右七枚落ち": ("8b", "2b", "1a", "9a", "8a", "2a", "7a"),
    "八枚落ち": ("8b", "2b", "1a", "9a", "8a", "2a", "7a", "3a"),
    "十枚落ち": ("8b", "2b", "1a", "9a", "8a", "2a", "7a", "3a", "6a", "4a"),
}
