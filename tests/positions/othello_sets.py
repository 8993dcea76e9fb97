"""Small datasets of Othello, made quickly."""

from __future__ import annotations

import random
from pathlib import Path

from evalsmith.games import OVER, find_game
from evalsmith.games.othello.rules import PASS
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.store.dataset import Dataset

OTHELLO = find_game("othello")


def transcripts(path: Path, seeds: range) -> Path:
    lines = []
    for seed in seeds:
        choose, position, text = random.Random(seed), OTHELLO.start(), ""
        while OTHELLO.status(position) != OVER:
            move = choose.choice(OTHELLO.moves(position))
            text += "" if move == PASS else OTHELLO.format_move(position, move)
            position = OTHELLO.play_unchecked(position, move)
        lines.append(text)
    path.write_text("\n".join(lines) + "\n")
    return path


def small(folder: Path, name: str, seeds: range, **choice: object) -> Dataset:
    """A dataset of random games."""
    source = transcripts(folder / f"{name}.txt", seeds)
    return import_games([source], folder / name, game="othello", **choice)  # type: ignore[arg-type]
