"""Whole games inside one kernel: legal to the last move, with the result of the final position, and repeatable."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace

import pytest
from broken import base as heaps

from evalsmith.engine import Limit, PlayedGame, Searcher, play_game, prepare
from evalsmith.engine.alphabeta import slots
from evalsmith.games import CHANCE, OVER, Game, Position, find_game
from evalsmith.weights import starting_weights

OTHELLO = find_game("othello")
FOUR = find_game("connect_four")
HEAPS = heaps.GAME
WEIGHTS = {game.name: starting_weights(game) for game in (OTHELLO, FOUR, HEAPS)}


def searcher(game: Game, seed: int = 1, nodes: int = 60, **options: object) -> Searcher:
    made = Searcher(game, WEIGHTS[game.name], 1 << 14)
    prepare(made, Limit(nodes=nodes), seed, **options)  # type: ignore[arg-type]
    return made


def replayed(game: Game, start: Position, played: PlayedGame) -> list[Position]:
    """All positions of a game, by the rules alone; an illegal move is refused there."""
    positions = [start]
    for move in played.moves:
        here = positions[-1]
        if game.status(here) == CHANCE:
            assert 0 <= move < len(game.chance(here))
            positions.append(game.reveal(here, move))
        else:
            positions.append(game.play(here, move))
    return positions


def without_times(played: PlayedGame) -> tuple[object, ...]:
    sides = [(side.nodes, side.moves) for side in played.sides]
    return played.moves, played.scores, played.reason, played.result, played.quiet_from, sides


@pytest.mark.parametrize("game", [OTHELLO, FOUR, HEAPS], ids=lambda game: game.name)
@pytest.mark.parametrize("kind", ["search", "random", "noise"])
def test_games_are_legal_and_end_with_their_result(game: Game, kind: str) -> None:
    options = {"search": {}, "random": {"random": True}, "noise": {"noise": 0.3, "noise_plies": 20}}[kind]
    for seed in range(6):
        first, second = searcher(game, 2 * seed, **options), searcher(game, 2 * seed + 1, **options)
        played = play_game(game, first, second, game.start())
        positions = replayed(game, game.start(), played)
        assert (played.reason, played.stopped) == ("rule", False)
        assert all(game.status(position) != OVER for position in positions[:-1])
        assert game.status(positions[-1]) == OVER
        result = game.result(positions[-1])
        assert played.result == (result if game.mover(positions[-1]) == 0 else -result)
        assert len(played.scores) == len(played.moves)


def test_a_game_repeats_itself() -> None:
    options = {"noise": 0.2, "noise_plies": 30}
    first, second = searcher(OTHELLO, 1, **options), searcher(OTHELLO, 2, **options)
    expected = without_times(play_game(OTHELLO, first, second, OTHELLO.start()))
    for _ in range(2):
        prepare(first, Limit(nodes=60), 1, noise=0.2, noise_plies=30)
        prepare(second, Limit(nodes=60), 2, noise=0.2, noise_plies=30)
        assert without_times(play_game(OTHELLO, first, second, OTHELLO.start())) == expected


def test_the_sides_keep_to_their_limits() -> None:
    weak, strong = searcher(OTHELLO, nodes=30), searcher(OTHELLO, nodes=400)
    played = play_game(OTHELLO, weak, strong, OTHELLO.start())
    for side, nodes in zip(played.sides, (30, 400), strict=True):
        assert 0 < side.nodes <= nodes * side.moves
        assert 0 < side.longest <= side.seconds
    swapped = play_game(OTHELLO, strong, weak, OTHELLO.start())
    assert swapped.sides[0].nodes > swapped.sides[1].nodes


def test_a_game_may_begin_anywhere_and_with_either_side() -> None:
    start = OTHELLO.parse("f5d6c3")
    played = play_game(OTHELLO, searcher(OTHELLO), searcher(OTHELLO), start)
    final = replayed(OTHELLO, start, played)[-1]
    black, white = final[int(final[2])], final[1 - int(final[2])]
    assert (played.result > 0) == (int(black).bit_count() > int(white).bit_count())


def test_a_finished_game_is_played_without_a_move() -> None:
    played = play_game(OTHELLO, searcher(OTHELLO), searcher(OTHELLO), OTHELLO.parse("X" * 64 + " O"))
    assert (played.moves, played.reason, played.result) == ((), "rule", 6400)


def test_the_end_is_seen_at_the_last_ply_that_a_game_can_have() -> None:
    """The 42nd stone fills the board and makes four."""
    short = replace(FOUR, max_plies=1)
    start = FOUR.parse("55735375635726216472116646325347344742111")
    played = play_game(short, searcher(short), searcher(short), start)
    assert (played.moves, played.reason, played.result) == ((1,), "rule", -FOUR.win)


def test_a_game_without_end_is_cut() -> None:
    short = replace(FOUR, max_plies=5)
    played = play_game(short, searcher(short), searcher(short), FOUR.start())
    assert (len(played.moves), played.reason, played.result) == (5, "length", 0)


def test_noise_is_reported() -> None:
    """With nothing but noise every move before the given ply is random, and none from there on."""
    made = searcher(OTHELLO, noise=1.0, noise_plies=25)
    played = play_game(OTHELLO, made, made, OTHELLO.start())
    assert played.quiet_from == 25
    assert set(played.scores[:25]) == {None}
    assert any(score is not None for score in played.scores[25:])
    quiet = searcher(OTHELLO)
    assert play_game(OTHELLO, quiet, quiet, OTHELLO.start()).quiet_from == 0


def test_noise_is_as_frequent_as_asked() -> None:
    """Moves by the search have a score; noise has none. Some 1,100 moves, so 0.3 ± 0.06 is four deviations."""
    noisy = total = 0
    for seed in range(40):
        made = searcher(OTHELLO, seed, nodes=30, noise=0.3, noise_plies=30)
        played = play_game(OTHELLO, made, made, OTHELLO.start())
        noisy += sum(score is None for score in played.scores[:30])
        total += 30
    assert 0.24 < noisy / total < 0.40  # a forced move has no score either


def test_random_players_draw_from_their_seed() -> None:
    games: dict[int, list[tuple[int, ...]]] = {}
    for seed in (1, 2, 3, 1):
        made = searcher(OTHELLO, seed, random=True)
        games.setdefault(seed, []).append(play_game(OTHELLO, made, made, OTHELLO.start()).moves)
    assert games[1][0] == games[1][1]
    assert len({games[1][0], games[2][0], games[3][0]}) == 3


def test_random_players_play_every_move_alike() -> None:
    first_moves: Counter[int] = Counter()
    made = searcher(FOUR, random=True)
    for seed in range(1400):
        prepare(made, Limit(nodes=1), seed, random=True)
        first_moves[play_game(FOUR, made, made, FOUR.start()).moves[0]] += 1
    assert sorted(first_moves) == list(range(7))
    assert all(140 < count < 260 for count in first_moves.values())  # 200 ± 4.6 deviations


def test_chance_follows_its_probabilities() -> None:
    thrown: Counter[int] = Counter()
    made = searcher(HEAPS, random=True)
    for seed in range(400):
        prepare(made, Limit(nodes=1), seed, random=True)
        played = play_game(HEAPS, made, made, HEAPS.start())
        thrown.update(played.moves[::2])
    total = sum(thrown.values())
    for outcome, probability in enumerate((1 / 2, 1 / 3, 1 / 6)):
        assert abs(thrown[outcome] / total - probability) < 0.04


def test_a_depth_and_a_movetime_are_limits_too() -> None:
    made = Searcher(FOUR, WEIGHTS["connect_four"], 1 << 14)
    prepare(made, Limit(depth=2), 1)
    assert play_game(FOUR, made, made, FOUR.start()).reason == "rule"
    prepare(made, Limit(seconds=0.001), 1)
    assert play_game(FOUR, made, made, FOUR.start()).reason == "rule"


def test_a_game_is_stopped_from_outside() -> None:
    made = searcher(OTHELLO, nodes=1 << 40)
    games: list[PlayedGame] = []
    thread = threading.Thread(target=lambda: games.append(play_game(OTHELLO, made, made, OTHELLO.start())))
    thread.start()
    while made.context.row[slots.NODES] < 2000:
        assert thread.is_alive()
    made.stop()
    thread.join(timeout=60)
    assert games[0].stopped
    replayed(OTHELLO, OTHELLO.start(), games[0])
