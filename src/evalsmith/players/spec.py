r"""Players as a user writes them: a kind, and ``;key=value`` options.

    self                                our search with the default weights: fitted ones if the game ships them
    weights:FILE;nodes=500              our search with weights of a file, under a limit of its own
    weights:fitted, slices:FOLDER       … or with others that evalsmith.weights.named knows
    hand-set, zero, fitted, FILE        the same without the prefix, for names and files
    random                              random legal moves
    self;without=lmr,null               … without some techniques of the search (evalsmith.engine.alphabeta.techniques)
    self;lmr_base=80                    … or with other constants of the search (evalsmith.engine.constants)
    uci:stockfish;option.Hash=16        an outside program, found in PATH
    net:FILE, rollouts, greedy          players of other rooms and packages (evalsmith.players.kinds)

A command is read as a shell reads its words. A ``;`` that belongs to a value is written ``\;``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

from evalsmith.engine import Limit, MctsSearcher, Searcher, prepare, table_bytes_for
from evalsmith.engine.alphabeta import techniques
from evalsmith.engine.constants import CONSTANTS, SearchConstants, constants_of, parse_constants
from evalsmith.engine.limit import MAX_THREADS
from evalsmith.engine.mcts.searcher import DEFAULT_MEMORY_BYTES
from evalsmith.games import Game
from evalsmith.players.kinds import Added, added_kinds, find_kind
from evalsmith.players.limit import PlayLimit, parse_tc
from evalsmith.players.outside import OPTIONS as OUTSIDE_OPTIONS
from evalsmith.players.outside import PREFIXES, Outside, parse_outside
from evalsmith.protocols import NAMES as PROTOCOLS
from evalsmith.run import InputError, derive
from evalsmith.weights import NAMES, Weights, default_weights, load_weights, starting_weights, weights_name
from evalsmith.weights.named import FOLDERS

KINDS = (
    "self",
    "hand-set",
    "zero",
    "fitted",
    "a weights file",
    "weights:FILE",
    "weights:NAME",
    *(f"{kind}:FOLDER" for kind in FOLDERS),
    "random",
    *(f"{protocol}:COMMAND" for protocol in PROTOCOLS),
)
METHODS = ("alphabeta", "mcts")
_COMMON = ("name", "nodes", "depth", "movetime", "tc", "byoyomi", "budget", "margin")
_OWN = (*_COMMON, "table", "memory", "method", "threads", "without", *CONSTANTS)
MAX_TABLE_BYTES = 1 << 40

Options: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values of options of an engine."""


@dataclass(frozen=True)
class Player:
    """Our search in process with given weights, random moves, or an outside program; ``limit`` overrides the match's.

    ``memory`` bounds the table (or tree) and the work arrays of our search, in bytes, as ``--memory`` does; the weights
    come beside it. With several ``threads`` a search of a fixed number of nodes does not repeat. ``without`` are
    techniques that alpha-beta leaves out; ``own_constants``, if there are any, take the place of the game's. ``text``
    describes the player to ``parse_player`` again, in another process for instance.
    """

    name: str
    game: Game
    weights: Weights
    random: bool = False
    limit: Limit | None = None
    table_bytes: int | None = None
    method: str = "alphabeta"
    memory: int | None = None
    threads: int = 1
    own_constants: SearchConstants | None = None
    without: tuple[str, ...] = ()
    outside: Outside | None = None
    added: Added | None = None
    text: str = ""

    @property
    def constants(self) -> SearchConstants:
        """What the techniques of alpha-beta are measured by."""
        return self.own_constants or constants_of(self.game)

    @property
    def in_kernel(self) -> bool:
        """Whether complete games of this player can be played inside one kernel."""
        clocked = isinstance(self.limit, PlayLimit) and self.limit.timed
        ours = self.outside is None and self.added is None
        return ours and self.method == "alphabeta" and not clocked and self.threads == 1

    def __getstate__(self) -> dict[str, Any]:
        # Programs and random movers have weights only for form, and those of a game may be many.
        state = {each.name: getattr(self, each.name) for each in fields(self)}
        return {**state, "weights": None} if self.random or self.outside is not None else state

    def __setstate__(self, state: dict[str, Any]) -> None:
        weights = starting_weights(state["game"]) if state["weights"] is None else state["weights"]
        self.__dict__.update(state, weights=weights)

    def here(self) -> Player:
        """The player as it is on this machine, where it was described on another one."""
        if self.outside is None:
            return self
        try:
            return replace(self, outside=self.outside.here())
        except InputError as error:
            raise type(error)(f"player {self.name!r}: {error}") from None

    def tuned(self, options: Options) -> Player:
        """The player with other values of some options: constants of our search, or those of a program."""
        if not options:
            return self
        if self.added is not None:
            raise InputError(f"player {self.name!r} has no constants that can be changed")
        if self.outside is None:
            return replace(self, own_constants=self.constants.override(parse_constants(dict(options))))
        given = {name.lower() for name, _ in options}
        others = tuple(option for option in self.outside.options if option[0].lower() not in given)
        return replace(self, outside=replace(self.outside, options=(*others, *options)))

    def check_searcher(self) -> None:
        """Refuse a player that has no alpha-beta searcher."""
        if self.outside is not None or self.added is not None or self.method != "alphabeta":
            raise InputError(f"player {self.name!r} is not our alpha-beta search; only that can play here")

    def searcher(self, limit: Limit, seed: int) -> Searcher:
        """An alpha-beta searcher that plays as this player, for one caller."""
        self.check_searcher()
        chosen = self.limit or limit
        size = self.table_bytes or table_bytes_for(chosen.nodes)
        how: dict[str, Any] = {"threads": self.threads, "constants": self.constants, "without": self.without}
        made = Searcher(self.game, self.weights, size, **how)
        if self.memory is not None and made.memory.bounded > self.memory:
            try:
                made = Searcher(self.game, self.weights, memory_bytes=self.memory, **how)
            except InputError as error:
                raise InputError(f"player {self.name!r}: {error}") from None
        prepare(made, chosen, seed, random=self.random)
        return made

    def tree_searcher(self, seed: int) -> MctsSearcher:
        """A Monte Carlo tree searcher that plays as this player, for one caller."""
        memory = self.memory or DEFAULT_MEMORY_BYTES
        seed = derive(seed, "mcts") >> 2
        return MctsSearcher(self.game, self.weights, memory_bytes=memory, threads=self.threads, seed=seed)


def parse_player(text: str, game: Game, known: Mapping[str, str] | None = None) -> Player:
    """The player that a text describes, or an InputError that says what is wrong in it.

    ``known`` are texts of players by name, as ``load_players`` reads them; options may follow such a name.
    """
    body, *parts = _split(text)
    if known and body in known:
        return parse_player(";".join([known[body], f"name={_escape(body)}", *map(_escape, parts)]), game)
    kind, _, argument = ("weights", ":", body) if _is_weights(body) else body.partition(":")
    outside = kind in PROTOCOLS and bool(argument.strip())
    if kind in added_kinds():
        return _added(kind, argument, parts, text, game)
    if not outside and body not in ("self", "random") and not (kind in ("weights", *FOLDERS) and argument):
        kinds = ", ".join((*KINDS, *added_kinds()))
        raise InputError(f"player {text!r} is not one of {kinds}{_names(known)}")
    try:
        options = _options(parts, (*_COMMON, *OUTSIDE_OPTIONS) if outside else _OWN, PREFIXES if outside else ())
        if outside:
            program = parse_outside(kind, argument, options, game)
            name = Path(program.launch.command[0]).name
            player = Player(name, game, starting_weights(game), outside=program)
        elif body == "self":
            player = Player("self", game, default_weights(game))
        elif body == "random":
            player = Player("random", game, starting_weights(game), random=True)
        else:
            described = argument if kind == "weights" else body
            weights = load_weights(described, game)
            player = Player(weights_name(described, weights), game, weights)
        return _finished(player, text, options)
    except InputError as error:
        raise type(error)(f"player {text!r}: {error}") from None


def _added(kind: str, argument: str, parts: list[str], text: str, game: Game) -> Player:
    """A player of a kind that another room or package adds."""
    try:
        found = find_kind(kind)
        if bool(argument) != bool(found.argument):
            raise InputError(f"it is written {kind}:{found.argument}" if found.argument else f"it is written {kind}")
        options = _options(parts, (*_COMMON, *found.options), ())
        added = found.parse(argument, {key: options[key] for key in found.options if key in options}, game)
        player = Player(added.name, game, starting_weights(game), added=added)
        return replace(player, name=options.get("name", player.name), limit=_limit(options), text=text)
    except InputError as error:
        raise type(error)(f"player {text!r}: {error}") from None


def _is_weights(body: str) -> bool:
    """Whether a player is only the name or the file of its weights."""
    if body in ("self", "random") or body.partition(":")[0] in (*PROTOCOLS, *added_kinds(), "weights", "cof"):
        return False
    return body in NAMES or body.endswith(".json") or Path(body).is_file()


def _names(known: Mapping[str, str] | None) -> str:
    return f", nor one of the names {', '.join(known)}" if known else ""


def _finished(player: Player, text: str, options: dict[str, str]) -> Player:
    """The player with its name, limit and memory."""
    if player.outside is None:
        table, memory = _bytes(options, "table"), _bytes(options, "memory")
        method = options.get("method", METHODS[0])
        if method not in METHODS:
            raise InputError(f"method is one of {', '.join(METHODS)}, not {method!r}")
        threads = 1 if (given := _whole(options, "threads")) is None else given
        if not 1 <= threads <= MAX_THREADS:
            raise InputError(f"threads must be from 1 to {MAX_THREADS}, not {options['threads']}")
        chosen = parse_constants(options)
        if method == "mcts" and chosen:
            raise InputError(f"{next(iter(chosen))} belongs to alphabeta; mcts has no such constant")
        without = tuple(name for name in options.get("without", "").split(",") if name)
        techniques.chosen(player.game, without)
        if method == "mcts" and without:
            raise InputError(f"{without[0]} belongs to alphabeta; mcts has no such technique")
        player = replace(player, table_bytes=table, memory=memory, method=method, threads=threads)
        constants = constants_of(player.game).override(chosen) if chosen else None
        player = replace(player, own_constants=constants, without=without)
    return replace(player, name=options.get("name", player.name), limit=_limit(options), text=text)


def _limit(options: dict[str, str]) -> Limit | None:
    """A limit of moves alone is a plain one, so that games inside a kernel can keep it."""
    depth, nodes, seconds = _whole(options, "depth"), _whole(options, "nodes"), _number(options, "movetime")
    if not {"tc", "byoyomi", "budget", "margin"} & options.keys():
        limit = Limit(depth=depth, nodes=nodes, seconds=seconds)
        return None if limit == Limit() else limit
    base, increment, moves = parse_tc(options["tc"]) if "tc" in options else (None, 0.0, None)
    clock = {"byoyomi": _number(options, "byoyomi") or 0.0, "budget": _number(options, "budget")}
    margin = {} if "margin" not in options else {"margin": _number(options, "margin")}
    limit = PlayLimit(
        depth=depth,
        nodes=nodes,
        seconds=seconds,
        base=base,
        increment=increment,
        control_moves=moves,
        **clock,  # type: ignore[arg-type]
        **margin,  # type: ignore[arg-type]
    )
    if not limit.timed and Limit(depth, nodes, seconds) == Limit():
        raise InputError("a margin alone is not a limit; give it with movetime, tc, byoyomi or budget")
    return limit


# ── The text ────────────────────────────────────────────────────────────────────────────────────


def _split(text: str) -> list[str]:
    """The body and the options; quotes protect a ``;`` in a command, a backslash does everywhere."""
    parts, quote = [""], ""
    quoting = text.lstrip().partition(":")[0] in PROTOCOLS
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == "\\" and text[at + 1 : at + 2] == ";":
            letter, at = ";", at + 1
            parts[-1] += letter
        elif letter == ";" and not quote:
            parts.append("")
        else:
            if quoting and len(parts) == 1 and letter in "'\"":
                quote = "" if quote == letter else quote or letter
            parts[-1] += letter
        at += 1
    return [part.strip() for part in parts]


def _escape(text: str) -> str:
    return text.replace(";", "\\;")


def _options(parts: list[str], known: tuple[str, ...], prefixes: tuple[str, ...]) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in parts:
        key, sign, value = part.partition("=")
        if not sign or (key not in known and not key.startswith(prefixes or "\0")):
            names = (*known, *(f"{prefix}X" for prefix in prefixes))
            raise InputError(f"{part!r} is not one of the options {', '.join(names)}")
        if not value and not key.startswith("option."):
            raise InputError(f"the option {key} has no value")
        options[key] = value
    return options


def _bytes(options: dict[str, str], key: str) -> int | None:
    value = _whole(options, key)
    if value is not None and not 0 < value <= MAX_TABLE_BYTES:
        raise InputError(f"{key} must be from 1 to {MAX_TABLE_BYTES} bytes, not {options[key]}")
    return value


def _number(options: dict[str, str], key: str) -> float | None:
    if key not in options:
        return None
    try:
        return float(options[key])
    except ValueError:
        raise InputError(f"{key} must be a number, not {options[key]!r}") from None


def _whole(options: dict[str, str], key: str) -> int | None:
    value = _number(options, key)
    if value is not None and not (math.isfinite(value) and value.is_integer()):
        raise InputError(f"{key} must be a whole number, not {options[key]!r}")
    return None if value is None else int(value)
