"""Dr. Mario positions and moves as text: what is read, what is refused and why, and the symmetries."""

import numpy as np
import pytest
from drmario_twins import bottle_text, triples
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games.drmario import GAME, dealing, strings
from evalsmith.games.drmario.notation import exchange, mirror
from evalsmith.games.drmario.settings import pills
from evalsmith.games.game import CHANCE, PLAYER
from evalsmith.run.errors import MoveError, PositionError

EMPTY = "d" * 128
BOARD = bottle_text(["a......."])


def replaced(board, x, y, letters):
    place = 8 * (15 - y) + x
    return board[:place] + letters + board[place + len(letters) :]


# ── Positions that are read ─────────────────────────────────────────────────────────────────────


def test_the_start():
    assert np.array_equal(GAME.start(), GAME.parse("seed:8988 level:10"))
    assert np.array_equal(GAME.start(), GAME.parse("start"))
    assert GAME.format(GAME.start()).split()[1:] == (
        ["qw", "sw", "speed:medium", "pills:0", "since:0", "viruses:44", "stall:40", "stalled:lost", "chance:nes"]
    )


def test_settings_in_any_order_and_left_out():
    long = f"{BOARD} qw -- speed:low pills:30 since:5 viruses:9 stall:60 stalled:won chance:uniform"
    assert GAME.format(GAME.parse(long)) == long
    assert GAME.format(GAME.parse(f"{BOARD} RB YY")).endswith(
        "qw rv speed:medium pills:0 since:0 viruses:1 stall:40 stalled:lost chance:nes"
    )
    turned = " ".join([*long.split()[:3], *reversed(long.split()[3:])])
    assert np.array_equal(GAME.parse(turned), GAME.parse(long))


def test_pills_passed_over():
    position = GAME.parse("seed:8988 level:10 pills:7")
    board, pill, preview, *fields = GAME.format(position).split()
    drawn = dealing.sequence(0x8988)
    assert board == GAME.format(GAME.start()).split()[0]
    assert (pill, preview) == (strings.write_pill(drawn[7]), strings.write_pill(drawn[8]))
    assert {"pills:7", "since:0"} <= set(fields)
    # After the last pill of the list the first comes again.
    again = GAME.format(GAME.parse("seed:8988 level:10 pills:128")).split()
    assert again[1:3] == GAME.format(GAME.start()).split()[1:3]


def test_moves_from_a_seed():
    drawn = dealing.sequence(0xDEAD)
    position = GAME.parse("seed:dead level:3 speed:fast")
    names = []
    for number in range(6):
        moves = GAME.moves(position)
        move = moves[7 * number % len(moves)]
        names.append(GAME.format_move(position, move))
        position = GAME.play(position, move)
        assert GAME.status(position) == CHANCE
        position = GAME.reveal(position, drawn[number + 2])
        text = f"seed:dead level:3 speed:fast moves:{','.join(names)}"
        assert np.array_equal(GAME.parse(text), position)
    assert int(pills(position[12])) == 6
    whole = f"seed:DEAD level:3 speed:fast moves:{','.join(names)}"
    for count in range(7):
        shorter = f"seed:dead level:3 speed:fast moves:{','.join(names[:count])}"
        assert np.array_equal(GAME.parse(f"{whole} pills:{count}"), GAME.parse(shorter))


def test_both_forms_of_a_pill():
    assert strings.read_pill("qv") == (strings.Piece(strings.LEFT, 0), strings.Piece(strings.RIGHT, 1))
    assert strings.read_pill("ko") == (strings.Piece(strings.LOWER, 2), strings.Piece(strings.UPPER, 2))
    for index, name in enumerate(dealing.PILL_NAMES):
        assert strings.read_lying_pill(name) == strings.read_lying_pill(strings.write_pill(index)) == index


def test_the_pills_that_a_text_knows():
    def known(text):
        return GAME.hook("facts")(text)["pills"]

    assert known("seed:8988 level:10")[:4] == ["RB", "BB", "RY", "YY"]
    assert len(known("seed:8988 level:10 pills:7")) == 128
    assert known(f"{BOARD} qv ru") == ["RY", "YR"]
    assert known(f"{BOARD} qv --") == ["RY"]
    assert known(None) == ["RB", "BB"]


# ── Positions that are refused ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        (EMPTY, "expected the bottle, the pill and the preview"),
        (f"{EMPTY[1:]} qv ru", "the bottle has 127 bytes, not 128"),
        (f"{EMPTY}d qv ru", "the bottle has 129 bytes, not 128"),
        (f"{replaced(EMPTY, 2, 14, 'h')} qv ru", r"'h' at byte 11 \(x 2, y 14\)"),
        (f"{replaced(EMPTY, 2, 0, 'qq')} qv ru", r"left half at byte 123 \(x 2, y 0\) needs a right half to its right"),
        (f"{replaced(EMPTY, 2, 0, 'qq')} qv ru", "and there is a left half"),
        (f"{replaced(EMPTY, 7, 1, 'qu')} qv ru", r"x 7, y 1\) needs a right half to its right, and there is nothing"),
        (f"{replaced(EMPTY, 2, 0, 'u')} qv ru", r"x 2, y 0\) needs a left half to its left"),
        (f"{replaced(EMPTY, 2, 0, 'i')} qv ru", r"lower half at byte 123 \(x 2, y 0\) needs an upper half above it"),
        (f"{replaced(EMPTY, 2, 0, 'm')} qv ru", r"x 2, y 0\) needs a lower half below it, and there is nothing"),
        (f"{replaced(EMPTY, 2, 5, 'e')} qv ru", r"single at byte 83 \(x 2, y 5\) hangs in the air"),
        (f"{replaced(EMPTY, 2, 5, 'qv')} qv ru", "hangs in the air"),
        (f"{replaced(EMPTY, 2, 0, 'aaae')} qv ru", r"the four of one colour from byte 123 \(x 2, y 0\)"),
        (f"{'d' * 40 + 'abcab' + 'bacb' * 20 + 'ddd'} qv ru", "85 viruses; no level has more than 84"),
        (f"{BOARD} q ru", "a pill has two bytes, not 1: 'q'"),
        (f"{BOARD} qvv ru", "a pill has two bytes, not 3"),
        (f"{BOARD} qv r", "a pill has two bytes, not 1: 'r'"),
        (f"{BOARD} vq ru", "a right half and a left half"),
        (f"{BOARD} qx ru", "'x' at byte 2 of the pill 'qx'"),
        (f"{BOARD} im ru", "the pill 'im' stands"),
        (f"{BOARD} -- ru", "is not half a pill"),
        (f"{BOARD} qv ru speed:hyper", "speed:hyper is not one of low, medium, high, fast"),
        (f"{BOARD} qv ru speed:low speed:low", "speed: is given twice"),
        (f"{BOARD} qv ru level:3", "'level:3' is not one of the settings"),
        (f"{BOARD} qv ru pills:x", "pills:x is not a number"),
        (f"{BOARD} qv ru pills:-1", "not -1"),
        (f"{BOARD} qv ru pills:50001", "0 to 50000, not 50001"),
        (f"{BOARD} qv ru stall:0", "from 1 to 100, not 0"),
        (f"{BOARD} qv ru stall:101", "from 1 to 100, not 101"),
        (f"{BOARD} qv ru since:1", "it cannot be 1"),
        (f"{BOARD} qv ru pills:80 since:41", "it cannot be 41"),
        (f"{BOARD} qv ru viruses:0", r"1 \(as now\) to 84, not 0"),
        (f"{BOARD} qv ru viruses:85 pills:3", "to 84, not 85"),
        (f"{BOARD} qv ru viruses:4", "3 of 4 viruses are dead, and no pill was placed"),
        (f"{BOARD} qv ru viruses:4 pills:3 since:3", "it cannot be 3"),
        (f"{BOARD} qv ru chance:nes-yrb", "chance:nes-yrb is not one of nes, "),
        ("seed:0000 level:10", "seed 0000 falls to zero"),
        ("seed:0001 level:10", "seed 0001 falls to zero"),
        ("seed:12345 level:10", "seed:12345 is not a hexadecimal number of up to four digits"),
        ("seed:xyz level:10", "seed:xyz is not a hexadecimal number"),
        ("seed:8988 level:-1", "levels go from 0 to 24, not -1"),
        ("seed:8988 level:25", "levels go from 0 to 24, not 25"),
        ("seed:8988 level:ten", "level:ten is not a number"),
        ("seed:8988", "level: is missing"),
        ("level:10", "seed: is missing"),
        ("seed:8988 level:10 since:3", "'since:3' is not one of the settings"),
        ("seed:8988 level:10 pills:-3", "not -3"),
        ("seed:8988 level:10 moves:0-0-0", "move 1: '0-0-0' is not a legal move"),
        ("seed:8988 level:10 moves:1-1-7,what", "move 2: 'what' is not a legal move"),
        ("seed:8988 level:10 moves:1-1-7 pills:2", "pills:2 is more than the 1 given moves"),
        ("seed:8988 level:10 stall:1 moves:1-1-7,1-1-9", "move 2, 1-1-9, comes when the game is over"),
    ],
)
def test_refused(text, reason):
    with pytest.raises(PositionError, match=reason) as caught:
        GAME.parse(text)
    assert str(caught.value).startswith("not a Dr. Mario position, ")


@settings(deadline=None)
@given(st.text(max_size=300))
def test_garbage(text):
    with pytest.raises(PositionError, match="Mario position"):
        GAME.parse(text + "!")


@settings(deadline=None)
@given(st.text(alphabet="dabcefgijkmnoqrsuvw", min_size=128, max_size=128), st.sampled_from(["qv", "ru", "--", "x"]))
def test_bottles_of_any_letters(board, preview):
    """Whatever is read is written back; whatever is not is refused with a place or a reason."""
    text = f"{board} qv {preview}"
    try:
        position = GAME.parse(text)
    except PositionError as error:
        assert str(error).startswith("not a Dr. Mario position, ")
    else:
        assert GAME.format(position).startswith(text)


WORDS = (
    "seed:8988 seed: seed:0 level:3 level: pills:2 pills: moves: moves:, moves:0-3-9 speed:fast speed: stall:5 "
    f"stalled:won chance:uniform since:1 viruses:4 : start qv -- {BOARD}"
).split()


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=7))
def test_settings_thrown_together(words):
    text = " ".join(words)
    try:
        position = GAME.parse(text)
    except PositionError:
        return
    assert np.array_equal(GAME.parse(GAME.format(position)), position)


# ── Moves ───────────────────────────────────────────────────────────────────────────────────────


def test_moves_are_read_as_written():
    position = GAME.start()
    for move in GAME.moves(position):
        name = GAME.format_move(position, move)
        assert GAME.parse_move(position, name) == GAME.parse_move(position, name.replace("-", " ")) == move


@settings(deadline=None)
@given(st.text(max_size=20))
def test_garbage_moves(text):
    with pytest.raises(MoveError, match="is not a legal move"):
        GAME.parse_move(GAME.start(), text + "x")


def test_no_move_while_the_preview_is_unknown():
    position = GAME.play(GAME.start(), GAME.moves(GAME.start())[0])
    with pytest.raises(MoveError, match="the preview is not revealed yet"):
        GAME.parse_move(position, "0-0-8")


# ── Symmetries ──────────────────────────────────────────────────────────────────────────────────


def test_five_exchanges_of_colours():
    position = GAME.parse("seed:8988 level:5 moves:0-3-10,1-0-7 pills:0")
    images = {symmetry.position(position).tobytes() for symmetry in GAME.symmetries()}
    assert len(images) == 5
    assert position.tobytes() not in images


def test_an_exchange_in_words():
    position = GAME.parse(f"{replaced(BOARD, 2, 0, 'bqw')} qv ru")
    red_to_yellow = next(s for s in GAME.symmetries() if s.name == "yellow to red, red to yellow")
    assert GAME.format(red_to_yellow.position(position)).startswith(
        f"{replaced(bottle_text(['b.......']), 2, 0, 'arw')} ru qv"
    )
    assert GAME.format(red_to_yellow.position(position)).endswith("chance:nes-ryb")


@settings(deadline=None)
@given(st.permutations(range(3)), st.permutations(range(3)))
def test_exchanges_compose(first, second):
    position = GAME.start()
    both = [second[place] for place in first]
    assert np.array_equal(exchange(exchange(position, first), second), exchange(position, both))


@pytest.mark.parametrize("seed", range(4))
def test_the_mirror_without_narrow_places(seed):
    """Mirroring is its own inverse, and in open bottles without timing it keeps the placements."""
    position = GAME.parse(f"seed:{0x8988 + seed:x} level:10 speed:fast")
    assert GAME.status(position) == PLAYER
    turned = mirror(position)
    assert np.array_equal(mirror(turned), position)
    expected = {(turn, (6 if turn % 2 == 0 else 7) - x, y) for turn, x, y in triples(position)}
    assert {(turn ^ 2 if turn % 2 else turn, x, y) for turn, x, y in triples(turned)} == expected
