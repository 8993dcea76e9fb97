"""Games as tags and moves in the game's own notation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from evalsmith.games import CHANCE, Game, find_game
from evalsmith.records.lists import format_result
from evalsmith.records.record import Record, Score
from evalsmith.records.text import clean
from evalsmith.run.errors import InputError

_WIDTH = 100


def format_moves(record: Record) -> str:
    """One game with a blank line behind it; what does not fit is an InputError."""
    game = find_game(record.game)
    tags = "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in _tags(game, record) if value)
    # Words are never broken: a move must stay one word.
    lines = textwrap.wrap(" ".join(_words(game, record)), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([tags, "", *lines]) + "\n\n"


def result_mark(game: Game, result: int | None) -> str:
    """The result for the first side as the tag has it."""
    if result is None:
        return "*"
    if game.win:
        return "1-0" if result > 0 else "0-1" if result < 0 else "1/2-1/2"
    return format_result(game, result)


def _tags(game: Game, record: Record) -> Iterator[tuple[str, str]]:
    yield "Game", game.name
    yield "Rules", str(game.rules_version)
    yield "Event", clean(record.event)
    yield "Date", clean(record.date)
    for side, player, rating in zip(("First", "Second"), record.players, record.ratings, strict=True):
        yield side, clean(player)
        yield f"{side}Elo", "" if rating is None else f"{rating:g}"
    yield "TimeControl", clean(record.time_control)
    if record.start is not None and not record.start.isprintable():
        raise InputError(f"the start {record.start!r} is not one line of text")
    yield "Position", record.start or ""
    yield "Result", result_mark(game, record.result)
    yield "Ending", clean(record.termination)


def _words(game: Game, record: Record) -> Iterator[str]:
    position = game.start() if record.start is None else game.parse(record.start)
    scores = record.scores or (None,) * len(record.moves)
    for move, score in zip(record.moves, scores, strict=True):
        chance = game.max_outcomes and game.status(position) == CHANCE
        word = str(move) if chance else game.format_move(position, move)
        if not word or word != "".join(word.split()) or word[0] in "{[":
            raise InputError(f"the move {word!r} of {game.name} is not one word, so it cannot be read back")
        yield word
        if score is not None:
            yield _comment(score)
        position = game.step(position, move)


def _comment(score: Score) -> str:
    """``{+35/6,0.012s}``; what is not known is left out."""
    value = "?" if score.value is None else f"{score.value:+d}"
    depth = "" if score.depth is None else f"/{score.depth}"
    # One word, so that no line is broken inside.
    return f"{{{value}{depth}" + ("}" if score.seconds is None else f",{score.seconds:.3f}s}}")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
