"""DVONN's terms against a plain count on the naive twin, and what they must keep."""

import functools
import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from dvonn_composed import composed

from evalsmith.compile import COMPILED
from evalsmith.games import contract
from evalsmith.games.dvonn import GAME, notation
from evalsmith.games.game import PLAYER, Position
from naive import dvonn as naive

SAMPLES = 200 if COMPILED else 20
EVALUATION = GAME.evaluation


def emitted(position: Position) -> dict[str, int]:
    """The terms of a position by the names of their weights."""
    index = np.zeros(GAME.max_terms, dtype=np.int32)
    value = np.zeros(GAME.max_terms, dtype=np.int16)
    count = contract.call_terms(GAME.context(evaluation=True).row, position, index, value)
    assert len(set(index[:count])) == count
    return {weight_names()[i]: int(v) for i, v in zip(index[:count], value[:count], strict=True)}


@functools.cache
def weight_names() -> list[str]:
    return [f"{part.name}: {part.describe(i)}" for part in EVALUATION.features for i in range(part.size)]


def value_of(position: Position, weights: np.ndarray) -> int:
    context = GAME.context(evaluation=True)
    context.attach(contract.WEIGHTS, np.ascontiguousarray(weights).reshape(-1))
    context.attach(contract.BLEND, np.array(EVALUATION.blend, dtype=np.int32).reshape(-1))
    context.row[contract.SCALE], context.row[contract.WIDTH] = EVALUATION.scale, EVALUATION.size
    return int(contract.call_sum_terms(context.row, position))


# ── The plain count ──


def apart(first: str, second: str) -> int:
    across = naive.COLUMNS.index(first[0]) - naive.COLUMNS.index(second[0])
    down = int(first[1]) - int(second[1])
    return max(abs(across), abs(down), abs(across - down))


def closeness(game: naive.Dvonn, name: str) -> str:
    reds = [other for other, stones in game.stacks.items() if naive.RED in stones]
    nearest = min((apart(name, red) for red in reds), default=9)
    if nearest == 0:
        return "holding a red"
    return f"{nearest} from a red" if nearest < 5 else "5 or more from a red"


def around(game: naive.Dvonn, name: str) -> list[str]:
    return [other for step in naive.STEPS if (other := naive.away(name, step, 1)) in game.stacks]


def counted(game: naive.Dvonn) -> dict[str, int]:
    """The same terms, counted one by one."""
    found: Counter[str] = Counter()
    mobile = []
    for side, sign in ((game.mover, 1), (game.enemy(), -1)):
        own = {name: stones for name, stones in game.stacks.items() if stones[-1] == side}
        found.update(_stacking(game, side, own, sign) if game.stacking else _placing(game, own, sign))
        if game.stacking:
            found.update(_connections(game, own, sign))
            found.update(_situations(game, side, own, sign))
            mobile.append(len({move[:2] for move in game.stack_moves(side)}))
    if game.stacking:
        found["to move: to move with a stack"] = 1
        mover, enemy = (up_to(count, 9) for count in mobile)
        found[f"mobile stacks of both: {mover} of the mover, {enemy} of the enemy"] = 1
        reds = [stones for stones in game.stacks.values() if naive.RED in stones]
        mover, enemy = (sum(stones[-1] == side for stones in reds) for side in (game.mover, game.enemy()))
        found[f"stacks with red held: {mover} by the mover, {enemy} by the enemy"] = 1
        found[f"stacks with red: {len(reds)} of them"] = 1
    elif len(game.stacks) >= 3:
        reds = [name for name, stones in game.stacks.items() if naive.RED in stones]
        ply = "odd" if len(game.stacks) % 2 else "even"
        total = sum(apart(a, b) for a, b in combinations(reds, 2))
        found[f"spread of the reds, {ply} ply: distances sum to {total}"] = 1
    return {name: value for name, value in found.items() if value}


def _stacking(game: naive.Dvonn, side: str, own: dict[str, list[str]], sign: int) -> dict[str, int]:
    found: dict[str, int] = {}

    def add(name: str, value: int = 1) -> None:
        found[name] = found.get(name, 0) + sign * value

    moves = game.stack_moves(side)
    for name, stones in own.items():
        zone = closeness(game, name)
        add(f"stacks: {zone}")
        add(f"stones: {zone}", len(stones))
        add(f"heights: height {len(stones)}" if len(stones) < 11 else "heights: height 11 or more")
        if len(around(game, name)) == 1 and naive.RED not in stones:
            add(f"hanging on one connection: {zone}")
        if any(move.startswith(name) for move in moves):
            add(f"mobile stacks: {zone}")
    for move in moves:
        source, target = closeness(game, move[:2]), closeness(game, move[2:])
        stones = game.stacks[move[2:]]
        add(f"moves: by a stack {source}")
        if naive.RED in stones:
            add(f"moves onto reds: by a stack {source}")
        if stones[-1] not in (side, naive.RED):
            add(f"moves onto enemies: onto a stack {target}")
    return found


def up_to(number: int, most: int) -> str:
    return str(number) if number < most else f"{most} or more"


def _connections(game: naive.Dvonn, own: dict[str, list[str]], sign: int) -> dict[str, int]:
    """Layer after layer of stacks around the reds; a layer of one stack is a bridge to those after it."""
    found: Counter[str] = Counter()
    reached = {name for name, stones in game.stacks.items() if naive.RED in stones}
    bridges, steps = 0, 0
    while layer := {other for name in reached for other in around(game, name)} - reached:
        steps += 1
        for name in layer & own.keys():
            found[f"steps along stacks: {up_to(steps, 7)} steps from a red"] += sign
            if bridges:
                between = f"beyond a bridge: {up_to(bridges, 3)} single stacks in between"
                found[f"stacks {between}"] += sign
                found[f"stones {between}"] += sign * len(own[name])
        bridges += len(layer) == 1
        reached |= layer
    return found


def _situations(game: naive.Dvonn, side: str, own: dict[str, list[str]], sign: int) -> dict[str, int]:
    """Each stack with its freedom, its attackers, its guards and its neighbours."""
    found: Counter[str] = Counter()
    who = "mover" if sign > 0 else "enemy"
    moves = game.stack_moves(side)
    enemy = next(other for other in (game.mover, game.enemy()) if other != side)
    attacked = Counter(move[2:] for move in game.stack_moves(enemy))
    for name, stones in own.items():
        height, zone = len(stones), closeness(game, name)
        near = zone if zone in ("holding a red", "1 from a red", "2 from a red") else "3 or more from a red"
        targets = [move[2:] for move in moves if move.startswith(name)]
        freedom = ["without a move", "with 1 move", "with 2 moves or more"][min(len(targets), 2)]
        if len(around(game, name)) == 6:
            freedom = "surrounded"
        guarded = "guarded" if any(move.endswith(name) for move in moves) else "not guarded"
        found[
            f"situation of a stack, {who}: height {up_to(height, 6)}, {near}, {freedom}, "
            f"attacked by {up_to(attacked[name], 2)}, {guarded}"
        ] += sign
        tops = [game.stacks[other][-1] for other in around(game, name)]
        red = any(naive.RED in game.stacks[other] for other in around(game, name))
        found[
            f"stacks by neighbours: height {up_to(height, 3)}, beside {up_to(tops.count(side), 3)} own, "
            f"{up_to(tops.count(enemy), 3)} of the enemy, {'a red' if red else 'no red'}"
        ] += sign
    safe = sum(attacked[name] == 0 for name in {move[:2] for move in moves})
    found[f"mobile stacks that are not attacked, {who}: {up_to(safe, 11)}"] += sign
    threatened = sorted((len(stones) for name, stones in own.items() if attacked[name]), reverse=True)
    largest = f"height {up_to(threatened[0], 11)}" if threatened else "none"
    found[f"largest attacked stack, {who}: {largest}"] += sign
    found[f"attacked stones, {who}: each"] += sign * sum(threatened)
    found[f"second attacked stack, {who}: each of its stones"] += sign * sum(threatened[1:2])
    return found


def _placing(game: naive.Dvonn, own: dict[str, list[str]], sign: int) -> dict[str, int]:
    found: dict[str, int] = {}

    def add(name: str) -> None:
        found[name] = found.get(name, 0) + sign

    for name in own:
        sides = sum(naive.away(name, step, 1) is not None for step in naive.STEPS)
        add(f"placed stones: {closeness(game, name)}")
        tops = [game.stacks[other][-1] for other in around(game, name)]
        friends = tops.count(own[name][-1])
        enemies = len(tops) - friends - tops.count(naive.RED)
        place = {6: "inside", 4: "on a side", 3: "in a corner"}[sides]
        beside = f"beside {up_to(friends, 3)} own, {up_to(enemies, 3)} of the enemy"
        add(f"placed stones by neighbours: {place}, {closeness(game, name)}, {beside}")
        if sides == 3:
            add("placed corner stones: in a corner")
        if sides < 6:
            add(f"placed side stones: {closeness(game, name)}")
            for other in around(game, name):
                if game.stacks[other][-1] != naive.RED:
                    beside = "own: each own" if other in own else "enemies: each enemy"
                    add(f"side stones beside {beside} stone beside one")
    return found


# ── The tests ──


def test_terms_are_what_a_plain_count_finds_in_random_games() -> None:
    for seed in range(SAMPLES // 10):
        choose = random.Random(seed)
        position, game = GAME.start(), naive.Dvonn()
        while legal := game.moves():
            assert emitted(position) == counted(game)
            move = choose.choice(legal)
            position = GAME.play(position, GAME.parse_move(position, move))
            game.play(move)


def test_terms_are_what_a_plain_count_finds_in_composed_positions() -> None:
    for seed in range(SAMPLES):
        game = composed(seed)
        assert emitted(GAME.parse(game.text())) == counted(game)


def test_every_weight_has_a_name_of_its_own() -> None:
    names = weight_names()
    assert len(names) == EVALUATION.size
    assert len(set(names)) == len(names)


def test_the_exchange_of_colours_keeps_the_value_for_the_mover() -> None:
    weights = np.random.default_rng(1).integers(-500, 500, (len(EVALUATION.columns), EVALUATION.size), dtype=np.int32)
    for seed in range(5):
        choose = random.Random(seed)
        position = GAME.start()
        while GAME.status(position) == PLAYER:
            swapped = notation.exchange_colours(position)
            assert emitted(swapped) == emitted(position)
            assert value_of(swapped, weights) == value_of(position, weights)
            position = GAME.play_unchecked(position, choose.choice(GAME.moves(position)))


@pytest.mark.parametrize("symmetry", GAME.symmetries(), ids=lambda symmetry: symmetry.name)
def test_the_symmetries_of_the_board_keep_the_terms(symmetry) -> None:
    for seed in range(SAMPLES // 4):
        position = GAME.parse(composed(seed).text())
        assert emitted(symmetry.position(position)) == emitted(position)


def test_columns_blend_by_the_number_of_stacks() -> None:
    shares = blended()[1:50]
    assert np.allclose(shares[48], [0, 0, 1, 0, 0])
    assert np.allclose(shares[24], [0, 0, 0, 1, 0])
    assert np.allclose(shares[0], [0, 0, 0, 0, 1])
    assert np.allclose(np.diff(shares, 2, axis=0)[:23], 0)


def test_columns_blend_by_the_number_of_placed_stones() -> None:
    shares = blended()
    position, phases = GAME.start(), []
    while not notation.is_stacking(position):
        phases.append(int(contract.call_position(GAME.context(evaluation=True).row, contract.PHASE, position)))
        position = GAME.play_unchecked(position, GAME.moves(position)[0])
    assert np.allclose(shares[phases][:, 1], np.arange(49) // 2 / 24)
    assert np.allclose(shares[phases][:, :2].sum(1), 1)
    assert np.allclose(shares[0], [0.5, 0.5, 0, 0, 0])  # all of placing, in datasets from before it had two columns


def blended() -> np.ndarray:
    """The share of each column, one row a phase."""
    shares = np.zeros((len(EVALUATION.blend), len(EVALUATION.columns)))
    for row, (first, second, share) in zip(shares, EVALUATION.blend, strict=True):
        row[first] += 1 - share / EVALUATION.scale
        row[second] += share / EVALUATION.scale
    return shares


def test_hand_set_weights_beat_random_moves() -> None:
    weights = EVALUATION.starting()
    won = 0
    for seed in range(4):
        choose = random.Random(seed)
        ours = seed % 2
        position = GAME.start()
        while GAME.status(position) == PLAYER:
            move = choose.choice(GAME.moves(position))
            if GAME.mover(position) == ours:
                move = max(GAME.moves(position), key=lambda option: after(position, option, weights))
            position = GAME.play_unchecked(position, move)
        margin = GAME.result(position)
        won += (margin if GAME.mover(position) == ours else -margin) > 0
    assert won == 4


def after(position: Position, move: int, weights: np.ndarray) -> int:
    """The value of a move for the mover, who may move again."""
    following = GAME.play_unchecked(position, move)
    value = value_of(following, weights)
    return value if GAME.mover(following) == GAME.mover(position) else -value
