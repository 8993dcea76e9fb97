"""Every game plays its golden game as the stored file says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evalsmith.games import find_game, game_names
from evalsmith.games.playthrough import difference, main, playthrough

HERE = Path(__file__).parent
FOLDER = HERE.parent / "playthroughs"
STORED = [name for name in game_names() if (FOLDER / f"{name}.txt").exists()]
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from broken import base  # noqa: E402


def test_every_game_of_the_project_has_a_playthrough():
    own = {name for name in game_names() if find_game(name).package.startswith("evalsmith.")}
    assert "othello" in own
    assert own <= set(STORED), "run: python -m evalsmith.games.playthrough --write tests/playthroughs"


@pytest.mark.parametrize("name", STORED)
def test_the_game_plays_as_stored(name):
    assert difference(find_game(name), FOLDER) == []


def test_a_playthrough_shows_the_whole_game():
    text = playthrough(base.GAME, seed=1)
    assert text == playthrough(base.GAME, seed=1)
    assert text != playthrough(base.GAME, seed=2)
    head, *places = text.split("\n\n")
    assert head.startswith("game: heaps\nrules version: 1\nseed: 1\nwords: 5\n")
    position = base.start()
    for place in places:
        fields = dict(line.split(": ", 1) for line in place.splitlines() if ": " in line)
        assert fields["position"] == base.format(position)
        assert int(fields["key"], 16) == base.GAME.key(position)
        if "outcome" in fields:
            assert fields["status"] == "chance"
            position = base.GAME.reveal(position, int(fields["outcome"]))
        elif "move" in fields:
            position = base.GAME.play(position, base.parse_move(position, fields["move"]))
    assert "status: over" in places[-1]
    assert places[-1].endswith("result for the mover: -100\n")
    assert "    a oooo\n    b ooooo\n    c oooo\n" in places[0], "the picture stands without its markup"


def test_the_command_writes_and_compares(tmp_path, capsys):
    assert main([str(tmp_path), "--game", "othello"]) == 1
    assert "+game: othello" in capsys.readouterr().out
    assert main(["--write", str(tmp_path), "--game", "othello"]) == 0
    assert main([str(tmp_path), "--game", "othello"]) == 0
    assert capsys.readouterr().out == ""
    file = tmp_path / "othello.txt"
    file.write_text(file.read_text().replace("max_moves: 64", "max_moves: 65"))
    assert main([str(tmp_path), "--game", "othello"]) == 1
    assert "-max_moves: 65\n+max_moves: 64\n" in capsys.readouterr().out


def test_an_unknown_game_is_bad_input(tmp_path, capsys):
    assert main([str(tmp_path), "--game", "ludo"]) == 2
    assert "ludo" in capsys.readouterr().err
