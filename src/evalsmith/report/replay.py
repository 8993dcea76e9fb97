"""A game of a player as one page that steps through it, with what its search thought drawn over the board.

The page has no script: the steps are radio buttons, so arrow keys step as well as the links do.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalsmith.engine import Limit
from evalsmith.engine.limit import Line
from evalsmith.games import CHANCE, Game
from evalsmith.games.board import Board
from evalsmith.games.scores import spoken
from evalsmith.games.svg import element, escape
from evalsmith.players import Player
from evalsmith.report.page import Page
from evalsmith.run import InputError, derive

SHOWN = 6  # moves that are drawn and listed
_SIZE = 340
_STYLE = """<style>
.step-choice { position: absolute; opacity: 0; }
.step { display: none; }
.step-choice:checked + .step { display: grid; grid-template-columns: auto 1fr; gap: 1.5em; align-items: start; }
.step label { cursor: pointer; text-decoration: underline; margin-right: 1em; }
</style>"""


@dataclass(frozen=True)
class Frame:
    """A position, the move played there, and the lines that the search found, best first."""

    picture: str
    title: str
    lines: tuple[tuple[str, str, str, str], ...]


def write_replay(
    game: Game, player: Player, path: Path, *, start: str | None = None, limit: Limit, seed: int = 1
) -> int:
    """Let a player play a game (both sides, where there are two), and write its page; the number of moves."""
    frames, ending = play_frames(game, player, start, player.limit or limit, seed)
    page = Page(f"{player.name} plays {game.title}", subtitle=ending)
    page.paragraph(
        "Arrow keys step through the game. Numbers on the board are shares of the visits, where it has such."
    )
    page.markup(_STYLE)
    page.markup("".join(_step(number, frame, len(frames)) for number, frame in enumerate(frames)))
    page.write(path)
    return len(frames) - 1


def play_frames(game: Game, player: Player, start: str | None, limit: Limit, seed: int) -> tuple[list[Frame], str]:
    """All positions of a game with the thoughts of its player, and how it ended."""
    if player.outside is not None:
        raise InputError(f"{player.name} is a program; a page can be made of our own players")
    searcher: Any = None
    if player.added is not None:
        searcher = player.added.make(seed)
    elif not player.random:
        searcher = player.tree_searcher(seed) if player.method == "mcts" else player.searcher(limit, seed)
    board, source = Board(game, start), random.Random(derive(seed, "replay"))
    frames: list[Frame] = []
    last = None
    while board.outcome() is None:
        if board.status == CHANCE:
            board.draw(source)
            continue
        lines: tuple[Line, ...] = ()
        if searcher is not None:
            history = board.history if game.has_repetition else ()
            lines = searcher.think(board.position, limit, SHOWN, history=history).lines
        move = lines[0].move if lines else source.choice(game.moves(board.position))
        frames.append(_frame(game, board, move, lines, last, len(frames)))
        last = move
        board.play(move)
    ending = str(board.outcome())
    frames.append(Frame(_picture(game, board, last, {}), f"The end: {ending}", ()))
    return frames, ending


def _frame(game: Game, board: Board, move: int, lines: tuple[Line, ...], last: int | None, number: int) -> Frame:
    total = sum(line.visits or 0 for line in lines)
    shares = {line.move: f"{100 * (line.visits or 0) / total:.0f}" for line in lines} if total else {}
    rows = tuple(
        (
            game.write_move(board.position, line.move),
            spoken(game, line.score),
            "" if line.visits is None else str(line.visits),
            "" if line.prior is None else f"{100 * line.prior:.1f} %",
        )
        for line in lines
    )
    title = f"{number + 1}. {game.write_move(board.position, move)}"
    return Frame(_picture(game, board, last, shares), title, rows)


def _picture(game: Game, board: Board, last: int | None, shares: dict[int, str]) -> str:
    try:
        return game.svg(board.position, size=_SIZE, last=last, values=shares)
    except TypeError:  # a game may draw its board without marks
        return game.svg(board.position)


def _step(number: int, frame: Frame, count: int) -> str:
    choice = element("input", type="radio", name="step", id=f"step{number}", class_="step-choice",
                     **({"checked": "checked"} if number == 0 else {}))  # fmt: skip
    links = []
    for words, target in (("previous", number - 1), ("next", number + 1)):
        if 0 <= target < count:
            links.append(element("label", escape(words), for_=f"step{target}"))
    head = ("move", "score", "visits", "prior")
    table = element(
        "table",
        element("tr", *(element("th", escape(word)) for word in head)),
        *(element("tr", *(element("td", escape(cell)) for cell in row)) for row in frame.lines),
    )
    words = element("div", element("h2", escape(frame.title)), element("p", *links), table if frame.lines else "")
    return choice + element("div", element("div", frame.picture), words, class_="step")
