"""Golden playthroughs: one complete random game as readable text, to see when the behaviour of a game changes.

    python -m evalsmith.games.playthrough tests/playthroughs             prints differences, exit code 1 if any
    python -m evalsmith.games.playthrough --write tests/playthroughs     rewrites the files

A playthrough shows all that a game promises not to change between versions: positions and moves as text, keys,
statuses, legal moves, terms and the result. Whoever changes a file on purpose also thinks about ``rules_version``.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from evalsmith.games.conformance.probe import Place, Probe
from evalsmith.games.game import CHANCE, OVER, PLAYER, Game
from evalsmith.games.registry import find_game, game_names
from evalsmith.run.atomic import write_text
from evalsmith.run.errors import EvalsmithError
from evalsmith.run.seeds import DEFAULT_SEED

CONSTANTS = ("words", "players", "max_moves", "max_plies", "max_terms", "max_outcomes", "slots", "unit", "win")
PICTURE_EVERY = 10
TERMS_SHOWN = 6
_STATUS = {PLAYER: "player", CHANCE: "chance", OVER: "over"}
_REPEATED = ("", "draw", "the mover wins", "the mover loses")


def playthrough(game: Game, seed: int = DEFAULT_SEED) -> str:
    """One random game from the start, chosen by the seed, with all that the game says of every position."""
    return "\n".join(_lines(game, seed)) + "\n"


def _lines(game: Game, seed: int) -> Iterator[str]:
    yield f"game: {game.name}"
    yield f"rules version: {game.rules_version}"
    yield f"seed: {seed}"
    for name in CONSTANTS:
        yield f"{name}: {getattr(game, name)}"
    yield f"sides: {', '.join(game.sides[: game.players])}"
    probe = Probe(game, seed)
    last = None
    for place in probe.walk(probe.stream("playthrough")):
        # Outcomes of chance share the ply of the move after them, so that pictures are counted by their first place.
        pictured = place.ply % PICTURE_EVERY == 0 and (last is None or last.ply < place.ply)
        yield ""
        yield from _place(probe, place, pictured or place.chosen < 0)
        last = place


def _place(probe: Probe, place: Place, pictured: bool) -> Iterator[str]:
    game, position = probe.game, place.position
    yield f"# ply {place.ply}"
    yield f"position: {game.format(position)}"
    if pictured:
        yield from _picture(game.text(position))
    yield f"key: {game.key(position):#018x}"
    yield f"status: {_STATUS[place.status]}"
    mover = game.mover(position)
    yield f"mover: {mover} {game.sides[mover]}"
    names = [game.format_move(position, move) for move in place.moves]
    yield " ".join([f"moves ({len(names)}):", *names])
    if place.status != OVER:
        yield _terms(probe, place)
    if place.status == CHANCE:
        yield f"outcomes: {len(probe.chance(position))}"
        yield f"outcome: {place.chosen}"
    elif place.chosen >= 0:
        yield f"move: {game.format_move(position, place.chosen)}"
    elif place.status == OVER:
        yield f"result for the mover: {game.result(position)}"
    else:
        yield f"ended by repetition: {_REPEATED[place.repeated]}" if place.repeated else "ended by max_plies"


def _picture(markup: str) -> Iterator[str]:
    from rich.text import Text

    for line in Text.from_markup(markup).plain.splitlines():
        yield f"    {line}".rstrip()


def _terms(probe: Probe, place: Place) -> str:
    """The first terms, and a digest of all."""
    index, value = probe.terms(place.position)
    pairs = [f"{int(i)}:{int(v)}" for i, v in zip(index, value, strict=True)]
    digest = hashlib.blake2b(" ".join(pairs).encode(), digest_size=8).hexdigest()
    shown = " ".join(pairs[:TERMS_SHOWN]) + (" …" if len(pairs) > TERMS_SHOWN else "")
    return f"terms ({len(pairs)}, phase {probe.phase(place.position)}): {shown} #{digest}"


def difference(game: Game, folder: Path, seed: int = DEFAULT_SEED) -> list[str]:
    """How the game's playthrough differs from its file, line by line; empty if it does not."""
    file = folder / f"{game.name}.txt"
    stored = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    now = playthrough(game, seed).splitlines()
    return list(difflib.unified_diff(stored, now, str(file), f"{game.name} now", lineterm=""))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare or write the playthroughs of the installed games."""
    parser = argparse.ArgumentParser(prog="python -m evalsmith.games.playthrough", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the files are, one a game")
    parser.add_argument("--write", action="store_true", help="rewrite the files")
    parser.add_argument("--game", action="append", help="only this game; may be given again (default: all installed)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    options = parser.parse_args(arguments)
    differs = False
    try:
        for name in options.game or game_names():
            game = find_game(name)
            if options.write:
                write_text(options.folder / f"{name}.txt", playthrough(game, options.seed))
            else:
                lines = difference(game, options.folder, options.seed)
                differs = differs or bool(lines)
                for line in lines:
                    print(line)
    except EvalsmithError as error:
        print(error, file=sys.stderr)
        return 2
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
