"""Files of tags and moves, for any game: what is written is read back, and errors name the file, the line, the move."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from evalsmith.games import find_game
from evalsmith.games.board import Board
from evalsmith.positions.openings.book import book_positions, read_book
from evalsmith.records import Moves, Record, Score, convert_records, find_format, format_moves, read_games
from evalsmith.records.choosing import format_for
from evalsmith.records.reader import FORMATS
from evalsmith.run.errors import InputError

HEAD = '[Game "dvonn"]\n[Rules "1"]\n'
OTHELLO = """\
[Game "othello"]
[First "Ada \\"the\\" \\\\ First"]
[Second "Bob"]
[FirstElo "1812.5"]
[Result "*"]

f5 {+12/6,0.250s} d6
c3 {?,0.010s} d3 {-40/7}

[Game "othello"]
[Position "d3c3"]
[Result "+12"]
[Ending "resigned"]
c4
"""


def random_record(name: str, seed: int, plies: int = 1000) -> Record:
    source, board = random.Random(seed), Board(name)
    while board.outcome() is None and board.ply < plies:
        moves = board.game.moves(board.position)
        board.draw(source) if not moves else board.push(source.choice(moves))
    outcome = board.outcome()
    return Record(
        name, tuple(board.move_stack), result=None if outcome is None else outcome.value, finished=outcome is not None
    )


def written(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "some.games"
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["othello", "dvonn", "chess", "shogi", "drmario"])
def test_games_come_back(name, tmp_path):
    records = [random_record(name, seed, plies=60 + 200 * seed) for seed in range(3)]
    reader = read_games(written(tmp_path, "".join(map(format_moves, records))))
    assert reader.game == name
    found = list(reader)
    assert [(one.moves, one.result, one.finished) for one in found] == [
        (one.moves, one.result, one.finished) for one in records
    ]
    assert reader.reading.broken == 0


def test_everything_that_is_known_comes_back(tmp_path):
    record = Record(
        "chess",
        (find_game("chess").parse_move(find_game("chess").start(), "e4"),),
        result=-30000,
        termination="time",
        players=('A "quoted" \\ name', "B"),
        ratings=(2000.0, None),
        event="an event",
        date="2026.01.02",
        time_control="10+0.1",
        scores=(Score(35, 6, 0.25),),
    )
    [found] = read_games(written(tmp_path, format_moves(record)))
    fields = ("moves", "result", "termination", "players", "ratings", "event", "date", "time_control", "scores")
    fields += ("finished",)
    for field in fields:
        assert getattr(found, field) == getattr(record, field), field


def test_a_file_by_hand(tmp_path):
    reader = read_games(written(tmp_path, OTHELLO))
    first, second = reader
    assert first.players == ('Ada "the" \\ First', "Bob")
    assert first.ratings == (1812.5, None)
    assert first.scores == (Score(12, 6, 0.25), None, Score(None, None, 0.01), Score(-40, 7))
    assert (first.result, first.finished) == (None, False)
    assert (second.start, second.result, second.termination, second.number) == ("d3c3", 1200, "resigned", 2)
    assert reader.reading.broken == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD + "\nd2 d2\n", "some.games, line 4, game 1, move 2: illegal move: "),
        (HEAD + "\nd2\nd3 x9\n", "some.games, line 5, game 1, move 3: illegal move: "),
        (HEAD + '[Position "nonsense"]\nd2\n', "some.games, line 1, game 1: not a position: "),
        (
            HEAD.replace("1", "7") + "d2\n",
            "some.games, line 1, game 1: another version of the rules: '7'; the",
        ),
        (HEAD + "\n", "some.games, line 1, game 1: no moves"),
        (HEAD + "[Result 1-0]\nd2\n", "some.games, line 3, game 1: not a tag: '[Result 1-0]'; write [Name"),
        (HEAD + '[Result "won"]\nd2\n', "some.games, line 1, game 1: neither 1, 1/2, 0 nor a margin: 'won'"),
        (HEAD + "d2 {good}\n", "some.games, line 3, game 1, move 2: not a score: '{good}'; write {+35/6,0.5s}"),
        (
            HEAD + "d2\n" + '[Game "chess"]\ne4\n',
            "some.games, line 4, game 2: a game of another kind: 'chess' in",
        ),
        (HEAD + "d2 " * 40_000, "some.games, line 3, game 1: the line is too long"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_move(content, message, tmp_path):
    reader = read_games(written(tmp_path, content))
    list(reader)
    [fault] = reader.reading.examples
    assert str(fault).removeprefix(f"{tmp_path}/").startswith(message)


def test_a_broken_game_costs_only_itself(tmp_path):
    sound = format_moves(random_record("dvonn", 1))
    reader = read_games(written(tmp_path, sound + HEAD + "\nd2 d2\n\n" + sound))
    assert [record.number for record in reader] == [1, 3]


def test_a_move_after_the_end_is_refused(tmp_path):
    text = format_moves(random_record("othello", 2)).rstrip()
    reader = read_games(written(tmp_path, f"{text} a1\n"))
    assert list(reader) == []
    assert reader.reading.examples[0].reason == "a move after the end of the game"


def test_a_result_that_the_board_contradicts_is_a_warning(tmp_path):
    record = random_record("othello", 2)
    text = format_moves(record).replace("[Result ", '[Result "+63"]\n[Told ')
    reader = read_games(written(tmp_path, text))
    assert [one.result for one in reader] == [record.result]
    assert reader.reading.warnings == {"the stated result is not that of the final position": 1}


def test_games_of_a_game_that_is_not_installed_are_not_taken_for_chess(tmp_path):
    with pytest.raises(InputError, match=r"some\.games holds games of go, which is not installed; see"):
        read_games(written(tmp_path, '[Game "go"]\n\nd4\n'))


def test_every_installed_game_has_the_format():
    for name in ("othello", "chess", "shogi", "dvonn", "drmario"):
        known = find_format(f"{name}-games")
        assert isinstance(known, Moves)
        assert known.writable
        assert known in FORMATS


def test_the_suffix_decides_how_games_are_written():
    chess, othello = find_game("chess"), find_game("othello")
    assert format_for(chess, Path("x.games")).name == "chess-games"
    assert format_for(chess, Path("x.PGN")).name == "pgn"
    assert format_for(chess, Path("x.log")).name == "pgn"  # no suffix of any format: what the world reads
    assert format_for(othello, Path("x")).suffixes
    with pytest.raises(InputError, match=r"games of othello cannot be written as \.pgn \(x\.pgn\); use \.games or"):
        format_for(othello, Path("x.pgn"))


def test_conversion_both_ways(tmp_path):
    source = written(tmp_path, format_moves(random_record("othello", 3)))
    assert convert_records(source, tmp_path / "a.ggf").written == 1
    assert convert_records(tmp_path / "a.ggf", tmp_path / "b.games").written == 1
    assert [one.moves for one in read_games(tmp_path / "b.games")] == [one.moves for one in read_games(source)]


def test_a_move_of_two_words_is_not_written(monkeypatch):
    record = random_record("othello", 1)
    monkeypatch.setattr(find_game("othello").notation_module, "format_move", lambda position, move: "a 1")
    with pytest.raises(InputError, match="the move 'a 1' of othello is not one word"):
        format_moves(record)


def test_both_readers_of_books_take_it(tmp_path):
    path = written(tmp_path, "".join(format_moves(random_record("othello", seed)) for seed in range(4)))
    othello = find_game("othello")
    openings = {opening.position(othello).tobytes() for opening in read_book(othello, path, 8)}
    assert {row.tobytes() for row in book_positions(othello, path, 8)} == openings
    assert len(openings) == 4
