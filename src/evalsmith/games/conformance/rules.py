"""The laws of a game's numbers, its random games, its moves and its chance, one function each.

A law yields once for every trial: None when the law holds, otherwise what is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from evalsmith.compile import Context
from evalsmith.games.conformance.probe import GARBAGE, Place, Probe
from evalsmith.games.contract import CONTEXT_SIZE, EVALUATION, FRESH, REQUIRED, SIGNATURES, bind
from evalsmith.games.game import CHANCE, OVER, PLAYER, Game
from evalsmith.run.errors import KernelError, MoveError

MOVE_LIMIT = 1 << 24
# No margin of any game comes near this, and the search can still add plies to it.
RESULT_LIMIT = 1_000_000

Trials = Iterator[str | None]


def constants(game: Game) -> Trials:
    """The numbers of the game are such that buffers can be made of them."""
    for name in ("words", "max_moves", "slots", "max_plies", "max_terms"):
        number = getattr(game, name)
        yield None if isinstance(number, int) and number > 0 else f"{name} is {number!r}, not a positive number"
    yield None if game.unit.strip() else "unit is empty"
    yield None if game.players in (1, 2) else f"players is {game.players!r}, neither 1 nor 2"
    least = min(game.win, game.margin, game.max_outcomes)
    yield None if least >= 0 else "win, margin and max_outcomes must not be negative"
    yield None if len(game.sides) >= game.players else f"{game.players} players have only the names {game.sides}"
    masks = all(0 <= word < game.words and 0 < mask < 1 << 64 for word, mask in game.counters.items())
    yield None if masks else f"counters is {game.counters}, not masks of 64 bits by word, of {game.words} words"


def kernels(game: Game) -> Trials:
    """The game has what the contract requires, and all of it can be compiled."""
    rules = [name for name in SIGNATURES if name not in EVALUATION]
    missing = [name for name in REQUIRED if not hasattr(game.rules_module, name)]
    yield f"{game.rules_module.__name__} lacks {', '.join(missing)}; the contract requires them" if missing else None
    for module, names in ((game.rules_module, rules), (game.terms_module, list(EVALUATION))):
        for name in names:
            function = getattr(module, name, None)
            if function is None:
                continue
            try:
                bind(Context(CONTEXT_SIZE), {name: function})
            except KernelError as error:
                yield str(error)
            else:
                yield None


def starting_position(probe: Probe) -> Trials:
    """The start is a row of the right kind, and a new one each time."""
    start = probe.game.start()
    kind, expected = f"{start.dtype} of shape {start.shape}", f"uint64 of shape ({probe.game.words},)"
    yield None if kind == expected else f"start() is {kind}, not {expected}"
    kept = start.copy()
    start[:] = GARBAGE
    yield None if np.array_equal(probe.game.start(), kept) else "start() gives the same array twice"
    start[:] = kept


def random_games(probe: Probe, number: int, places: list[Place]) -> Trials:
    """A game can be played; its positions go into ``places``."""
    for place in probe.walk(probe.stream("game", number)):
        places.append(place)
        yield None


def ending(probe: Probe, place: Place) -> Trials:
    """A random game is over within ``max_plies``; asked at the last position of one."""
    within = place.over and place.ply <= probe.game.max_plies
    yield None if within else f"a random game is not over after {place.ply} plies; max_plies is {probe.game.max_plies}"


# ── Moves ───────────────────────────────────────────────────────────────────────────────────────


def moves_in_range(probe: Probe, place: Place) -> Trials:
    """Moves are distinct numbers of 24 bits, and no more than ``max_moves``."""
    outside = [move for move in place.moves if not 0 <= move < MOVE_LIMIT]
    yield f"moves outside 0 … 2^24 - 1: {outside}" if outside else None
    twice = [move for move, count in Counter(place.moves).items() if count > 1]
    yield f"moves listed twice: {twice}" if twice else None
    count, limit = len(place.moves), probe.game.max_moves
    yield f"{count} moves, but max_moves is {limit}" if count > limit else None


def status_and_moves(probe: Probe, place: Place) -> Trials:
    """A player who is to move can, and a finished game has no moves.

    A game that the rules call drawn may keep its moves, for perft counts on (fifty quiet moves in chess).
    """
    game, count = probe.game, len(place.moves)
    if place.status not in (PLAYER, CHANCE, OVER):
        yield f"status is {place.status}, none of 0, 1, 2"
    elif place.status == PLAYER:
        yield None if count else "a player is to move and has no move"
    elif place.status == CHANCE:
        yield None if game.max_outcomes else "chance is to move, but max_outcomes is 0"
    else:
        drawn = game.win > 0 and game.result(place.position.copy()) == 0
        yield None if drawn or not count else f"the game is over and has {count} moves"


def mover_in_range(probe: Probe, place: Place) -> Trials:
    """The mover is one of the players."""
    mover, players = probe.game.mover(place.position.copy()), probe.game.players
    yield None if 0 <= mover < players else f"mover is {mover}, with {players} players"


def result_in_range(probe: Probe, place: Place) -> Trials:
    """A finished game is worth no more than ``win``, or a margin that search can count with."""
    if place.status == OVER:
        result, limit = probe.game.result(place.position.copy()), probe.game.win or probe.game.margin or RESULT_LIMIT
        yield None if abs(result) <= limit else f"result is {result}, beyond {limit}"


def move_texts(probe: Probe, place: Place) -> Trials:
    """Every legal move is read back from its text, and no two have the same."""
    if place.status != PLAYER:
        return
    texts = [probe.game.format_move(place.position.copy(), move) for move in place.moves]
    for move, text in zip(place.moves, texts, strict=True):
        try:
            read = probe.game.parse_move(place.position.copy(), text)
        except Exception as error:
            yield f"move {move} is written {text!r}, and parse_move must read what format_move writes: {error}"
            continue
        yield None if read == move else f"move {move} is written {text!r} and read back as {read}"
    odd = [text for text in texts if not text or text != "".join(text.split()) or text[0] in "{["]
    yield (
        f"the move {odd[0]!r} is not one word, as files and protocols need it; format_move must write one"
        if odd
        else None
    )
    same = [text for text, count in Counter(texts).items() if count > 1]
    yield f"several moves are written {', '.join(same)}; format_move must tell them apart" if same else None


def illegal_moves(probe: Probe, place: Place) -> Trials:
    """``Game.play`` refuses what is not a legal move."""
    choose = probe.stream("illegal", place.ply)
    for move in (-1, choose.randrange(probe.game.slots + 1), choose.randrange(MOVE_LIMIT)):
        if move in place.moves:
            continue
        try:
            probe.game.play(place.position.copy(), move)
        except MoveError:
            yield None
        else:
            yield f"play accepts {move}, which is not a legal move"


def noisy_moves(probe: Probe, place: Place) -> Trials:
    """Noisy moves are legal and distinct; in check they are all there are."""
    if place.status != PLAYER:
        return
    noisy = probe.noisy(place.position)
    stray = sorted(set(noisy) - set(place.moves))
    yield f"noisy lists what is not legal: {stray}" if stray else None
    yield "noisy lists a move twice" if len(set(noisy)) < len(noisy) else None
    if probe.game.check(place.position.copy()):
        missing = sorted(set(place.moves) - set(noisy))
        yield f"in check, and noisy leaves out {missing}" if missing else None


def slots(probe: Probe, place: Place) -> Trials:
    """The moves of a position have slots of their own, below ``slots``."""
    if place.status != PLAYER:
        return
    taken: dict[int, int] = {}
    for move in place.moves:
        slot = probe.game.slot(place.position.copy(), move)
        other = taken.setdefault(slot, move)
        if not 0 <= slot < probe.game.slots:
            yield f"move {move} has slot {slot}; there are {probe.game.slots}: raise `slots`, or number them from 0"
        else:
            yield (
                None
                if other == move
                else (f"moves {other} and {move} share slot {slot}; slot must give every move of a position its own")
            )


def order_and_capture_value(probe: Probe, place: Place) -> Trials:
    """Both answer for every legal move."""
    if place.status == PLAYER:
        for move in place.moves:
            probe.game.order(place.position.copy(), move)
            probe.game.capture_value(place.position.copy(), move)
            yield None


def exchanges(probe: Probe, place: Place) -> Trials:
    """No exchange wins more than its first move captures, and what wins so much wins less too."""
    if place.status != PLAYER:
        return
    if not hasattr(probe.game.rules_module, "exchange"):
        yield None
        return
    for move in place.moves:
        won = probe.game.capture_value(place.position.copy(), move)
        if probe.game.exchange(place.position.copy(), move, won + 1):
            yield f"exchange says that move {move} wins more than {won}, which is all that it captures at once"
            continue
        answers = [probe.game.exchange(place.position.copy(), move, least) for least in (won, won - 100, won - 10**7)]
        right = answers == sorted(answers) and answers[-1]
        yield (
            None
            if right
            else f"exchange of move {move} says {answers} for less and less to win: no may become yes only"
        )


def repetition(probe: Probe, place: Place) -> Trials:
    """Without a past nothing is repeated."""
    said = probe.game.repeated(place.position.copy(), [], [])
    yield None if said == FRESH else f"repeated is {said} although no position came before"


# ── Chance ──────────────────────────────────────────────────────────────────────────────────────


def probabilities(probe: Probe, place: Place) -> Trials:
    """The outcomes of chance are possible, few enough, and sum to 1."""
    if place.status != CHANCE:
        return
    given = probe.chance(place.position)
    count, limit = len(given), probe.game.max_outcomes
    yield None if 0 < count <= limit else f"{count} outcomes, but max_outcomes is {limit}"
    yield None if all(p > 0 for p in given) else f"not every probability is positive: {given}"
    total = sum(given)
    yield None if abs(total - 1) <= 1e-9 else f"the probabilities sum to {total!r}, not 1"


def outcomes(probe: Probe, place: Place) -> Trials:
    """Every outcome leads to another position."""
    if place.status == CHANCE:
        for outcome in range(len(probe.chance(place.position))):
            same = np.array_equal(probe.reveal(place.position, outcome), place.position)
            yield f"outcome {outcome} changes nothing" if same else None


ON_VISITED = (mover_in_range, result_in_range, moves_in_range, status_and_moves)
ON_SAMPLE = (
    move_texts, illegal_moves, noisy_moves, slots, order_and_capture_value, exchanges, repetition, probabilities,
    outcomes,
)  # fmt: skip
