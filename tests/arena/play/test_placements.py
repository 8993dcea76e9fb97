"""Placements: games cut short and finished by referees; players that cannot be told apart stay together."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from evalsmith.arena.events.competitions import match
from evalsmith.arena.play.finishing import FINISHES, Finish, Finisher
from evalsmith.arena.play.placement_table import placement_table
from evalsmith.arena.play.placements import Placement, read_placements
from evalsmith.engine import Limit
from evalsmith.games import find_game
from evalsmith.players import parse_player
from evalsmith.positions.selfplay.generation import generate
from evalsmith.run import InputError

FOUR, OTHELLO = find_game("connect_four"), find_game("othello")


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("placements") / "run"
    match(FOUR, "self;nodes=60", "random", output=path, concurrency=1, games=12, nodes=60, random_plies=2)
    return path


def test_games_are_cut(run_folder: Path, tmp_path: Path) -> None:
    game, cut, short = read_placements([run_folder], 6)
    assert game is FOUR and len(cut) + short == 12
    assert all(len(one.moves) == 6 and set(one.sides) == {"self", "random"} for one in cut)
    (tmp_path / "g.txt").write_text("f5d6c3d3c4f4f6\nf5f6\n")
    game, cut, short = read_placements([tmp_path / "g.txt"], 3)
    assert game is OTHELLO and [len(one.moves) for one in cut] == [3] and short == 1
    with pytest.raises(InputError, match="no game has more than 50 plies"):
        read_placements([run_folder], 50)


def test_what_holds_no_games_of_the_game_says_what_it_holds(run_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "g.txt").write_text("f5d6c3d3c4f4f6\nf5f6\n")
    (tmp_path / "list.epd").write_text("4k3/8/8/8/8/8/8/4K3 w - -\n")
    (tmp_path / "empty.pgn").touch()
    generate(FOUR, tmp_path / "data", games=1, nodes=5, concurrency=1)
    other = r"g.txt holds games of othello \(transcript\), not of connect_four"
    for paths, reason in (
        ([run_folder, tmp_path / "folder" / "g.txt"], other),
        ([run_folder, tmp_path / "folder"], other),
        ([run_folder, tmp_path / "list.epd"], r"list.epd holds positions of chess \(epd\), not of connect_four"),
        ([tmp_path / "list.epd"], r"list.epd is a list of positions \(epd\); expected games"),
        ([tmp_path / "data"], "data is a dataset of positions; expected a run folder or a file of games"),
        ([tmp_path / "empty.pgn"], "there is no game in .*empty.pgn"),
    ):
        with pytest.raises(InputError, match=reason):
            read_placements(paths, 1)


def test_referees_finish_them_the_same_way_each_time_and_go_on_after_a_kill(run_folder: Path, tmp_path: Path) -> None:
    _, cut, _ = read_placements([run_folder], 6)
    referees = [parse_player("self;nodes=30", FOUR), parse_player("random", FOUR)]

    def finish(folder: Path | None) -> list[Finish]:
        return Finisher(FOUR, cut, referees, Limit(nodes=30), 1).finish(3, folder, concurrency=1)

    whole = finish(None)
    assert len(whole) == len(cut) * 2 * 3 and len({(one.placement, one.referee, one.time) for one in whole}) == len(
        whole
    )
    values = {one.value for one in whole if one.referee == "random" and one.placement == 0}
    assert whole == finish(tmp_path)
    lines = (tmp_path / FINISHES).read_text().splitlines(keepends=True)
    (tmp_path / FINISHES).write_text("".join(lines[:7]) + '{"placement": 99, "referee": "self"}\n[]\n' + lines[8][:9])
    assert whole == finish(tmp_path)
    kept = [json.loads(line) for line in (tmp_path / FINISHES).read_text().splitlines() if line.endswith("}")]
    known = [(one["placement"], one["referee"], one["time"]) for one in kept if "value" in one]
    assert len(known) == len(set(known)) == len(whole)
    assert values <= {-FOUR.win, 0, FOUR.win}


def test_a_stronger_player_has_the_better_placements(run_folder: Path) -> None:
    _, cut, _ = read_placements([run_folder], 8)
    done = Finisher(FOUR, cut, [parse_player("self;nodes=100", FOUR)], Limit(nodes=100), 1).finish(4, concurrency=1)
    table = placement_table(cut, done)
    assert [row.name for row in table.rows] == ["self", "random"]
    assert table.rows[0].share > 0.5 and table.rows[0].share + table.rows[1].share == pytest.approx(1.0)
    assert table.rows[0].placements == len(cut) and table.times == 4


def test_bad_asks(run_folder: Path) -> None:
    _, cut, _ = read_placements([run_folder], 6)
    one = parse_player("self", FOUR)
    with pytest.raises(InputError, match="times must be"):
        Finisher(FOUR, cut, [one], Limit(nodes=1), 1).finish(0)
    with pytest.raises(InputError, match="the same name"):
        Finisher(FOUR, cut, [one, one], Limit(nodes=1), 1)


# ── The table ──


def finishes(referee: str, values: dict[int, list[int]]) -> list[Finish]:
    return [Finish(number, referee, time, v) for number, row in values.items() for time, v in enumerate(row)]


def test_counting_by_hand() -> None:
    cut = [Placement(0, ("a", "b"), None, ()), Placement(1, ("b", "a"), None, ())]
    table = placement_table(cut, finishes("r", {0: [100, 100, -100, 0], 1: [0, 0, 0, 0]}))
    row = next(row for row in table.rows if row.name == "a")
    assert (row.won, row.tied, row.lost, row.placements) == (1, 1, 0, 2)
    assert row.share == pytest.approx((0.625 + 0.5) / 2)
    assert row.margin == pytest.approx((25 - 0) / 2)
    spread = ((0.625 - row.share) ** 2 + (0.5 - row.share) ** 2) / 1
    assert row.share_error == pytest.approx(1.959964 * (spread / 2) ** 0.5)


def test_groups() -> None:
    """A good player, two alike, a bad one: over many placements the three levels part, the two do not."""
    source, cut, values = random.Random(1), [], {}
    levels = {"good": 900, "twin": 0, "twin2": 0, "bad": -900}
    names = list(levels)
    for number in range(400):
        first, second = source.sample(names, 2)
        cut.append(Placement(number, (first, second), None, ()))
        values[number] = [levels[first] - levels[second] + source.choice((-700, 700)) for _ in range(3)]
    table = placement_table(cut, finishes("r", values))
    assert [sorted(group) for group in table.groups["r"]] == [["good"], ["twin", "twin2"], ["bad"]]
    few = placement_table(cut[:6], finishes("r", {n: values[n] for n in range(6)}))
    assert any(len(group) > 1 for group in few.groups["r"])  # six games tell little


def test_agreement() -> None:
    cut = [Placement(n, ("a", "b"), None, ()) for n in range(4)]
    one = {0: [100], 1: [-100], 2: [300], 3: [0]}
    other = {0: [200], 1: [-200], 2: [-600], 3: [0]}
    table = placement_table(cut, finishes("x", one) + finishes("y", other))
    [agreement] = table.agreement
    assert agreement.same == 0.75
    assert agreement.correlation is not None and agreement.correlation < 0
    same = placement_table(cut, finishes("x", one) + finishes("y", {n: [3 * v for v in row] for n, row in one.items()}))
    assert same.agreement[0].correlation == pytest.approx(1.0)
    flat = placement_table(cut, finishes("x", one) + finishes("y", {n: [0] for n in one}))
    assert flat.agreement[0].correlation is None
