"""What nets see of games: planes against plain readings of positions, and images as symmetries of the rules."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from evalsmith.games import CHANCE, OVER, PLAYER, find_game
from evalsmith.games.drmario import planes as bottle_planes
from evalsmith.games.drmario import settings, strings
from evalsmith.games.planes import images_of, join_alike, planes_of, share_alike
from evalsmith.run import InputError

GAMES = ("connect_four", "drmario", "othello")


def some_positions(name: str, games: int = 3, most: int = 60) -> list[np.ndarray]:
    game, source, found = find_game(name), random.Random(7), []
    for number in range(games):
        text = f"seed:{4096 + 2 * number:04x} level:{4 + number} speed:fast"
        position = game.parse(text) if name == "drmario" else game.start()
        for _ in range(most):
            status = game.status(position)
            if status == OVER:
                break
            if status == PLAYER:
                found.append(position)
                position = game.play_unchecked(position, source.choice(game.moves(position)))
            else:
                position = game.reveal(position, game.draw(position, source))
    return found


def test_planes_of_a_bottle_show_what_its_text_says():
    game = find_game("drmario")
    rows = np.stack(some_positions("drmario"))
    planes = planes_of(game)
    shown = planes.unpack(planes.pack(rows))
    assert shown.shape == (len(rows), 18, 8, 16)
    for row, channels in zip(rows, shown, strict=True):
        expected = np.zeros((18, 8, 16), dtype=np.uint8)
        group = {
            strings.VIRUS: 0,
            strings.SINGLE: 3,
            strings.LOWER: 3,
            strings.UPPER: 3,
            strings.LEFT: 6,
            strings.RIGHT: 9,
        }
        for (x, y), piece in strings.bottle_of(row).items():
            expected[group[piece.shape] + piece.colour, x, y] = 1
        left, right = strings.write_pill(int(settings.pill(row[12])))
        expected[12 + "qrs".index(left)] = 1
        expected[15 + "uvw".index(right)] = 1
        assert (channels == expected).all()
    assert {sum(v for v in (shown[:, c].any() for c in range(18)))} == {18}, "every channel is used"
    assert planes.count_left(rows).tolist() == [game.hook("remaining")(row) for row in rows]


def test_the_preview_is_not_part_of_the_planes():
    game = find_game("drmario")
    position = game.start()
    hidden = game.play_unchecked(position, game.moves(position)[0])
    assert game.status(hidden) == CHANCE
    rows = np.stack([hidden, *(game.reveal(hidden, outcome) for outcome in range(9))])
    packed = planes_of(game).pack(rows)
    assert (packed == packed[0]).all()


def test_planes_of_othello_and_connect_four():
    othello = find_game("othello")
    shown = planes_of(othello).unpack(planes_of(othello).pack(othello.start()[None]))[0]
    assert [list(zip(*np.nonzero(plane), strict=True)) for plane in shown] == [
        [(3, 4), (4, 3)], [(3, 3), (4, 4)], [(2, 3), (3, 2), (4, 5), (5, 4)]
    ]  # fmt: skip
    four = find_game("connect_four")
    position = four.start()
    for move in (3, 3, 0):
        position = four.play(position, move)
    shown = planes_of(four).unpack(planes_of(four).pack(position[None]))[0]
    assert shown.shape == (2, 7, 6)
    assert [list(zip(*np.nonzero(plane), strict=True)) for plane in shown] == [[(3, 1)], [(0, 0), (3, 0)]]


def _pieces(game, position):
    """What stands where by the text of a position: (file from the left, rank from white's or black's edge) → letter."""
    rows, found = game.format(position).split()[0].split("/"), {}
    for row, text in enumerate(rows):
        column = 0
        for letter in re.findall(r"\+?[A-Za-z]|\d", text):
            if letter.isdigit():
                column += int(letter)
            else:
                found[column, row] = letter
                column += 1
    return found, len(rows)


LETTERS = {"chess": "p n b r q k", "shogi": "p l n s b r g k +p +l +n +s +b +r"}


@pytest.mark.parametrize(("name", "letters"), [(name, letters.split()) for name, letters in LETTERS.items()])
def test_planes_of_chess_and_shogi_show_what_their_text_says(name, letters):
    game = find_game(name)
    planes, positions = planes_of(game), some_positions(name)
    shown, kinds, black_moves_first = planes.unpack(planes.pack(np.stack(positions))), len(letters), name == "shogi"
    for position, channels in zip(positions, shown, strict=True):
        pieces, size = _pieces(game, position)
        first = game.mover(position) == 0
        expected = np.zeros((2 * kinds, size, size), dtype=np.uint8)
        for (column, row), letter in pieces.items():
            owner = 0 if letter[-1].isupper() == first else 1
            if black_moves_first:  # files count from the right, ranks from above
                x, y = (size - 1 - column, row) if first else (column, size - 1 - row)
            else:
                x, y = column, size - 1 - row if first else row
            expected[owner * kinds + letters.index(letter.lower()), x, y] = 1
        assert (channels[: 2 * kinds] == expected).all(), game.format(position)
    assert shown.any(axis=(0, 2, 3)).sum() >= len(planes.names) - 10, "random games use most channels"


def test_hands_castling_and_en_passant_are_shown():
    shogi, chess = find_game("shogi"), find_game("chess")
    hands = shogi.parse("4k4/9/9/9/9/9/9/9/4K4 w 2P3pRgb 1")
    shown = planes_of(shogi).unpack(planes_of(shogi).pack(hands[None]))[0]
    cells = [[int(9 * y + x) for x, y in np.argwhere(plane)] for plane in shown[28:]]
    assert [sorted(each) for each in cells] == [[0, 1, 2, 30, 34], [0, 1, 32]]
    chess_shown = [
        planes_of(chess).unpack(planes_of(chess).pack(chess.parse(fen)[None]))[0][12:]
        for fen in ("r3k2r/8/8/8/4Pp2/8/8/R3K2R b Kq e3 0 1", "r3k2r/8/8/4pP2/8/8/8/R3K2R w kQ e6 0 1")
    ]
    assert (chess_shown[0] == chess_shown[1]).all(), "the same for both colours"
    assert sorted(map(tuple, np.argwhere(chess_shown[0]).tolist())) == [(0, 0, 0), (0, 7, 7), (1, 4, 5)]


@pytest.mark.parametrize("name", ["chess", "shogi"])
def test_exchanged_colours_look_the_same_and_have_the_same_slots(name):
    game = find_game(name)
    (exchange,), planes = game.symmetries(), planes_of(game)
    assert len(images_of(game)) == 1
    for position in some_positions(name, games=2)[::7]:
        other = exchange.position(position)
        assert (planes.pack(position[None]) == planes.pack(other[None])).all()
        for move in game.moves(position):
            assert game.slot(position, move) == game.slot(other, exchange.move(position, move))


@pytest.mark.parametrize("name", GAMES)
def test_images_are_symmetries_of_the_rules(name):
    game = find_game(name)
    images = images_of(game)
    assert len(images) == {"connect_four": 2, "drmario": 24, "othello": 8}[name]
    slots = np.arange(game.slots)
    planes = planes_of(game)
    for image in images:
        assert sorted(image.slots) == slots.tolist()
    for position in some_positions(name, games=2, most=30)[::5]:
        legal = game.moves(position)
        for image in images:
            changed = image.rows(position[None])[0]
            assert planes.count_left(changed[None]) == planes.count_left(position[None])
            for move in legal:
                after = game.play_unchecked(position, move)
                moved = game.play_unchecked(changed, int(image.slots[game.slot(position, move)]))
                assert (image.rows(after[None])[0] == moved).all(), (image.name, move)


def test_mirrored_bottles_have_mirrored_moves_but_in_narrow_places():
    game = find_game("drmario")
    same = 0
    positions = some_positions("drmario", games=2, most=40)
    for position in positions:
        two_coloured = not bottle_planes.one_colour(position[None])[0]
        legal = {int(m) for m in game.moves(position)}
        for image in bottle_planes.images():
            mirrored = {int(m) for m in game.moves(image.rows(position[None])[0])}
            expected = {int(image.slots[m]) for m in legal}
            if not two_coloured:  # listed with rotations 0 and 1 only
                expected = {m % 256 for m in expected}
            same += expected == mirrored
    assert same >= 0.8 * 2 * len(positions), "random games are full of narrow places"


def test_slots_that_look_alike_share_alike():
    game = find_game("drmario")
    bottle = game.format(game.start()).split()[0]
    rows = np.stack([game.parse(f"{bottle} {pill} qu") for pill in ("qu", "qv")])
    policy = np.zeros((2, 512))
    policy[:, 5], policy[:, 128 + 33] = 0.75, 0.25
    shared = share_alike(game, rows, policy)
    assert shared[0, [5, 256 + 5, 128 + 33, 384 + 33]].tolist() == [0.375, 0.375, 0.125, 0.125]
    assert (shared[1] == policy[1]).all()
    joined = join_alike(game, rows, shared)
    assert joined[0, [5, 161]].tolist() == [0.75, 0.25]
    assert (joined[1] == policy[1]).all()


def test_a_game_without_planes_is_refused():
    with pytest.raises(InputError, match="DVONN has no planes"):
        planes_of(find_game("dvonn"))


def test_colours_are_shown_in_the_order_of_the_pill():
    """All exchanges of colours look the same to a net, and what it sees is one of them."""
    game, rows = find_game("drmario"), np.stack(some_positions("drmario"))
    planes = planes_of(game)
    looks, seen = planes.look(rows), np.zeros(len(rows), dtype=bool)
    for image in images_of(game)[:6]:
        assert (image.slots == np.arange(game.slots)).all(), "moves stay as they are"
        turned = image.rows(rows)
        assert (planes.look(turned) == looks).all()
        seen |= (planes.pack(turned) == looks).all(axis=1)
    assert seen.all()
    shown = planes.unpack(looks)
    assert shown[:, 12].all(), "the left half is red"
    assert (shown[:, 15] | shown[:, 16]).all(), "the right half red or yellow"
    assert (shown[:, 15].all(axis=(1, 2)) == bottle_planes.one_colour(rows)).all()
