"""Trees whose leaves are evaluated from outside: against a plain search, with chance, utilities, reuse and noise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalsmith.engine import Limit, MctsSearcher
from evalsmith.engine.mcts import blocks
from evalsmith.engine.mcts.together import LeafTree, grow_together
from evalsmith.games import CHANCE, OVER, find_game
from evalsmith.games.planes import planes_of


def hashed(game):
    """Values and priors that depend on the position alone: what a net with fixed parameters would say."""

    def evaluate(leaves):
        values, rows = [], []
        for position in leaves.positions:
            source = np.random.default_rng(game.key(position) % 2**32)
            values.append(source.uniform(-0.5, 0.5))
            rows.append(source.dirichlet(np.ones(game.slots)))
        return np.array(values), np.array(rows)

    return evaluate


class PlainNode:
    def __init__(self, position):
        self.position, self.visits, self.total = position, 0, 0.0
        self.children: dict[int, PlainNode] = {}
        self.priors: dict[int, float] = {}


def plain_puct(game, position, evaluate, simulations, exploration):
    """PUCT in a few lines, for games for two without chance; stays away from the ends of games."""
    root = PlainNode(position)
    for _ in range(simulations):
        node, path = root, [root]
        while node.priors:
            sign = 1 if game.mover(node.position) == 0 else -1
            mean = sign * node.total / max(node.visits, 1)

            def bound(move, node=node, sign=sign, mean=mean):
                child = node.children.get(move)
                count, value = (child.visits, sign * child.total / child.visits) if child else (0, mean)
                return value + exploration * math.sqrt(max(node.visits, 1)) * node.priors[move] / (1 + count)

            move = max(node.priors, key=lambda move: (bound(move), node.priors[move]))
            if move not in node.children:
                node.children[move] = PlainNode(game.play_unchecked(node.position, move))
            node = node.children[move]
            path.append(node)
        assert game.status(node.position) != OVER
        values, rows = evaluate(type("Leaves", (), {"positions": node.position[None]}))
        shares = {move: rows[0][game.slot(node.position, move)] for move in game.moves(node.position)}
        node.priors = {move: share / sum(shares.values()) for move, share in shares.items()}
        value = values[0] * (1 if game.mover(node.position) == 0 else -1)
        for each in path:
            each.visits, each.total = each.visits + 1, each.total + value
    return root


@pytest.mark.parametrize("name", ["othello", "connect_four"])
def test_a_tree_is_that_of_a_plain_search(name):
    game = find_game(name)
    tree = LeafTree(game, exploration=1.5)
    tree.place(game.start())
    grow_together([tree], hashed(game), 150)
    plain = plain_puct(game, game.start(), hashed(game), 150, 1.5)
    assert tree.visits == plain.visits == 150
    assert {one.move: one.visits for one in tree.moves()} == {
        move: plain.children[move].visits if move in plain.children else 0 for move in plain.priors
    }
    for one in tree.moves():
        if one.visits:
            sign = 1 if game.mover(game.start()) == 0 else -1
            assert one.value == pytest.approx(sign * plain.children[one.move].total / one.visits, abs=1e-6)
        assert one.prior == pytest.approx(plain.priors[one.move], abs=1e-6)


def test_trees_that_grow_together_are_those_that_grow_alone():
    game = find_game("othello")
    starts = [game.start()]
    for move in (19, 18, 26):
        starts.append(game.play_unchecked(starts[-1], move))
    batches = []

    def evaluate(leaves):
        batches.append(len(leaves))
        return hashed(game)(leaves)

    trees = [LeafTree(game) for _ in starts]
    for tree, start in zip(trees, starts, strict=True):
        tree.place(start)
    grow_together(trees, evaluate, 60)
    assert batches == [4] * 60
    for tree, start in zip(trees, starts, strict=True):
        alone = LeafTree(game)
        alone.place(start)
        grow_together([alone], hashed(game), 60)
        assert alone.moves() == tree.moves()


def test_several_leaves_of_one_tree_wait_together():
    game = find_game("othello")
    batches = []

    def evaluate(leaves):
        batches.append(len({row.tobytes() for row in leaves.positions}))
        return hashed(game)(leaves)

    tree = LeafTree(game, width=8)
    tree.place(game.start())
    grow_together([tree], evaluate, 200)
    assert tree.simulations == 200
    assert sum(batches) == 200, "no leaf is asked for twice"
    assert max(batches) >= 6
    assert sum(one.visits for one in tree.moves()) == 199
    pending = [int(tree.arena[tree._view.root + blocks.VISITS]) >> blocks.VISIT_BITS]
    assert pending == [0], "every virtual loss was taken back"


def test_finished_games_are_proven():
    game = find_game("connect_four")
    position = game.start()
    for move in (3, 0, 3, 1, 3, 0):
        position = game.play(position, move)
    tree = LeafTree(game)
    tree.place(position)
    grow_together([tree], lambda leaves: (np.zeros(len(leaves)), np.ones((len(leaves), 7)) / 7), 50)
    best = tree.moves()[0]
    assert (best.move, best.proven, best.value) == (3, True, 1.0)
    assert tree.simulations < 50, "nothing is left to find out"


def children_of(tree, *moves):
    """The children of the node that moves (or outcomes) lead to."""
    node = tree._view.root
    for move in moves:
        node = next(child.address for child in tree._view._children(node) if child.move == move)
    return {child.move: child for child in tree._view._children(node)}


def test_chance_is_left_open_until_the_next_move_is_chosen():
    """A preview changes nothing that a net sees, so no two leaves look alike; forks have the cartridge's chances."""
    game = find_game("drmario")
    tree, seen = LeafTree(game, simulations=2000), []
    tree.place(game.start())
    policy = np.zeros(game.slots)
    policy[game.moves(game.start())[:2]] = 0.5

    def evaluate(leaves):
        seen.extend(row.tobytes() for row in planes_of(game).pack(leaves.positions))
        return np.zeros(len(leaves)), np.tile(policy, (len(leaves), 1))

    grow_together([tree], evaluate, 400)
    alike = 1 - len(set(seen)) / len(seen)
    assert alike < 0.2, "but for pills in another order"
    first = max(tree.moves(), key=lambda one: one.visits)
    after = game.play_unchecked(game.start(), first.move)
    assert game.status(after) == CHANCE
    second = max(children_of(tree, first.move).values(), key=lambda child: child.visits)
    assert second.move in game.moves(game.reveal(after, 3))
    outcomes = children_of(tree, first.move, second.move)
    expected = game.chance(after) * sum(child.visits for child in outcomes.values())
    assert all(abs(outcomes[number].visits - expected[number]) <= 1.5 for number in range(9))
    assert all(len(line.moves) == 1 for line in tree.lines(3)), "what follows depends on chance"


def test_outcomes_of_chance_change_neither_planes_nor_moves():
    game, source = find_game("drmario"), np.random.default_rng(3)
    position, planes = game.parse("seed:1234 level:10"), planes_of(game)
    assert planes.deferred
    for _ in range(30):
        moves = game.moves(position)
        after = game.play_unchecked(position, moves[source.integers(len(moves))])
        if game.status(after) == OVER:
            break
        shown = [game.reveal(after, outcome) for outcome in range(9)]
        assert len({row.tobytes() for row in planes.pack(np.stack([after, *shown]))}) == 1
        assert len({tuple(game.moves(each)) for each in shown}) == 1
        position = shown[source.integers(9)]


def test_a_leaf_is_what_outcome_and_move_make_together():
    """Values of leaves are backed up to the moves that lead there: checked by hand over all paths."""
    game = find_game("drmario")
    tree = LeafTree(game, simulations=3000)
    root = game.parse("seed:1234 level:3")
    tree.place(root)
    known = {}

    def evaluate(leaves):
        values = np.array([np.sin(float(int(game.key(row)) % 1000)) / 2 for row in leaves.positions])
        known.update(zip((row.tobytes() for row in leaves.positions), values, strict=True))
        source = np.random.default_rng(1)
        return values, np.tile(source.dirichlet(np.full(game.slots, 0.05)), (len(leaves), 1))

    grow_together([tree], evaluate, 300)
    first = max(tree.moves(), key=lambda one: one.visits)
    after = game.play_unchecked(root, first.move)
    second = max(children_of(tree, first.move).values(), key=lambda child: child.visits)
    outcomes = children_of(tree, first.move, second.move)
    tried = {number: child for number, child in outcomes.items() if child.visits}
    assert len(tried) > 3
    for number, child in tried.items():
        position = game.play_unchecked(game.reveal(after, number), second.move)
        assert position.tobytes() in known
        if child.visits == 1:
            assert child.mean == pytest.approx(known[position.tobytes()], abs=1e-6)
    chances = game.chance(after)
    total = sum(chances[number] for number in tried)
    mean = sum(chances[number] * child.mean for number, child in tried.items()) / total
    assert second.mean == pytest.approx(mean, abs=1e-5)


def test_utilities_of_a_bottle():
    game = find_game("drmario")
    # One red virus under two red halves; a red half on top wins at once.
    bottle = "d" * 96 + "dddddddd" + "eddddddd" + "eddddddd" + "addddddd"
    position = game.parse(f"{bottle} qv rv")
    tree = LeafTree(game)
    tree.place(position)
    values = []

    def evaluate(leaves):
        values.append(
            (leaves.base_left.tolist(), leaves.moves.tolist(), planes_of(game).count_left(leaves.positions).tolist())
        )
        return np.full(len(leaves), -0.5), np.full((len(leaves), 512), 1 / 512)

    grow_together([tree], evaluate, 200)
    assert values[0] == ([1], [0], [1])
    assert all(base == [1] and left == [1] for base, _, left in values)
    best = tree.moves()[0]
    won = 2 * (1 + 1 - 1 / 21) / 2 - 1  # one virus by one move
    assert best.proven
    assert best.value == pytest.approx(won, abs=1e-4)


def test_with_an_expectation_values_tell_how_quick_a_game_is():
    game = find_game("drmario")
    bottle = "d" * 96 + "dddddddd" + "eddddddd" + "eddddddd" + "addddddd"
    tree = LeafTree(game)
    tree.place(game.parse(f"{bottle} qv rv"), expected=5.0)
    seen = []

    def evaluate(leaves):
        seen.append(leaves.expected.tolist())
        return np.zeros(len(leaves)), np.full((len(leaves), 512), 1 / 512)

    grow_together([tree], evaluate, 100)
    assert seen[0] == [5.0]
    best = tree.moves()[0]
    assert best.value == pytest.approx(0.5 + 0.5 * math.tanh((5 - 1) / 10), abs=1e-4)
    assert best.proven


def test_the_tree_is_used_on_after_a_move():
    game = find_game("othello")
    tree = LeafTree(game)
    tree.place(game.start())
    grow_together([tree], hashed(game), 100)
    best = tree.moves()[0]
    tree.place(game.play_unchecked(game.start(), best.move), moved=1)
    assert tree.visits == best.visits
    grow_together([tree], hashed(game), 10)
    assert tree.visits == best.visits + 10


def test_noise_at_the_root():
    game = find_game("othello")
    tree = LeafTree(game)
    tree.place(game.start())
    grow_together([tree], hashed(game), 1)
    before = {one.move: one.prior for one in tree.moves()}
    noise = np.array([1.0, 0.0, 0.0, 0.0])
    tree.mix_noise(noise, 0.25)
    order = game.moves(game.start())
    after = {one.move: one.prior for one in tree.moves()}
    for place, move in enumerate(order):
        assert after[move] == pytest.approx(0.75 * before[move] + 0.25 * noise[place], abs=1e-6)


def test_round_0_clears_more_than_random_moves():
    game = find_game("drmario")
    position = game.parse("seed:8988 level:0")
    searcher = MctsSearcher(game, rollout="random", selection="uct", exploration=0.7, clearing=True, seed=5)
    found = searcher.think(position, Limit(nodes=2000))
    again = MctsSearcher(game, rollout="random", selection="uct", exploration=0.7, clearing=True, seed=5)
    assert again.think(position, Limit(nodes=2000)).lines == found.lines
    values = [one.value for one in searcher.moves() if one.visits > 50]
    assert all(-1 <= value <= 1 for value in values)
    assert sum(one.visits for one in searcher.moves()) == 2000
