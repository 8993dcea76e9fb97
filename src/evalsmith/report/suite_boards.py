"""Boards of a suite: a position with the best move and those that players chose, as arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalsmith.games import Game
from evalsmith.games.svg import Arrow, element, escape
from evalsmith.report.page import Figure, Markup
from evalsmith.run import InputError
from evalsmith.suite.answers import Answer
from evalsmith.suite.run_result import shown_score

SIZE = 250.0
BEST, FIRST, SECOND = "#1f9d55", "#2f7fd0", "#e2362b"  # green, blue, red: apart on every board


@dataclass(frozen=True)
class Played:
    """A move as its text, in a colour; a wide arrow is drawn below narrow ones."""

    move: str
    colour: str
    weight: float


def board_picture(game: Game, text: str, moves: Sequence[Played], size: float = SIZE) -> str:
    """The position with an arrow for each move; what is not legal there is not drawn."""
    position = game.parse(text)
    arrows = []
    for played in moves:
        try:
            cells = game.move_cells(game.parse_move(position, played.move))
        except InputError:
            continue
        if cells is not None:
            arrows.append(Arrow(*cells, played.weight, played.colour))
    return game.svg(position, size=size, arrows=arrows)


def answer_figure(game: Game, answer: Answer) -> Figure:
    """A position with the best moves and the one that was played."""
    moves = [Played(move, BEST, 1.0) for move in answer.best.split()[:3]] + [Played(answer.move, SECOND, 0.3)]
    played = f"{answer.move or answer.reason}{_score(answer.move_score)}"
    best = f"best {answer.best}{_score(answer.best_score)}" if answer.best else "to avoid"
    caption = f"{answer.id}: {played}, {best}; loss {answer.loss:.1f}{f' ({answer.tags})' if answer.tags else ''}"
    return Figure(board_picture(game, answer.text, moves), caption)


def change_figure(game: Game, first: Answer, second: Answer) -> Figure:
    """A position with the moves of two players and the best ones."""
    moves = [Played(move, BEST, 1.0) for move in first.best.split()[:3]]
    moves += [Played(first.move, FIRST, 0.5), Played(second.move, SECOND, 0.1)]
    told = " → ".join(
        f"{one.move or one.reason}{_score(one.move_score)}, loss {one.loss:.1f}" for one in (first, second)
    )
    tags = f" ({first.tags})" if first.tags else ""
    return Figure(board_picture(game, first.text, moves), f"{first.id}: {told}; best {first.best}{tags}")


def _score(score: int) -> str:
    shown = shown_score(score)
    return f" ({shown})" if shown else ""


def legend(*entries: tuple[str, str]) -> Markup:
    """What the colours of arrows mean."""
    parts = [
        element("span", "", class_="key", style=f"background:{colour}") + escape(words) for colour, words in entries
    ]
    return Markup(element("p", *parts))
