"""Positions that random games rarely reach: few stacks and high ones, made by dealing the stones."""

from __future__ import annotations

import random

from naive import dvonn as naive


def composed(seed: int) -> naive.Dvonn:
    """Stones dealt at random onto some fields, the cut off ones removed; somebody is to move a stack."""
    choose = random.Random(seed)
    fields = choose.sample(naive.FIELDS, choose.randint(2, 45))
    coloured = [naive.WHITE] * 23 + [naive.BLACK] * 23
    choose.shuffle(coloured)
    lone = min(choose.randint(0, 3), len(fields) - 1)
    stacks = {name: [naive.RED] for name in fields[:lone]}
    owned = fields[lone:]
    stacks |= {name: [] for name in owned}
    under = coloured[len(owned) :]
    kept = choose.randint(0, len(under))
    high = choose.sample(owned, min(len(owned), choose.randint(1, 4)))
    for stone in [naive.RED] * (3 - lone) + under[:kept]:
        stacks[choose.choice(high if choose.random() < 0.7 else owned)].append(stone)
    for name, top in zip(owned, coloured, strict=False):
        stacks[name].append(top)
    game = naive.Dvonn(stacks, choose.choice([naive.WHITE, naive.BLACK]), stacking=True)
    game.remove_disconnected()
    return game
