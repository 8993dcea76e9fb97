"""KIF, KI2 and CSA moves: written as the formats ask, read as the world writes them."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalsmith.games.shogi import GAME
from evalsmith.games.shogi.notation.csa import CODES, format_csa
from evalsmith.games.shogi.notation.ki2 import format_ki2
from evalsmith.games.shogi.notation.kif import PIECES, format_kif
from evalsmith.games.shogi.notation.moves import parse_move
from evalsmith.run.errors import MoveError


def square(name):
    return 9 * (int(name[0]) - 1) + int(name[1]) - 1


def ki2(sfen, usi, last=None):
    position = GAME.parse(sfen)
    return format_ki2(position, GAME.parse_move(position, usi), last)


@pytest.mark.parametrize("seed", range(6))
def test_every_text_is_read_back(seed):
    choose = random.Random(seed)
    position, last = GAME.start(), None
    for _ in range(120):
        moves = GAME.moves(position)
        if not moves:
            break
        for move in choose.sample(moves, min(5, len(moves))):
            assert parse_move(position, format_kif(position, move, last), last) == move
            assert parse_move(position, format_ki2(position, move, last), last) == move
            csa = format_csa(position, move)
            assert parse_move(position, csa) == parse_move(position, csa[1:]) == move
            for text in (csa, format_kif(position, move, last), format_ki2(position, move, last)):
                assert parse_move(position, text, last) == move
        noisy = GAME.noisy(position)
        move = choose.choice(noisy if noisy and choose.random() < 0.4 else moves)
        position, last = GAME.play(position, move), move & 127


def test_every_legal_move_of_a_position_has_a_text_of_its_own():
    position = GAME.parse("8k/9/2+P+P+P4/2G1G4/2GSG4/2S1S4/9/2+B1+B4/4K+R1+R1 b 2Pn 1")
    moves = GAME.moves(position)
    for write in (format_kif, format_ki2):
        assert len({write(position, move) for move in moves}) == len(moves)


def test_kif():
    game = "startpos"
    texts, last = [], None
    for usi in ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "2b3c", "5e3c+", "2a3c"]:
        position = GAME.parse(game)
        move = GAME.parse_move(position, usi)
        texts.append(format_kif(position, move, last))
        last, game = move & 127, f"{game} {usi}" if "moves" in game else f"{game} moves {usi}"
    assert texts == ["７六歩(77)", "３四歩(33)", "２二角成(88)", "同　銀(31)", "５五角打", "３三銀(22)", "同　角成(55)",
                     "同　桂(21)"]  # fmt: skip


PROMOTED = "4k4/9/9/9/+P+L+N+S+B+R3/9/9/9/4K4 b - 1"


@pytest.mark.parametrize(
    ("usi", "kif", "csa"),
    [
        ("9e9d", "９四と(95)", "+9594TO"),
        ("8e8d", "８四成香(85)", "+8584NY"),
        ("7e7d", "７四成桂(75)", "+7574NK"),
        ("6e6d", "６四成銀(65)", "+6564NG"),
        ("5e4f", "４六馬(55)", "+5546UM"),
        ("4e4a", "４一龍(45)", "+4541RY"),
        ("5i5h", "５八玉(59)", "+5958OU"),
    ],
)
def test_promoted_pieces(usi, kif, csa):
    position = GAME.parse(PROMOTED)
    move = GAME.parse_move(position, usi)
    assert (format_kif(position, move), format_csa(position, move)) == (kif, csa)


# ── The words of KI2: the examples that the Japanese Shogi Association's page gives, on our boards ──


@pytest.mark.parametrize(
    ("sfen", "texts"),
    [
        # Golds that come up, sideways and back.
        ("9/2G3k2/G8/9/9/9/9/9/4K4 b - 1", {"9c8b": "▲８二金上", "7b8b": "▲８二金寄"}),
        ("9/6k2/9/9/9/5G3/4G4/9/4K4 b - 1", {"5g5f": "▲５六金上", "4f5f": "▲５六金寄"}),
        ("6k2/9/9/9/9/4G4/9/4G4/4K4 b - 1", {"5f5g": "▲５七金引", "5h5g": "▲５七金上"}),
        # Both come up: right and left as the mover sees it; straight up for golds and silvers.
        ("6k2/9/9/9/9/9/9/3G1G3/4K4 b - 1", {"6h5g": "▲５七金左", "4h5g": "▲５七金右"}),
        ("6k2/9/9/9/9/9/9/4GG3/4K4 b - 1", {"5h5g": "▲５七金直", "4h5g": "▲５七金右"}),
        ("4k4/3g1g3/9/9/9/9/9/9/4K4 w - 1", {"6b5c": "△５三金右", "4b5c": "△５三金左"}),
        ("6k2/9/9/9/9/9/9/4SS3/4K4 b - 1", {"5h5g": "▲５七銀直", "4h5g": "▲５七銀右"}),
        # Five tokins around one square.
        ("6k2/9/9/9/9/9/1+P7/+P8/+P+P+P1K4 b - 1",
         {"7i8h": "▲８八と右", "8i8h": "▲８八と直", "9i8h": "▲８八と左上", "9h8h": "▲８八と寄", "8g8h": "▲８八と引"}),
        # Dragons and horses: no 直; which is further right or left.
        ("6k2/9/9/9/9/9/9/9/+R+R2K4 b - 1", {"9i8h": "▲８八龍左", "8i8h": "▲８八龍右"}),
        ("6k2/9/9/9/9/9/9/+R7+R/4K4 b - 1", {"9h5h": "▲５八龍左", "1h5h": "▲５八龍右"}),
        ("6k2/9/9/9/9/4+R4/9/+R8/4K4 b - 1", {"9h5h": "▲５八龍寄", "5f5h": "▲５八龍引"}),
        ("6k2/9/9/9/9/9/9/9/+B+B2K4 b - 1", {"9i8h": "▲８八馬左", "8i8h": "▲８八馬右"}),
        # Knights and lances.
        ("6k2/9/9/9/9/9/9/9/3N1NK2 b - 1", {"6i5g": "▲５七桂左", "4i5g": "▲５七桂右"}),
        # Promotion and its refusal.
        ("6k2/9/9/4S4/9/9/9/9/4K4 b - 1", {"5d5c+": "▲５三銀成", "5d5c": "▲５三銀不成", "5d6e": "▲６五銀"}),
        ("6k2/4S4/9/9/9/9/9/9/4K4 b - 1", {"5b6c": "▲６三銀不成", "5b6c+": "▲６三銀成"}),
        # A drop says so only where a move could be meant.
        ("6k2/9/9/9/9/9/9/4G4/4K4 b G 1", {"G*5g": "▲５七金打", "5h5g": "▲５七金", "G*1e": "▲１五金"}),
    ],
)  # fmt: skip
def test_words_of_ki2(sfen, texts):
    position = GAME.parse(sfen)
    for usi, text in texts.items():
        assert ki2(sfen, usi) == text
        assert parse_move(position, text) == GAME.parse_move(position, usi)


def test_a_pinned_rival_still_needs_words_and_the_bare_text_is_read():
    sfen = "3kr4/9/9/9/9/9/4G4/3G5/4K4 b - 1"
    assert ki2(sfen, "6h6g") == "▲６七金上"
    position = GAME.parse(sfen)
    assert parse_move(position, "▲６七金") == GAME.parse_move(position, "6h6g")


# ── What the world writes ──


@pytest.mark.parametrize(
    ("before", "text", "usi"),
    [
        ("", "７六歩(77)", "7g7f"),
        ("", "76歩(77)", "7g7f"),
        ("", "７６歩（７７）", "7g7f"),
        ("", "▲７六歩(77)", "7g7f"),
        ("", " ７六 歩 (77) ", "7g7f"),
        ("", "☗７六歩", "7g7f"),
        ("", "▲７六歩", "7g7f"),
        ("7g7f", "△３四歩", "3c3d"),
        ("7g7f", "▽３四歩", "3c3d"),
        ("7g7f", "☖34歩", "3c3d"),
        ("7g7f 3c3d", "２二角成(88)", "8h2b+"),
        ("7g7f 3c3d", "２二角不成(88)", "8h2b"),
        ("7g7f 3c3d", "２二角生(88)", "8h2b"),
        ("7g7f 3c3d", "２二角(88)", "8h2b"),
        ("7g7f 3c3d 8h2b+", "同　銀(31)", "3a2b"),
        ("7g7f 3c3d 8h2b+", "同銀(31)", "3a2b"),
        ("7g7f 3c3d 8h2b+", "同 銀(31)", "3a2b"),
        ("7g7f 3c3d 8h2b+", "同　飛", "8b2b"),
        ("7g7f 3c3d 8h2b+ 3a2b", "５五角打", "B*5e"),
        ("7g7f 3c3d 8h2b+ 3a2b", "５五角", "B*5e"),
        ("", "５八王(59)", "5i5h"),
        ("", "５八金右", "4i5h"),
        ("", "５八金左", "6i5h"),
        ("", "+7776FU", "7g7f"),
        ("", "7776FU", "7g7f"),
        ("7g7f", "-3334FU", "3c3d"),
        ("7g7f 3c3d", "+8822UM", "8h2b+"),
        ("7g7f 3c3d", "+8822KA", "8h2b"),
        ("7g7f 3c3d 8h2b+ 3a2b", "+0055KA", "B*5e"),
    ],
)
def test_read_generously(before, text, usi):
    position = GAME.parse(f"startpos moves {before}")
    last = square(before.split()[-1][2] + str("abcdefghi".index(before.split()[-1][3]) + 1)) if before else None
    assert parse_move(position, text, last) == GAME.parse_move(position, usi)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("同　歩(77)", "without a move before that 同 could repeat"),
        ("７六銀(77)", "no such piece stands on 77"),
        ("７五歩(77)", "not a legal move"),
        ("７六歩成(77)", "not a legal move"),
        ("△７六歩", "a move of the side that is not to move (△)"),
        ("５八金", "said of 2 pieces"),
        ("５八金直", "not a legal move"),
        ("７六歩成", "not possible with 成"),
        ("７六歩打", "not a legal move"),
        ("-3334FU", "a move of the side that is not to move (-)"),
        ("+7776XX", "no move of CSA"),
        ("+0776FU", "07 is no square"),
        ("+7776TO", "not a legal move"),
        ("+7776GI", "no piece on 77 becomes GI"),
        ("+0055FU", "not a legal move"),
        ("+0055OU", "not a legal move"),
        ("投了", "no move of USI, CSA, KIF or KI2"),
    ],
)
def test_refusals_say_why(text, reason):
    with pytest.raises(MoveError) as error:
        parse_move(GAME.start(), text)
    assert reason in str(error.value)


def test_a_pawn_on_the_last_rank_needs_its_promotion():
    position = GAME.parse("4k4/8P/9/9/9/9/9/9/4K4 b - 1")
    assert parse_move(position, "▲１一歩成") == GAME.parse_move(position, "1b1a+")
    with pytest.raises(MoveError, match="possible only with 成"):
        parse_move(position, "▲１一歩")


LETTERS = "▲△同７76六歩角銀成不打右左直上引寄()（）+-0578FUKAUM 　"


@settings(max_examples=300, deadline=None)
@given(text=st.text(alphabet=LETTERS, max_size=12) | st.text(max_size=20))
@example(text="▲")
@example(text="同")
@example(text="５五角打(88)")
def test_garbage(text):
    position = GAME.parse("startpos moves 7g7f 3c3d 8h2b+")
    try:
        move = parse_move(position, text, square("22"))
    except MoveError as error:
        assert "legal moves: " in str(error)
    else:
        assert move in GAME.moves(position)


def test_tables_have_a_name_for_every_kind():
    assert len(PIECES) == len(CODES) == 15
    assert len(set(PIECES)) == len(set(CODES)) == 15
