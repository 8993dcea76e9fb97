"""Players as a user writes them: ``self``, ``weights:FILE``, ``random``, each with ``;key=value`` options."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from evalsmith.games import Game
from evalsmith.run import InputError
from evalsmith.search import Limit, Searcher, prepare, table_bytes_for
from evalsmith.weights import Weights, load_weights, starting_weights

KINDS = ("self", "weights:FILE", "random")
_OPTIONS = ("name", "nodes", "depth", "movetime", "table")
MOST_TABLE_BYTES = 1 << 40


@dataclass(frozen=True)
class Player:
    """Our search in process with given weights, or random moves; ``limit`` overrides the match's."""

    name: str
    game: Game
    weights: Weights
    random: bool = False
    limit: Limit | None = None
    table_bytes: int | None = None

    def searcher(self, limit: Limit, seed: int) -> Searcher:
        """A searcher that plays as this player, for one thread."""
        chosen = self.limit or limit
        made = Searcher(self.game, self.weights, self.table_bytes or table_bytes_for(chosen.nodes))
        prepare(made, chosen, seed, random=self.random)
        return made


def parse_player(text: str, game: Game) -> Player:
    """The player that a text describes, or an InputError that says what is wrong in it."""
    body, *parts = [part.strip() for part in text.split(";")]
    options: dict[str, str] = {}
    for part in parts:
        key, sign, value = part.partition("=")
        if not sign or key not in _OPTIONS:
            raise InputError(f"player {text!r}: {part!r} is not one of the options {', '.join(_OPTIONS)}")
        if not value:
            raise InputError(f"player {text!r}: the option {key} has no value")
        options[key] = value
    kind, _, argument = body.partition(":")
    if body == "self":
        player = Player("self", game, starting_weights(game))
    elif body == "random":
        player = Player("random", game, starting_weights(game), random=True)
    elif kind == "weights" and argument:
        path = Path(argument)
        player = Player(path.stem, game, load_weights(path, game))
    else:
        raise InputError(f"player {text!r} is none of {', '.join(KINDS)}")
    depth, nodes = _whole(text, options, "depth"), _whole(text, options, "nodes")
    table_bytes = _whole(text, options, "table")
    if table_bytes is not None and not 0 < table_bytes <= MOST_TABLE_BYTES:
        raise InputError(f"player {text!r}: table must be from 1 to {MOST_TABLE_BYTES} bytes, not {options['table']}")
    try:
        limit = Limit(depth=depth, nodes=nodes, seconds=_number(text, options, "movetime"))
    except InputError as error:
        raise InputError(f"player {text!r}: {error}") from None
    return replace(
        player,
        name=options.get("name", player.name),
        limit=None if limit == Limit() else limit,
        table_bytes=table_bytes,
    )


def _number(text: str, options: dict[str, str], key: str) -> float | None:
    if key not in options:
        return None
    try:
        return float(options[key])
    except ValueError:
        raise InputError(f"player {text!r}: {key} must be a number, not {options[key]!r}") from None


def _whole(text: str, options: dict[str, str], key: str) -> int | None:
    value = _number(text, options, key)
    if value is not None and not value.is_integer():
        raise InputError(f"player {text!r}: {key} must be a whole number, not {options[key]!r}")
    return None if value is None else int(value)
