"""``evalsmith search``: the best moves of a position."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evalsmith.cli.output import (
    DEFAULT_REPLACEMENT,
    GameName,
    JsonFlag,
    Memory,
    Method,
    PositionText,
    Replacement,
    Seed,
    Threads,
    WeightsText,
    Without,
    load_game,
    print_json,
    print_table,
    read_position,
    say,
)

if TYPE_CHECKING:
    from evalsmith.games import Game, Position
    from evalsmith.search import Line, MctsSearcher, Searcher

DEFAULT_SECONDS = 2.0
DEFAULT_TREE_BYTES = 64 << 20


def search(
    game_name: GameName,
    position_text: PositionText = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Stop after so many positions.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Stop after this depth.")] = None,
    movetime: Annotated[float | None, typer.Option("--movetime", help="Stop after so many seconds.")] = None,
    multipv: Annotated[int, typer.Option("--multipv", help="How many best moves to show.")] = 1,
    method: Method = "alphabeta",
    weights: WeightsText = None,
    threads: Threads = 1,
    memory: Memory = None,
    without: Without = None,
    replacement: Replacement = DEFAULT_REPLACEMENT,
    seed: Seed = 1,
    json_output: JsonFlag = False,
) -> None:
    """Search a position for the best moves (two seconds, if no limit is given)."""
    from rich.table import Table

    from evalsmith.run import InputError
    from evalsmith.search import Limit, Searcher
    from evalsmith.weights import find_weights

    game = load_game(game_name)
    position = read_position(game, position_text)
    if nodes is None and depth is None and movetime is None:
        movetime = DEFAULT_SECONDS
    limit = Limit(depth=depth, nodes=nodes, seconds=movetime)
    chosen = find_weights(weights or "self", game)
    searcher: Searcher | MctsSearcher
    if method == "mcts":
        if without or replacement != DEFAULT_REPLACEMENT:
            raise InputError("--without and --replacement belong to alphabeta; mcts has neither techniques nor a table")
        from evalsmith.search import MctsSearcher

        searcher = MctsSearcher(game, chosen, memory_bytes=memory or DEFAULT_TREE_BYTES, threads=threads, seed=seed)
    elif method == "alphabeta":
        searcher = Searcher(
            game, chosen, memory_bytes=memory, threads=threads, without=without or (), replacement=replacement
        )
    else:
        raise InputError(f"the method must be alphabeta or mcts, not {method!r}")
    if nodes is not None and threads > 1:
        say("with several threads a search of so many nodes does not repeat")
    if memory is not None:
        say(f"memory: {searcher.memory}")
    with _Watch(game, position, searcher):
        thought = searcher.think(position, limit, multipv)
    lines = [_line(game, position, line) for line in thought.lines]
    if json_output:
        print_json(
            {
                "bestmove": lines[0]["move"] if lines else None,
                "lines": [{**line, "unit": game.unit, "nodes": thought.nodes, "pv": line["pv"]} for line in lines],
                "nodes": thought.nodes,
                "seconds": round(thought.seconds, 6),
            }
        )
        return
    if not lines:
        typer.echo("the game is over")
        return
    table = Table("move", f"score ({game.units})", "depth", "line")
    table.columns[1].justify = table.columns[2].justify = "right"
    for line in lines:
        table.add_row(line["move"], f"{line['score']:+d}", str(line["depth"]), " ".join(line["pv"]))
    rate = thought.nodes / max(thought.seconds, 1e-9)
    print_table(table, f"{thought.nodes:,} nodes in {thought.seconds:.2f} s ({rate / 1e6:.2f} million/s)")


def _line(game: Game, position: Position, line: Line) -> dict[str, Any]:
    names, here = [], position
    for move in line.moves:
        names.append(game.format_move(here, move))
        here = game.play_unchecked(here, move)
        if game.status(here) != 0:
            break
    return {"move": names[0], "score": line.score, "depth": line.depth, "pv": names}


class _Watch:
    """Says once a second how far a search is."""

    def __init__(self, game: Game, position: Position, searcher: Searcher | MctsSearcher) -> None:
        self.game, self.position, self.searcher = game, position, searcher
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()

    def watch(self) -> None:
        while not self.done.wait(1.0):
            for line in self.searcher.lines(1):
                if line.depth:
                    name = self.game.format_move(self.position, line.move)
                    say(f"depth {line.depth}: {name} {line.score:+d}, {self.searcher.nodes:,} nodes")
