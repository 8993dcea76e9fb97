"""The books that chess and shogi ship: legal, distinct, balanced, reproducible, and what events use by default."""

from __future__ import annotations

import importlib.util
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import evalsmith as es
from evalsmith.arena.play.openings import EXTRA_PLIES, make_openings
from evalsmith.arena.settings import OpeningSettings
from evalsmith.engine import Limit, Searcher
from evalsmith.games import Game, find_game
from evalsmith.positions.openings.book import BOOK, read_book, shipped_book
from evalsmith.run import MismatchError, read_config
from evalsmith.weights import load_weights

ROOT = Path(__file__).parents[3]
CHESS, SHOGI, OTHELLO, FOUR = (find_game(name) for name in ("chess", "shogi", "othello", "connect_four"))
QUICK = {"games": 2, "nodes": 10, "max_plies": 12}

both = pytest.mark.parametrize("game", [CHESS, SHOGI], ids=lambda game: game.name)


def book_of(game: Game) -> Path:
    path = shipped_book(game)
    assert path is not None
    return path


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_book", ROOT / "tools" / "make_book.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@both
def test_a_book_is_small_legal_and_distinct(game: Game) -> None:
    path = book_of(game)
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) >= 250 and path.stat().st_size < 50_000
    found = read_book(game, path)  # refuses what is illegal, and leaves out what is there twice
    assert len(found) == len(lines) and {len(opening.moves) for opening in found} == {8}


@both
def test_a_book_is_balanced(game: Game) -> None:
    searcher = Searcher(game, load_weights("hand-set", game), 1 << 20)
    for opening in read_book(game, book_of(game))[::25]:
        searcher.new_game()
        assert abs(searcher.think(opening.position(game), Limit(nodes=2000)).lines[0].score) <= 100


def test_the_tool_makes_the_same_book_of_one_seed(tool: ModuleType) -> None:
    small = {"lines": 3, "plies": 3, "depth": 2, "checks": ((200, 60),)}
    one, again, other = (tool.make_book(CHESS, tool.Recipe(seed=seed, **small)) for seed in (1, 1, 2))
    assert one == again != other
    lines = one.splitlines()
    assert len(lines) == 5 and lines[0].startswith("# Balanced openings of Chess") and lines[2:] == sorted(lines[2:])


def test_games_without_a_book_have_none() -> None:
    assert shipped_book(OTHELLO) is None and shipped_book(FOUR) is None


@both
def test_the_book_is_the_default_and_the_seed_its_order(game: Game) -> None:
    known = {opening.moves for opening in read_book(game, book_of(game))}
    one, again, other = ([o.moves for o in make_openings(game, 40, OpeningSettings(), seed)] for seed in (1, 1, 2))
    assert one == again != other and len(set(one)) == 40 and set(one) | set(other) <= known
    assert make_openings(game, 4, OpeningSettings(random_plies=8), 1)[0].moves not in known


def test_more_openings_than_the_book_has_are_longer_ones() -> None:
    said: list[str] = []
    lines = len(read_book(CHESS, book_of(CHESS)))
    few = OpeningSettings(book_plies=1, balance_nodes=50)
    short = make_openings(CHESS, 3, few, 1)
    found = make_openings(CHESS, 12, few, 1, said.append)
    assert [opening.moves for opening in found[:3]] == [opening.moves for opening in short]
    assert {len(opening.moves) for opening in found} == {1, 1 + EXTRA_PLIES}
    assert len({CHESS.key(opening.position(CHESS)) for opening in found}) == 12
    assert said[0].startswith("the shipped chess book has 5 openings, and 12 are needed: the others are its lines")
    repeated = make_openings(CHESS, lines + 1, OpeningSettings(repeat=True), 1, said.append)
    assert len(repeated) == lines and said[-1].endswith("they are repeated")


def test_a_run_folder_names_the_book(tmp_path: Path) -> None:
    es.match("chess", "random;name=a", "random;name=b", output=tmp_path / "m", **QUICK)
    stored = read_config(tmp_path / "m")["openings"]
    assert stored["book"] == "shipped chess book" and len(stored["book_digest"]) == 16
    assert "random_plies" not in stored and "balance" not in stored


def test_a_run_of_random_plies_is_resumed_with_its_own_openings(tmp_path: Path) -> None:
    """Earlier versions stored the plies, the order and whether openings may be repeated."""
    run = tmp_path / "m"

    def play(**options: object) -> es.MatchResult:
        return es.match("chess", "random;name=a", "random;name=b", output=run, **QUICK, **options)  # type: ignore[arg-type]

    play(random_plies=8, balance=False)
    stored = read_config(run)["openings"]
    assert stored == {"random_plies": 8, "order": "random", "repeat": False}
    for options in ({}, {"random_plies": 8}):
        with pytest.raises(MismatchError, match=r"from 8 random plies .* --random-plies 8 --no-balance resumes it"):
            play(**options)
    assert play(random_plies=8, balance=False).games == 2


def test_a_wheel_holds_the_books(tmp_path: Path) -> None:
    hatchling = pytest.importorskip("hatchling.builders.wheel")
    [wheel] = hatchling.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"evalsmith/games/{name}/{BOOK}" for name in ("chess", "shogi")} <= set(names)
